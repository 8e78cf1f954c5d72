# SPDX-License-Identifier: MIT
cmake_minimum_required(VERSION 3.25)
# cmake -DOBJDUMP=... -DOBJECTS=... -DKERNEL=flat::avx2 -P: only functions of the kernel's namespace use AVX
# instructions or call such functions, and none fuses multiply and add. The linker may choose any copy of other
# functions for all targets.
execute_process(COMMAND "${OBJDUMP}" --disassemble --reloc --demangle --no-show-raw-insn ${OBJECTS}
                COMMAND grep -E "^[0-9a-f]+ <|:[ \t]+v[a-z0-9]+[ \t]|R_X86_64_.*${KERNEL}"
                OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "[][;]" "_" lines "${lines}")
string(REGEX MATCHALL "[^\n]+" lines "${lines}")
set(function "")
set(kernel_uses_avx OFF)
set(wrong "")
foreach(line IN LISTS lines)
  if(line MATCHES "^[0-9a-f]+ <(.*)>:$")
    set(function "${CMAKE_MATCH_1}")
    if(function MATCHES "${KERNEL}")
      set(is_kernel ON)
    else()
      set(is_kernel OFF)
    endif()
  elseif(line MATCHES "[ \t]vfn?m(add|sub)")
    message(SEND_ERROR "${function} fuses multiply and add: ${line}")
  elseif(is_kernel)
    set(kernel_uses_avx ON)
  elseif(NOT function IN_LIST wrong)
    list(APPEND wrong "${function}")
    message(SEND_ERROR "${function}, which is shared with other processors' code: ${line}")
  endif()
endforeach()
if(NOT kernel_uses_avx)
  message(SEND_ERROR "${OBJECTS}: no function of ${KERNEL} uses AVX's instructions")
endif()
