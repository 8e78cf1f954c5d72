# SPDX-License-Identifier: MIT
cmake_minimum_required(VERSION 3.25)
# NM must list none of the C library's inexact functions in OBJECT, called or rewritten by compilers (sincos,
# __exp_finite, _ZGV...), except ALLOWED. OBJECT must call EXPECTED.
execute_process(COMMAND "${NM}" --undefined-only --format=posix ${OBJECT} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" lines "${symbols}")
set(wrong "")
foreach(line IN LISTS lines)
  string(REGEX REPLACE " .*" "" symbol "${line}")
  if(symbol MATCHES "^_ZGV" OR symbol MATCHES
     "^_*(a?(sin|cos|tan)h?|sincos|atan2|exp(2|10|m1)?|pow(i|f|l)?|log(2|10|1p|b)?|hypot|cbrt|erfc?|[lt]gamma|fma)[fl]?(_finite|_r)?$")
    list(APPEND wrong ${symbol})
  endif()
endforeach()
if(NOT lines OR NOT symbols MATCHES "${EXPECTED}")
  message(FATAL_ERROR "${OBJECT}: does not call ${EXPECTED}")
endif()
list(REMOVE_ITEM wrong ${ALLOWED})
if(wrong)
  message(FATAL_ERROR "${OBJECT}: calls ${wrong}; use the functions of strict_math (in Chipmunk: strict_names.h)")
endif()
