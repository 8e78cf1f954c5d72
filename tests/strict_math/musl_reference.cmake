# SPDX-License-Identifier: MIT
# Takes musl's sin, cos, sincos, exp and pow out of ARCHIVE, its libc.a, with all that they call, and links them into the one
# relocatable object OUTPUT, where they are called musl_sin and so on and nothing else can be seen.
set(functions sin cos sincos exp pow)
set(members sin cos sincos exp pow __sin __cos __rem_pio2 __rem_pio2_large exp_data pow_data __math_oflow __math_uflow
            __math_xflow __math_invalid __math_divzero fabs floor scalbn)
set(work "${OUTPUT}.members")
file(REMOVE_RECURSE "${work}")
file(MAKE_DIRECTORY "${work}")
list(TRANSFORM members APPEND ".lo")
execute_process(COMMAND "${AR}" x "${ARCHIVE}" ${members} WORKING_DIRECTORY "${work}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${LINKER}" -r -o "${OUTPUT}" ${members} WORKING_DIRECTORY "${work}" COMMAND_ERROR_IS_FATAL ANY)
# In two runs: GNU's objcopy keeps symbols by their new names, LLVM's by their old ones.
set(renamed "")
set(kept "")
foreach(function IN LISTS functions)
  list(APPEND renamed --redefine-sym ${function}=musl_${function})
  list(APPEND kept --keep-global-symbol=musl_${function})
endforeach()
execute_process(COMMAND "${OBJCOPY}" ${renamed} "${OUTPUT}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${OBJCOPY}" ${kept} "${OUTPUT}" COMMAND_ERROR_IS_FATAL ANY)
