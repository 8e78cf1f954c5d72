# SPDX-License-Identifier: MIT
# cmake -DSOURCE_DIR= -P check_blocks.cmake -- DOCUMENT...: every block has an end and a known language, every mark a
# reason.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/blocks.cmake")
set(DOCUMENT_PROBLEM SEND_ERROR)
set(begun OFF)
foreach(i RANGE 1 ${CMAKE_ARGC})
  if(begun AND DEFINED CMAKE_ARGV${i})
    document_blocks(block "${SOURCE_DIR}/${CMAKE_ARGV${i}}")
  elseif("${CMAKE_ARGV${i}}" STREQUAL "--")
    set(begun ON)
  endif()
endforeach()
