# SPDX-License-Identifier: MIT

include(FetchedSource)

set(FORKMUNK_CHIPMUNK_SOURCE_DIR "" CACHE PATH "Unpacked source of Chipmunk2D 7.0.3 (empty: fetch it)")
file(READ "${PROJECT_SOURCE_DIR}/cmake/chipmunk/source.sha256" _forkmunk_chipmunk_sha256)
string(STRIP "${_forkmunk_chipmunk_sha256}" _forkmunk_chipmunk_sha256)
forkmunk_fetch_source(FORKMUNK_CHIPMUNK_DIR
  NAME Chipmunk2D VERSION 7.0.3
  OVERRIDE FORKMUNK_CHIPMUNK_SOURCE_DIR
  PACKAGE chipmunk=7.0.3-5
  URL https://github.com/slembcke/Chipmunk2D/archive/refs/tags/Chipmunk-7.0.3.tar.gz
  ARCHIVE_SHA256 1e6f093812d6130e45bdf4cb80280cb3c93d1e1833d8cf989d554d7963b7899a
  FOLDER Chipmunk2D-Chipmunk-7.0.3
  SOURCES src/*.c src/*.h include/chipmunk/*.h
  TREE_SHA256 ${_forkmunk_chipmunk_sha256}
  UNPACK */src/* */include/* */demo/*.c */demo/*.h */LICENSE.txt)

# Each build's external names have its own prefix, by a generated header of #defines, so that one program can link
# several builds and any other Chipmunk.

# cpHastySpace (a threaded step) would give other bits.
file(GLOB FORKMUNK_CHIPMUNK_SOURCES "${FORKMUNK_CHIPMUNK_DIR}/src/*.c")
list(FILTER FORKMUNK_CHIPMUNK_SOURCES EXCLUDE REGEX "/cpHastySpace\\.c$")

# All sources that include Chipmunk's headers need this: by default hashes are as wide as a pointer, and contacts' keys
# depend on the machine.
set(FORKMUNK_CHIPMUNK_DEFINITIONS CP_HASH_VALUE_TYPE=uint32_t)

# The contest's own flags (pymunk 5.3.2 on gcc 12.2), and flags for IEEE arithmetic with strict_math. CHIPMUNK_FFI only
# makes a table of pointers to inline functions, one of which needs atan2.
set(FORKMUNK_REFEREE_FLAGS -std=gnu99 -ffast-math -DCHIPMUNK_FFI -g -DCP_USE_CGPOINTS=0 -DNDEBUG -fPIC -O3 -m64 -w)
set(FORKMUNK_STRICT_FLAGS -std=gnu99 -fno-fast-math -ffp-contract=off -g -DCP_USE_CGPOINTS=0 -DNDEBUG -fPIC -O3 -w)
# These keep the bits: gcc 12.2 fuses multiply and add when it vectorises for a machine with FMA, whatever -ffp-contract
# is (PR 107647). Functions are aligned, because a loop's offset within a cache line changes its time by up to a fifth.
set(_forkmunk_guard_flags -fno-lto -falign-functions=64)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  list(APPEND _forkmunk_guard_flags -march=x86-64 -mtune=generic)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^i[3-6]86$")
  list(APPEND _forkmunk_guard_flags -msse2 -mfpmath=sse) # the x87 unit keeps more bits than a double has
endif()
list(APPEND FORKMUNK_REFEREE_FLAGS ${_forkmunk_guard_flags})
list(APPEND FORKMUNK_STRICT_FLAGS ${_forkmunk_guard_flags} "-I${PROJECT_SOURCE_DIR}/strict_math/include"
  "SHELL:-include \"${PROJECT_SOURCE_DIR}/cmake/chipmunk/strict_names.h\"")
if(EMSCRIPTEN) # see cmake/toolchains/wasm32-emscripten.cmake, whose options do not count here
  list(APPEND FORKMUNK_STRICT_FLAGS -D__FILE__=__FILE_NAME__)
endif()

# With -ffast-math only gcc on x86-64 gives the referee's bits.
set(FORKMUNK_HAS_REFEREE_ARITHMETIC OFF)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(FORKMUNK_HAS_REFEREE_ARITHMETIC ON)
endif()

# Chipmunk's quickhull loads one vertex past its scratch array and never uses it, so AddressSanitizer must not
# instrument allocas, nor, with clang, the borders of neighbouring stack objects.
set(FORKMUNK_CHIPMUNK_SANITIZER_FLAGS ${FORKMUNK_SANITIZER_FLAGS})
if(FORKMUNK_SANITIZER MATCHES "address")
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    list(APPEND FORKMUNK_CHIPMUNK_SANITIZER_FLAGS "SHELL:--param asan-instrument-allocas=0")
  else()
    list(APPEND FORKMUNK_CHIPMUNK_SANITIZER_FLAGS "SHELL:-mllvm -asan-stack=0")
  endif()
