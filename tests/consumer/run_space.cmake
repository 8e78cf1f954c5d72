# SPDX-License-Identifier: MIT
cmake_minimum_required(VERSION 3.25)
# Installs BUILD_DIR, and uses its forkmunk::space by CMake and pkg-config, from archives and, if SHARED, the shared
# library.
include("${CMAKE_CURRENT_LIST_DIR}/../docs/blocks.cmake")
set(work "${BUILD_DIR}/consumer_space")
set(consumer "${SOURCE_DIR}/tests/consumer/space")
file(REMOVE_RECURSE "${work}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${work}/prefix" OUTPUT_QUIET
                COMMAND_ERROR_IS_FATAL ANY)
foreach(licence IN ITEMS "Chipmunk2D;Scott Lembcke" "optimized-routines;Arm Limited" "msun;Sun Microsystems" "musl;Rich Felker")
  list(GET licence 0 name)
  list(GET licence 1 holder)
  file(GLOB installed "${work}/prefix/share/doc/*/LICENSES/${name}.txt")
  set(text "")
  if(installed)
    file(READ "${installed}" text)
  endif()
  if(NOT text MATCHES "${holder}")
    message(FATAL_ERROR "the licence of ${name} is not in what was installed")
  endif()
endforeach()

# build() compiles docs/guide/space.md's examples in a folder.
function(build folder source)
  code_block("${SOURCE_DIR}/docs/guide/space.md" cpp "${work}/${folder}/example.cpp")
  code_block("${SOURCE_DIR}/docs/guide/space.md" c "${work}/${folder}/example.c")
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${source}" -B "${work}/${folder}" -G Ninja ${ARGN} -DCMAKE_BUILD_TYPE=Release
                          "-DCMAKE_PREFIX_PATH=${work}/prefix" "-DCMAKE_C_COMPILER=${C_COMPILER}" OUTPUT_QUIET
                  COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${work}/${folder}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(kinds space)
if(SHARED)
  list(APPEND kinds space_shared)
endif()
list(JOIN kinds "\\;" kinds_argument)
file(COPY "${SOURCE_DIR}/chipmunk/include/forkmunk/chipmunk/chipmunk_functions.def" DESTINATION "${work}/cmake")
build(cmake "${consumer}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DKINDS=${kinds_argument}")
foreach(kind IN LISTS kinds)
  foreach(program IN ITEMS cpp c rollback_session)
    run("${work}/cmake/${kind}_${program}")
  endforeach()
endforeach()
run("${work}/cmake/throw_ball")
run("${work}/cmake/engine_and_chipmunk")
if(SHARED)
  build(c_alone "${consumer}/shared")
  run("${work}/c_alone/c_alone")
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${consumer}/mixed" -B "${work}/mixed" -G Ninja "-DCMAKE_PREFIX_PATH=${work}/prefix"
                          "-DCMAKE_C_COMPILER=${C_COMPILER}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}"
                  RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE error)
  if(result EQUAL 0 OR NOT error MATCHES "FORKMUNK_TAKEN_FROM")
    message(FATAL_ERROR "archives and the shared library in one program: CMake did not refuse it: ${result}: ${error}")
  endif()
endif()

# compile_line(<program> <source> <compiler and flags>... PACKAGES <package>... [STATIC] [FAILS <message>]) uses pkg-config.
find_program(PKG_CONFIG NAMES pkg-config pkgconf)
file(GLOB_RECURSE pc "${work}/prefix/*/forkmunk-space.pc")
get_filename_component(pc_folder "${pc}" DIRECTORY)
get_filename_component(libdir "${pc_folder}" DIRECTORY)
function(compile_line program source)
  cmake_parse_arguments(ARG "STATIC" "FAILS" "PACKAGES" ${ARGN})
  set(how "")
  if(ARG_STATIC)
    set(how --static)
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env "PKG_CONFIG_PATH=${pc_folder}" "${PKG_CONFIG}" ${how} --cflags --libs ${ARG_PACKAGES}
                  OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  execute_process(COMMAND ${ARG_UNPARSED_ARGUMENTS} -o "${work}/${program}" "${source}" ${flags} "-Wl,-rpath,${libdir}"
                  RESULT_VARIABLE result ERROR_VARIABLE error)
  if(ARG_FAILS)
    if(result EQUAL 0 OR NOT error MATCHES "${ARG_FAILS}")
      message(FATAL_ERROR "${program}: expected ${ARG_FAILS}, found ${result}: ${error}")
    endif()
    return()
  elseif(NOT result EQUAL 0)
    message(FATAL_ERROR "${program}: ${result}: ${error}")
  endif()
  run("${work}/${program}")
