# SPDX-License-Identifier: MIT
# WebAssembly by Emscripten (packages emscripten and node-acorn); only Debian's node searches node-acorn's folder.
set(ENV{NODE_PATH} "/usr/share/nodejs")
set(_forkmunk_environment "NODE_PATH=/usr/share/nodejs")
# em++ is a Python program that is started for each file, and python3 starts faster than a shim such as pyenv's.
if(NOT DEFINED ENV{EMSDK_PYTHON})
  execute_process(COMMAND python3 -c "import sys; print(sys.executable)" OUTPUT_VARIABLE _forkmunk_python
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(_forkmunk_python)
    set(ENV{EMSDK_PYTHON} "${_forkmunk_python}")
  endif()
endif()
if(DEFINED ENV{EMSDK_PYTHON})
  string(APPEND _forkmunk_environment " \"EMSDK_PYTHON=$ENV{EMSDK_PYTHON}\"")
endif()
string(PREPEND _forkmunk_environment "env ")
if(NOT CMAKE_HOST_UNIX)
  string(PREPEND _forkmunk_environment "${CMAKE_COMMAND} -E ")
endif()
set_property(GLOBAL PROPERTY RULE_LAUNCH_COMPILE "${_forkmunk_environment}")
set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "${_forkmunk_environment}")
find_program(FORKMUNK_EMCC emcc REQUIRED)
get_filename_component(_forkmunk_emcc "${FORKMUNK_EMCC}" REALPATH)
get_filename_component(_forkmunk_emcc_dir "${_forkmunk_emcc}" DIRECTORY)
foreach(_forkmunk_root "$ENV{EMSDK}/upstream/emscripten" "${_forkmunk_emcc_dir}" /usr/share/emscripten)
  if(EXISTS "${_forkmunk_root}/cmake/Modules/Platform/Emscripten.cmake")
    include("${_forkmunk_root}/cmake/Modules/Platform/Emscripten.cmake")
    break()
  endif()
endforeach()
set(CMAKE_SYSTEM_PROCESSOR wasm32) # Emscripten would set x86
# With these exceptions clang 14 vectorises maps/src/random_map.cpp wrongly (the centre of an arc differs). The flags
# count only behind -O3, where directory options are.
add_compile_options(-fno-vectorize -fno-slp-vectorize)
# Pages load the messages of failed checks, which name files without the paths of the machine.
add_compile_options(-Wno-builtin-macro-redefined -D__FILE__=__FILE_NAME__)
# With WebAssembly's own exceptions a call that may throw is no call to JavaScript.
set(CMAKE_CXX_FLAGS_INIT "-fwasm-exceptions -include \"${CMAKE_CURRENT_LIST_DIR}/emscripten/missing_cxx20.h\"")
set(CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES "${CMAKE_CURRENT_LIST_DIR}/emscripten/include")
# Programs use node's file system, memory grows, destructors run, and the exit code is main()'s result.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fwasm-exceptions -sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1 -sEXIT_RUNTIME=1")
# Emscripten 3.1.6 mistakes node's fetch() for a browser's, and then files for URLs.
find_program(FORKMUNK_NODE NAMES node nodejs)
execute_process(COMMAND "${FORKMUNK_NODE}" --no-experimental-fetch -e "" RESULT_VARIABLE _forkmunk_refused OUTPUT_QUIET ERROR_QUIET)
set(CMAKE_CROSSCOMPILING_EMULATOR "${FORKMUNK_NODE}")
if(_forkmunk_refused EQUAL 0)
  list(APPEND CMAKE_CROSSCOMPILING_EMULATOR --no-experimental-fetch)
endif()