endif()

# Clears inherited flags, on which the bits depend.
macro(forkmunk_chipmunk_folder)
  set(CMAKE_C_FLAGS "")
  foreach(config DEBUG RELEASE RELWITHDEBINFO MINSIZEREL ${CMAKE_BUILD_TYPE} ${CMAKE_CONFIGURATION_TYPES})
    string(TOUPPER "${config}" config)
    set(CMAKE_C_FLAGS_${config} "")
  endforeach()
  set_directory_properties(PROPERTIES COMPILE_OPTIONS "" COMPILE_DEFINITIONS "" INCLUDE_DIRECTORIES "")
  set(CMAKE_UNITY_BUILD OFF)
  set(CMAKE_POSITION_INDEPENDENT_CODE OFF) # -fPIC is among the flags above
endmacro()

# Sources that replace Chipmunk's files of these names in a build with FAST_STEP (decisions 0011, 0012).
set(FORKMUNK_FAST_STEP_FOLDER "${PROJECT_SOURCE_DIR}/chipmunk/src")
set(FORKMUNK_FAST_STEP_C_SOURCES defects/collision.c defects/rotary_spring.c defects/spatial_hash.c defects/spring.c
    fast/stock_memory.c fast/stock_space.c fast/stock_tree.c)
set(FORKMUNK_FAST_STEP_SOURCES fast/collisions.cpp fast/solve.cpp fast/step.cpp)
list(TRANSFORM FORKMUNK_FAST_STEP_C_SOURCES PREPEND "${FORKMUNK_FAST_STEP_FOLDER}/")
list(TRANSFORM FORKMUNK_FAST_STEP_SOURCES PREPEND "${FORKMUNK_FAST_STEP_FOLDER}/")

# Copies Chipmunk's headers for single precision: floats, and other names of functions, variables and, in C++, types, so
# that one program may have both precisions.
set(FORKMUNK_SINGLE_HEADERS "${PROJECT_BINARY_DIR}/chipmunk_builds/single_headers")
function(forkmunk_write_single_headers)
  file(STRINGS "${PROJECT_SOURCE_DIR}/cmake/chipmunk/external_names.txt" symbols REGEX "^[^#]")
  string(REPLACE " " ";" symbols "${symbols}")
  foreach(name IN LISTS symbols) # functions that space/ wraps
    list(APPEND symbols forkmunk_plain_${name})
  endforeach()
  file(GLOB headers "${FORKMUNK_CHIPMUNK_DIR}/include/chipmunk/*.h")
  set(own chipmunk/src/fast/stock_step.h chipmunk/src/allocation.cpp space/include/forkmunk/space.h space/include/forkmunk/rollback.h)
  list(TRANSFORM own PREPEND "${PROJECT_SOURCE_DIR}/")
  set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${own})
  set(types "")
  foreach(source IN LISTS headers own)
    file(READ "${source}" text)
    string(REGEX MATCHALL "(struct|enum) (cp[A-Z]|forkmunk_)[A-Za-z0-9_]+" found "${text}")
    list(APPEND types ${found})
    if(source IN_LIST own)
      string(REGEX MATCHALL "(cp[A-Z]|forkmunk_)[A-Za-z0-9_]+\\(" found "${text}")
      list(APPEND symbols ${found})
    endif()
  endforeach()
  list(TRANSFORM types REPLACE "(struct|enum) " "")
  list(TRANSFORM symbols REPLACE "\\($" "")
  list(FILTER symbols EXCLUDE REGEX "^forkmunk_(arena_|compile_|defects$|set_defects$)") # no symbols
  list(REMOVE_DUPLICATES types)
  list(REMOVE_DUPLICATES symbols)
  list(TRANSFORM types REPLACE "(.+)" "#define \\1 forkmunk_single_\\1")
  list(TRANSFORM symbols REPLACE "(.+)" "#ifndef \\1\n#pragma redefine_extname \\1 forkmunk_single_\\1\n#endif")
  list(JOIN types "\n" types)
  list(JOIN symbols "\n" symbols)
  string(REPLACE forkmunk_single_forkmunk_ forkmunk_single_ types "${types}")
  string(REPLACE forkmunk_single_forkmunk_ forkmunk_single_ symbols "${symbols}")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/chipmunk/single_names.h.in" "${FORKMUNK_SINGLE_HEADERS}/chipmunk/forkmunk_single_names.h" @ONLY)
  foreach(header IN LISTS headers)
    get_filename_component(file "${header}" NAME)
    file(READ "${header}" text)
    if(file STREQUAL "chipmunk_types.h")
      string(PREPEND text "#include \"forkmunk_single_names.h\"\n")
    endif()
    file(GENERATE OUTPUT "${FORKMUNK_SINGLE_HEADERS}/chipmunk/${file}" CONTENT "${text}")
  endforeach()
endfunction()
forkmunk_write_single_headers()

