# SPDX-License-Identifier: MIT
cmake_minimum_required(VERSION 3.25)
# cmake -DNM=... -DOBJECTS=... -DPREFIX=... -P: every external symbol of a build of Chipmunk begins with its prefix.
execute_process(COMMAND "${NM}" --extern-only --defined-only --format=posix ${OBJECTS} OUTPUT_VARIABLE symbols
                COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
list(FILTER symbols EXCLUDE REGEX ":$|^__x86\\.get_pc_thunk") # names of files; a shared symbol of i686
if(NOT symbols MATCHES "${PREFIX}cpSpaceNew ")
  message(SEND_ERROR "the build ${PREFIX} defines no ${PREFIX}cpSpaceNew")
endif()
list(FILTER symbols EXCLUDE REGEX "^${PREFIX}(plain_)?_?cp")
if(symbols)
  message(FATAL_ERROR "the build ${PREFIX} defines ${symbols}: add the names to cmake/chipmunk/external_names.txt")
endif()
