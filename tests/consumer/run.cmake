# SPDX-License-Identifier: MIT
cmake_minimum_required(VERSION 3.25)
# Installs the build in BUILD_DIR and runs the first example of docs/guide/worlds_and_snapshots.md with it.
include("${CMAKE_CURRENT_LIST_DIR}/../docs/blocks.cmake")
set(work "${BUILD_DIR}/consumer")
file(REMOVE_RECURSE "${work}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${work}/prefix" OUTPUT_QUIET
                COMMAND_ERROR_IS_FATAL ANY)

code_block("${SOURCE_DIR}/docs/guide/worlds_and_snapshots.md" cpp "${work}/build/example.cpp" engine/world.h)

execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE_DIR}/tests/consumer" -B "${work}/build" -G Ninja
                        "-DCMAKE_PREFIX_PATH=${work}/prefix" -DCMAKE_BUILD_TYPE=Release
                        "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${work}/build" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${work}/build/consumer" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${work}/build/searcher" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${work}/build/reader" "${SOURCE_DIR}/contest/formats/carried/data/strict_build/game04.visio.gz"
                COMMAND_ERROR_IS_FATAL ANY)

file(GLOB alone "${SOURCE_DIR}/tests/consumer/alone/*.cpp")
foreach(source IN LISTS alone)
  get_filename_component(component "${source}" NAME_WE)
  execute_process(COMMAND "${work}/build/alone/${component}/build/alone_${component}" ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
endforeach()

# Neither Forkmunk nor its dependencies replace a program's allocator.
find_program(NM nm REQUIRED)
find_program(READELF readelf REQUIRED)
foreach(program IN ITEMS consumer reader searcher contest_bot)
  execute_process(COMMAND "${NM}" --defined-only --demangle "${work}/build/${program}" OUTPUT_VARIABLE symbols
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL
         "[0-9a-f]+ [A-Za-z] (malloc|calloc|realloc|free|aligned_alloc|posix_memalign|memalign|operator (new|delete)[^\n]*)\n"
         found "${symbols}")
  if(found OR NOT symbols MATCHES " T main\n")
    message(FATAL_ERROR "${program} defines an allocator (or has no symbols): ${found}")
  endif()
  execute_process(COMMAND "${READELF}" -d "${work}/build/${program}" OUTPUT_VARIABLE needed COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "NEEDED[^\n]*malloc[^\n]*" found "${needed}")
  if(found OR NOT needed MATCHES "NEEDED")
    message(FATAL_ERROR "${program} needs an allocator (or nothing): ${found}")
  endif()
endforeach()

# Installed headers include installed headers only.
file(GLOB_RECURSE headers RELATIVE "${work}/prefix/include" "${work}/prefix/include/*.h")
foreach(header IN LISTS headers)
  file(STRINGS "${work}/prefix/include/${header}" includes REGEX "^#include <forkmunk/")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "#include <([^>]+)>.*" "\\1" include "${include}")
    if(NOT include IN_LIST headers)
      message(FATAL_ERROR "${header} includes ${include}, which is not installed")
    endif()
  endforeach()
endforeach()

# Only headers of `space` may show types of Chipmunk or the arena's layout.
file(GLOB_RECURSE headers "${work}/prefix/include/*.h")
list(FILTER headers EXCLUDE REGEX "/include/forkmunk/(chipmunk/(chipmunk|single)_headers/|chipmunk/(code_type|difference|precision)\\.h$|space/|arena_alloc/|space\\.h$)")
list(LENGTH headers header_count)
if(header_count LESS 30)
  message(FATAL_ERROR "only ${header_count} headers are installed")
endif()
if(EXISTS "${work}/prefix/include/forkmunk/arena_alloc/chunk.h" OR EXISTS "${work}/prefix/include/forkmunk/base/thread_pool.h")
  message(FATAL_ERROR "internal headers are installed")
endif()
foreach(header IN LISTS headers)
  file(STRINGS "${header}" found REGEX "cpSpace|cpBody|cpShape|chipmunk/|arena_alloc")
  if(found)
    message(FATAL_ERROR "${header} exposes Chipmunk or the arena: ${found}")
  endif()
endforeach()
