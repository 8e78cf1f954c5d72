# Installs the build in BUILD_DIR into a prefix of its own, builds the README's example against it and runs it.
set(work "${BUILD_DIR}/consumer")
file(REMOVE_RECURSE "${work}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${work}/prefix" OUTPUT_QUIET
                COMMAND_ERROR_IS_FATAL ANY)

file(READ "${SOURCE_DIR}/README.md" readme)
string(FIND "${readme}" "```cpp\n" begin)
if(begin EQUAL -1)
  message(FATAL_ERROR "README.md has no cpp example")
endif()
math(EXPR begin "${begin} + 7")
string(SUBSTRING "${readme}" ${begin} -1 example)
string(FIND "${example}" "```" length)
string(SUBSTRING "${example}" 0 ${length} example)
file(WRITE "${work}/build/example.cpp" "${example}")

execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE_DIR}/tests/consumer" -B "${work}/build" -G Ninja
                        "-DCMAKE_PREFIX_PATH=${work}/prefix" -DCMAKE_BUILD_TYPE=Release
                        "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${work}/build" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${work}/build/consumer" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${work}/build/searcher" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${work}/build/reader" "${SOURCE_DIR}/tests/data/recorded/strict_build/game04.visio.gz"
                COMMAND_ERROR_IS_FATAL ANY)

# No Chipmunk type, and no Chipmunk header, in what users see.
file(GLOB_RECURSE headers "${work}/prefix/include/*.h")
foreach(header IN LISTS headers)
  file(STRINGS "${header}" found REGEX "cpSpace|cpBody|cpShape|chipmunk/")
  if(found)
    message(FATAL_ERROR "${header} shows Chipmunk: ${found}")
  endif()
endforeach()
