# SPDX-License-Identifier: MIT
# forkmunk_need(<simdjson|fmt|ZLIB>) makes the library's usual targets, or stops with one line that names the remedy. It
# takes the system's library, or the one that a source distribution for Python carries in third_party (scripts/wheels).

set(_forkmunk_carried_default OFF)
if(SKBUILD) # option() does not take its value, a version, for ON
  set(_forkmunk_carried_default ON)
endif()
option(FORKMUNK_CARRIED_LIBRARIES "Use the libraries in third_party rather than the system's" ${_forkmunk_carried_default})

set(_forkmunk_carried_simdjson simdjson-3.0.1)
set(_forkmunk_carried_fmt fmt-9.1.0)
set(_forkmunk_carried_ZLIB zlib-1.2.13)
set(_forkmunk_package_simdjson libsimdjson-dev)
set(_forkmunk_package_fmt libfmt-dev)
set(_forkmunk_package_ZLIB zlib1g-dev)

function(_forkmunk_add_carried name folder)
  if(name STREQUAL "fmt") # header-only
    add_library(forkmunk_carried_fmt INTERFACE)
    target_include_directories(forkmunk_carried_fmt SYSTEM INTERFACE "${folder}/include")
    target_compile_definitions(forkmunk_carried_fmt INTERFACE FMT_HEADER_ONLY)
    add_library(fmt::fmt-header-only ALIAS forkmunk_carried_fmt)
    add_library(fmt::fmt ALIAS forkmunk_carried_fmt)
    return()
  endif()
  if(name STREQUAL "simdjson")
    add_library(forkmunk_carried_simdjson STATIC "${folder}/singleheader/simdjson.cpp")
    target_include_directories(forkmunk_carried_simdjson SYSTEM PUBLIC "${folder}/singleheader")
    target_compile_features(forkmunk_carried_simdjson PUBLIC cxx_std_20)
    add_library(simdjson::simdjson ALIAS forkmunk_carried_simdjson)
  else()
    file(GLOB sources "${folder}/*.c")
    add_library(forkmunk_carried_ZLIB STATIC ${sources})
    target_include_directories(forkmunk_carried_ZLIB SYSTEM PUBLIC "${folder}")
    target_compile_definitions(forkmunk_carried_ZLIB PRIVATE HAVE_UNISTD_H HAVE_STDARG_H)
    add_library(ZLIB::ZLIB ALIAS forkmunk_carried_ZLIB)
  endif()
  target_compile_options(forkmunk_carried_${name} PRIVATE -w)
  set_target_properties(forkmunk_carried_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF C_VISIBILITY_PRESET hidden)
endfunction()

macro(forkmunk_need name) # find_package() sets variables of its caller
  set(_forkmunk_folder "${PROJECT_SOURCE_DIR}/third_party/${_forkmunk_carried_${name}}")
  if(NOT FORKMUNK_CARRIED_LIBRARIES OR NOT EXISTS "${_forkmunk_folder}")
    find_package(${name} QUIET)
  endif()
  if(NOT ${name}_FOUND AND NOT TARGET forkmunk_carried_${name})
    if(NOT EXISTS "${_forkmunk_folder}")
      message(FATAL_ERROR "found no ${name}: install ${_forkmunk_package_${name}}, or pass -DCMAKE_PREFIX_PATH= with its folder")
    endif()
    _forkmunk_add_carried(${name} "${_forkmunk_folder}")
  endif()
endmacro()
