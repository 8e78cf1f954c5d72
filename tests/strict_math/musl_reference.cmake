# SPDX-License-Identifier: MIT
# Links sin, cos, exp and pow of musl's ARCHIVE into the object OUTPUT, whose only visible names are musl_sin etc.
set(functions sin cos exp pow)
set(members sin cos exp pow __sin __cos __rem_pio2 __rem_pio2_large exp_data pow_data __math_oflow __math_uflow
            __math_xflow __math_invalid __math_divzero fabs floor scalbn)
set(work "${OUTPUT}.members")
file(REMOVE_RECURSE "${work}")
file(MAKE_DIRECTORY "${work}")
list(TRANSFORM members APPEND ".lo")
execute_process(COMMAND "${AR}" x "${ARCHIVE}" ${members} WORKING_DIRECTORY "${work}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${LINKER}" -r -o "${OUTPUT}" ${members} WORKING_DIRECTORY "${work}" COMMAND_ERROR_IS_FATAL ANY)
# GNU's objcopy keeps symbols by their new names, LLVM's by their old ones, so it runs twice.
set(renamed "")
set(kept "")
foreach(function IN LISTS functions)
  list(APPEND renamed --redefine-sym ${function}=musl_${function})
  list(APPEND kept --keep-global-symbol=musl_${function})
endforeach()
execute_process(COMMAND "${OBJCOPY}" ${renamed} "${OUTPUT}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${OBJCOPY}" ${kept} "${OUTPUT}" COMMAND_ERROR_IS_FATAL ANY)