endfunction()
if(PKG_CONFIG)
  set(strict_c -std=c11 -Wall -Wextra -Wpedantic -Werror)
  code_block("${SOURCE_DIR}/docs/guide/worlds_and_snapshots.md" cpp "${work}/engine.cpp" engine/world.h)
  code_block("${SOURCE_DIR}/README.md" cpp "${work}/scene.cpp" space/space.h)
  file(WRITE "${work}/recorder.cpp" [[
#include <forkmunk/space/recorder.h>
#include <forkmunk/space/space.h>
int main() {
  forkmunk::space::Space world;
  forkmunk::space::Recorder recorder(world);
  world.step(0.1);
  return recorder.recording().last() == 1 ? 0 : 1;
}
]])
  file(WRITE "${work}/update.c" [[
#include <forkmunk/space.h>
int main(void) {
  char written[65536];
  forkmunk_space* world = forkmunk_space_new(0, 0);
  cpBody* body;
  forkmunk_space_enter(world);
  body = cpSpaceAddBody(forkmunk_space_space(world), cpBodyNew(1, 1));
  cpBodySetVelocityUpdateFunc(body, cpBodyUpdateVelocity);
  cpBodySetPositionUpdateFunc(body, cpBodyUpdatePosition);
  forkmunk_space_leave(world);
  return forkmunk_space_write(world, written, sizeof written) == 0; /* a function without a name */
}
]])
  if(SHARED)
    # The addresses of functions are the program's own.
    compile_line(pc_update "${work}/update.c" "${C_COMPILER}" ${strict_c} -fno-pic -no-pie PACKAGES forkmunk-space_shared)
    execute_process(COMMAND "${C_COMPILER}" -shared -fPIC "-I${work}/cmake" "${consumer}/other_chipmunk.c" -o "${work}/libother.so"
                    COMMAND_ERROR_IS_FATAL ANY)
    compile_line(pc_two_chipmunks "${work}/recorder.cpp" "${CXX_COMPILER}" -std=c++20 -Wl,--no-as-needed "${work}/libother.so"
                 PACKAGES forkmunk-space_shared)
    compile_line(pc_sanitized "${work}/recorder.cpp" "${CXX_COMPILER}" -std=c++20 -fsanitize=undefined PACKAGES forkmunk-space_shared)
    compile_line(pc_shared_cpp "${work}/cmake/example.cpp" "${CXX_COMPILER}" -std=c++20 PACKAGES forkmunk-space_shared)
    compile_line(pc_c "${work}/cmake/example.c" "${C_COMPILER}" ${strict_c} PACKAGES forkmunk-space_shared)
  endif()
  compile_line(pc_cpp "${work}/cmake/example.cpp" "${CXX_COMPILER}" -std=c++20 PACKAGES forkmunk-space)
  compile_line(pc_debug "${work}/recorder.cpp" "${CXX_COMPILER}" -std=c++20 -D_GLIBCXX_DEBUG PACKAGES forkmunk-space FAILS "Space\\[abi:debug\\]")
  compile_line(pc_scene "${work}/scene.cpp" "${CXX_COMPILER}" -std=c++20 PACKAGES forkmunk-space)
  # A search and a Space of different libraries would have two allocators, so both are archives.
  compile_line(pc_search "${SOURCE_DIR}/examples/throw_ball.cpp" "${CXX_COMPILER}" -std=c++20 PACKAGES forkmunk-search forkmunk-space)
  compile_line(pc_static_c "${work}/cmake/example.c" "${C_COMPILER}" -static ${strict_c} PACKAGES forkmunk-space STATIC)
  compile_line(pc_engine "${work}/engine.cpp" "${CXX_COMPILER}" -std=c++20 PACKAGES forkmunk-engine forkmunk-cars forkmunk-maps)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env "PKG_CONFIG_PATH=${pc_folder}" "${PKG_CONFIG}" --cflags forkmunk-engine
                  OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
  if(flags MATCHES "CP_|chipmunk")
    message(FATAL_ERROR "forkmunk-engine's flags affect the user's Chipmunk: ${flags}")
  endif()
else()
  message(STATUS "no pkg-config: its files are not tested")
endif()

# Only forkmunk::space has Chipmunk's plain names.
find_program(NM nm REQUIRED)
file(GLOB archives "${libdir}/libforkmunk_*.a")
foreach(archive IN LISTS archives)
  execute_process(COMMAND "${NM}" "${archive}" OUTPUT_VARIABLE symbols ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL " [A-Z] cp[A-Za-z0-9]+\n" found "${symbols}")
  if(archive MATCHES "_space\\.a$")
    if(NOT symbols MATCHES " T cpSpaceNew\n")
      message(FATAL_ERROR "${archive} has no cpSpaceNew")
    endif()
  elseif(found)
    message(FATAL_ERROR "${archive} has Chipmunk's plain names: ${found}")
  endif()
endforeach()
if(NOT "${libdir}/libforkmunk_engine.a" IN_LIST archives)
  message(FATAL_ERROR "no libforkmunk_engine.a in ${libdir}")
endif()

if(SHARED)
  set(library "${libdir}/libforkmunk_space.so")
  execute_process(COMMAND "${NM}" -D --defined-only "${library}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL " [TDBRWVu] [A-Za-z0-9_]+" symbols "${symbols}")
  set(others "${symbols}")
  list(FILTER others EXCLUDE REGEX
       " (cp[A-Z]|forkmunk_(space_|batch_|preview$|snapshot_|recorder_|recording_|session_|sync_test_|game_failed$|last_error|name_code)|_ZNK?8forkmunk(5space|11arena_alloc|7versionEv)|_ZT[ISV]N8forkmunk(5Error|5space(12RollbackGame|8Recorder|9SpaceGame))E)")
  if(others OR NOT " T cpSpaceNew" IN_LIST symbols OR NOT " T _ZNK8forkmunk5space5Space4forkEv" IN_LIST symbols OR
     NOT " T _ZN8forkmunk7versionEv" IN_LIST symbols)
    message(FATAL_ERROR "${library} exports internal symbols, or too few: ${others}")
  endif()
  find_program(READELF readelf REQUIRED)
  execute_process(COMMAND "${READELF}" -d "${library}" OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
  if(NOT dynamic MATCHES "soname: \\[libforkmunk_space\\.so\\.[0-9]+\\.[0-9]+\\]" OR dynamic MATCHES "NEEDED[^\n]*(forkmunk|chipmunk)")
    message(FATAL_ERROR "${library}: ${dynamic}")
  endif()
endif()
