# SPDX-License-Identifier: MIT
# cmake -DSOURCE_DIR= -DBUILD_DIR= -DCXX_COMPILER= "-DBLOCKS=FILE|..." -P run_packages.cmake: installs the build and
# configures each block of CMake as a project.
cmake_minimum_required(VERSION 3.25)
string(REPLACE "|" ";" BLOCKS "${BLOCKS}")
list(LENGTH BLOCKS count)
if(count LESS 2)
  message(FATAL_ERROR "found ${count} blocks of CMake in the documents")
endif()
set(work "${BUILD_DIR}/tests/docs/packages")
file(REMOVE_RECURSE "${work}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${work}/prefix" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
foreach(block IN LISTS BLOCKS)
  get_filename_component(name "${block}" NAME_WE)
  file(READ "${block}" code)
  file(WRITE "${work}/${name}/my_game.cpp" "int main() {}\n")
  file(WRITE "${work}/${name}/CMakeLists.txt"
       "cmake_minimum_required(VERSION 3.25)\nproject(${name} LANGUAGES CXX)\nadd_executable(my_game my_game.cpp)\n${code}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${work}/${name}" -B "${work}/${name}/build" -G Ninja "-DCMAKE_PREFIX_PATH=${work}/prefix"
                          "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${work}/${name}/build" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endforeach()
