# SPDX-License-Identifier: MIT
cmake_minimum_required(VERSION 3.25)
# Builds the project in embedded/, which takes Forkmunk from FORKMUNK, a folder or a release archive, and installs it.
# WORK: where to. C_COMPILER, CXX_COMPILER, GENERATOR; SHARED: the parent's BUILD_SHARED_LIBS; STANDARD: its C++; JOBS.
# FLAGS: of a release build; the default if empty.
file(REMOVE_RECURSE "${WORK}")
set(digest "")
if(NOT IS_DIRECTORY "${FORKMUNK}")
  file(SHA256 "${FORKMUNK}" digest)
endif()
set(flags "")
if(FLAGS)
  set(flags "-DCMAKE_C_FLAGS_RELEASE=${FLAGS}" "-DCMAKE_CXX_FLAGS_RELEASE=${FLAGS}")
endif()
function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${result}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/embedded" -B "${WORK}/build" -G "${GENERATOR}" -DCMAKE_BUILD_TYPE=Release
    "-DCMAKE_C_COMPILER=${C_COMPILER}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" -DCMAKE_CXX_STANDARD=${STANDARD} -DBUILD_SHARED_LIBS=${SHARED}
    "-DCMAKE_INSTALL_PREFIX=${WORK}/prefix" "-DFORKMUNK=${FORKMUNK}" -DFORKMUNK_SHA256=${digest} ${flags})
run("${CMAKE_COMMAND}" --build "${WORK}/build" --target game --parallel "${JOBS}")
run("${WORK}/build/programs/game")
message(STATUS "${GENERATOR}, ${CXX_COMPILER}, C++${STANDARD}, BUILD_SHARED_LIBS=${SHARED}: ${output}")
run("${CMAKE_COMMAND}" --install "${WORK}/build")
file(GLOB_RECURSE installed RELATIVE "${WORK}/prefix" "${WORK}/prefix/*")
if(NOT installed STREQUAL "bin/game")
  message(FATAL_ERROR "installed: ${installed}, expected bin/game alone")
endif()
