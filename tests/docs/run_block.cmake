# SPDX-License-Identifier: MIT
# cmake -DSOURCE_DIR= -DBUILD_DIR= -DWORK= -DEXPECTED= -DPYTHON= -P run_block.cmake -- COMMAND...: runs a block of a document in WORK, a folder of its
# own that looks like a checkout with the release preset built, and has a recording (game.visio.gz) and a bot (contest_bot). EXPECTED: a file with
# what it has to print, or empty.
set(command "")
set(begun OFF)
foreach(i RANGE 1 ${CMAKE_ARGC})
  if(begun AND DEFINED CMAKE_ARGV${i})
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif("${CMAKE_ARGV${i}}" STREQUAL "--")
    set(begun ON)
  endif()
endforeach()

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}/build")
file(CREATE_LINK "${BUILD_DIR}" "${WORK}/build/release" SYMBOLIC)
foreach(folder IN ITEMS examples formats python scripts tests)
  file(CREATE_LINK "${SOURCE_DIR}/${folder}" "${WORK}/${folder}" SYMBOLIC)
endforeach()
file(COPY_FILE "${SOURCE_DIR}/contest/formats/carried/data/strict_build/game04.visio.gz" "${WORK}/game.visio.gz")
if(EXISTS "${BUILD_DIR}/bin/contest_bot")
  file(CREATE_LINK "${BUILD_DIR}/bin/contest_bot" "${WORK}/contest_bot" SYMBOLIC)
endif()

get_filename_component(python_folder "${PYTHON}" DIRECTORY) # of the python3 that the package is built for
set(ENV{PATH} "${BUILD_DIR}/bin:${python_folder}:$ENV{PATH}")
set(ENV{PYTHONPATH} "${BUILD_DIR}/python")
execute_process(COMMAND ${command} WORKING_DIRECTORY "${WORK}" OUTPUT_VARIABLE output ERROR_VARIABLE error RESULT_VARIABLE result
                INPUT_FILE /dev/null)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "it ended with ${result}\n${output}${error}")
endif()
if(EXPECTED)
  file(READ "${EXPECTED}" expected)
  if(NOT output STREQUAL expected)
    message(FATAL_ERROR "by the document it prints\n${expected}but it printed\n${output}")
  endif()
endif()