# Adds object library <target>_step, the C++ part of a build.
function(forkmunk_fast_step target headers)
  add_library(${target}_step OBJECT EXCLUDE_FROM_ALL ${FORKMUNK_FAST_STEP_SOURCES})
  target_include_directories(${target}_step SYSTEM PRIVATE "${headers}")
  target_include_directories(${target}_step PRIVATE "${FORKMUNK_FAST_STEP_FOLDER}" "${PROJECT_SOURCE_DIR}/chipmunk/include")
  target_compile_definitions(${target}_step PRIVATE ${FORKMUNK_CHIPMUNK_DEFINITIONS})
  target_link_libraries(${target}_step PRIVATE forkmunk_flags forkmunk::base forkmunk::strict_math)
  target_compile_features(${target}_step PRIVATE cxx_std_20)
  if(EMSCRIPTEN) # Pages download 560 bytes less than with -O3; a step takes 1 % longer.
    target_compile_options(${target}_step PRIVATE -O2)
  endif()
  set_target_properties(${target}_step PROPERTIES POSITION_INDEPENDENT_CODE ON)
  list(FILTER ARGN INCLUDE REGEX "^-D")
  target_compile_options(${target}_step PRIVATE ${ARGN})
endfunction()

# forkmunk_chipmunk_build(<name> [FAST_STEP] [SINGLE] <flags>...) adds the object library forkmunk_chipmunk_<name>,
# whose names begin with forkmunk_<name>_. Its property FORKMUNK_NAMES is the header that defines them, for sources that
# use Chipmunk's own names. A build called plain_... keeps Chipmunk's names, with SINGLE those of single precision. The
# folder must begin with forkmunk_chipmunk_folder().
function(forkmunk_chipmunk_build name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "FAST_STEP;SINGLE" "" "")
  set(target forkmunk_chipmunk_${name})
  set(sources ${FORKMUNK_CHIPMUNK_SOURCES})
  if(ARG_FAST_STEP)
    list(FILTER sources EXCLUDE REGEX "/(cpArray|cpCollision|cpDampedRotarySpring|cpDampedSpring|cpHashSet|cpPolyShape|cpSpace|cpSpaceHash|cpSpaceComponent|cpSpaceStep|cpBBTree)\\.c$")
    list(APPEND sources ${FORKMUNK_FAST_STEP_C_SOURCES})
  endif()
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${sources})
  set(headers "${FORKMUNK_CHIPMUNK_DIR}/include")
  if(ARG_SINGLE)
    set(headers "${FORKMUNK_SINGLE_HEADERS}")
  endif()
  target_include_directories(${target} SYSTEM PRIVATE "${headers}")
  if(ARG_FAST_STEP)
    target_include_directories(${target} PRIVATE "${FORKMUNK_FAST_STEP_FOLDER}" "${FORKMUNK_CHIPMUNK_DIR}/src")
    forkmunk_fast_step(${target} "${headers}" ${ARG_UNPARSED_ARGUMENTS})
  endif()
  target_compile_definitions(${target} PRIVATE ${FORKMUNK_CHIPMUNK_DEFINITIONS})
  if(NOT name MATCHES "^plain_")
    set(header "${CMAKE_CURRENT_BINARY_DIR}/${name}_names.h")
    file(STRINGS "${PROJECT_SOURCE_DIR}/cmake/chipmunk/external_names.txt" names REGEX "^[^#]")
    string(REPLACE " " ";" names "${names}")
    list(TRANSFORM names REPLACE "(.+)" "#define \\1 forkmunk_${name}_\\1")
    list(JOIN names "\n" names)
    file(CONFIGURE OUTPUT "${header}" CONTENT "${names}\n" @ONLY)
    target_compile_options(${target} PRIVATE "SHELL:-include \"${header}\"")
    set_target_properties(${target} PROPERTIES FORKMUNK_NAMES "${header}")
  endif()
  target_compile_options(${target} PRIVATE ${ARG_UNPARSED_ARGUMENTS})
  # A cached CMAKE_C_STANDARD and an enclosing link_libraries() would add flags.
  set_property(TARGET ${target} PROPERTY C_STANDARD)
  set_property(TARGET ${target} PROPERTY LINK_LIBRARIES)
endfunction()

function(forkmunk_link_chipmunk target)
  foreach(build IN LISTS ARGN)
    if(TARGET forkmunk_chipmunk_${build})
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:forkmunk_chipmunk_${build}>)
      if(TARGET forkmunk_chipmunk_${build}_step)
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:forkmunk_chipmunk_${build}_step>)
      endif()
      if(build MATCHES "strict$|single$")
        target_link_libraries(${target} PRIVATE forkmunk::strict_math)
      endif()
    endif()
  endforeach()
endfunction()

add_subdirectory("${PROJECT_SOURCE_DIR}/cmake/chipmunk" "${PROJECT_BINARY_DIR}/chipmunk_builds")
