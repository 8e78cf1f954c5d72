cmake_minimum_required(VERSION 3.25)
# OBJECT, seen by NM, must leave none of the C library's inexact functions undefined: neither as called, nor as compilers
# rewrite them (sincos, __exp_finite, vectors' _ZGV...).
execute_process(COMMAND "${NM}" --undefined-only --format=posix "${OBJECT}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" lines "${symbols}")
set(wrong "")
foreach(line IN LISTS lines)
  string(REGEX REPLACE " .*" "" symbol "${line}")
  if(symbol MATCHES "^_ZGV" OR symbol MATCHES
     "^_*(a?(sin|cos|tan)h?|sincos|atan2|exp(2|10|m1)?|pow(i|f|l)?|log(2|10|1p|b)?|hypot|cbrt|erfc?|[lt]gamma|fma)[fl]?(_finite|_r)?$")
    list(APPEND wrong ${symbol})
  endif()
endforeach()
if(NOT symbols MATCHES "forkmunk_strict_sincos")
  message(FATAL_ERROR "${OBJECT}: found no call of strict_math, expected some")
endif()
if(wrong)
  message(FATAL_ERROR "${OBJECT}: found calls of ${wrong}, expected those of strict_math (cmake/chipmunk/strict_names.h)")
endif()
