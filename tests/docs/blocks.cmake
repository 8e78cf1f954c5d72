# SPDX-License-Identifier: MIT
# A code block of a document may have a mark, an HTML comment on the line before it:
#   <!-- not run: REASON -->      it cannot be tested, for example an installation
#   <!-- needs: page -->          it runs only where the page (or: python, the Python package) is built
#   <!-- file: NAME -->           later blocks of the document find it under this name
#   <!-- output not compared: REASON -->   the ```text block has times, for example
# A ```text block right after a program is compared with the program's output.

set(DOCUMENT_PROBLEM FATAL_ERROR) # the mode of message() for wrong blocks and marks

# document_blocks(<out> <document>): sets <out>_count, and for each block i from 0 <out>_<i>_language, <out>_<i>_code,
# <out>_<i>_mark (may be empty), and <out>_<i>_follows (only blank lines part it from the block before).
function(document_blocks out document)
  file(READ "${document}" text)
  set(text "\n${text}")
  set(count 0)
  string(FIND "${text}" "\n```" begin)
  while(NOT begin EQUAL -1)
    string(SUBSTRING "${text}" 0 ${begin} before)
    math(EXPR begin "${begin} + 4")
    string(SUBSTRING "${text}" ${begin} -1 text)
    string(FIND "${text}" "\n" line_end)
    string(SUBSTRING "${text}" 0 ${line_end} language)
    string(SUBSTRING "${text}" ${line_end} -1 text)
    string(FIND "${text}" "\n```" length)
    if(length EQUAL -1)
      message(${DOCUMENT_PROBLEM} "${document}: a ```${language} block has no end")
      string(LENGTH "${text}" length)
    endif()
    if(NOT language MATCHES "^(cpp|c|python|js|html|sh|cmake|text|json)$")
      message(${DOCUMENT_PROBLEM} "${document}: a block in '${language}': expected cpp, c, python, js, html, sh, cmake, json or text")
    endif()
    string(SUBSTRING "${text}" 1 ${length} code)
    math(EXPR rest "${length} + 4")
    string(LENGTH "${text}" all)
    if(rest GREATER all)
      set(text "")
    else()
      string(SUBSTRING "${text}" ${rest} -1 text)
    endif()
    set(mark "")
    if(before MATCHES "(^|\n)<!-- ([^\n]*) -->$")
      set(mark "${CMAKE_MATCH_2}")
      string(REGEX REPLACE "<!-- [^\n]* -->$" "" before "${before}")
      if(NOT mark MATCHES "^(not run|output not compared): .+[a-z]|^needs: (page|python)$|^file: [a-z_]+\\.[a-z]+$")
        message(${DOCUMENT_PROBLEM} "${document}: the mark '${mark}' has no reason, or is not one of tests/docs/blocks.cmake")
      endif()
    endif()
    string(STRIP "${before}" before)
    set(follows OFF)
    if(count GREATER 0 AND before STREQUAL "")
      set(follows ON)
    endif()
    set(${out}_${count}_language "${language}" PARENT_SCOPE)
    set(${out}_${count}_code "${code}" PARENT_SCOPE)
    set(${out}_${count}_mark "${mark}" PARENT_SCOPE)
    set(${out}_${count}_follows ${follows} PARENT_SCOPE)
    math(EXPR count "${count} + 1")
    string(FIND "${text}" "\n```" begin)
  endwhile()
  set(${out}_count ${count} PARENT_SCOPE)
endfunction()

# code_block(<document> <language> <output> [<containing>]): writes the first block in a language, which contains a
# text, to a file.
function(code_block document language output)
  document_blocks(block "${document}")
  set(i 0)
  while(i LESS block_count)
    string(FIND "${block_${i}_code}" "${ARGN}" found)
    if(block_${i}_language STREQUAL language AND NOT found EQUAL -1)
      file(WRITE "${output}" "${block_${i}_code}")
      return()
    endif()
    math(EXPR i "${i} + 1")
  endwhile()
  message(FATAL_ERROR "${document} has no ${language} example ${ARGN}")
endfunction()
