# SPDX-License-Identifier: MIT
# Installs shared libraries, pkg-config files and licences.

# forkmunk_install_shared(<name>) installs target forkmunk_<name>_shared, as component <name>_shared of the package.
# CMake refuses to link a program with both the archives and the library: each would have its own allocator and function
# names.
function(forkmunk_install_shared name)
  set(target forkmunk_${name}_shared)
  set_property(TARGET forkmunk_base ${target} APPEND PROPERTY COMPATIBLE_INTERFACE_STRING FORKMUNK_TAKEN_FROM)
  set_property(TARGET forkmunk_base PROPERTY INTERFACE_FORKMUNK_TAKEN_FROM archives)
  set_property(TARGET ${target} PROPERTY INTERFACE_FORKMUNK_TAKEN_FROM shared_library)
  if(FORKMUNK_INSTALL)
    target_include_directories(${target} INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
    install(TARGETS ${target} EXPORT forkmunk-${name}_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT forkmunk-${name}_shared NAMESPACE forkmunk:: FILE forkmunk-${name}_shared.cmake
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/forkmunk)
    set_property(GLOBAL APPEND PROPERTY FORKMUNK_COMPONENTS ${name}_shared)
    set_property(GLOBAL APPEND PROPERTY FORKMUNK_SHARED_MODULES ${name})
  endif()
endfunction()

# Sets <out> to <name> and its dependencies, bottom-up. DEPENDS: only modules whose headers its headers include.
function(_forkmunk_closure out name)
  cmake_parse_arguments(ARG "DEPENDS" "" "" ${ARGN})
  set(found "")
  set(open ${name})
  while(open)
    list(POP_FRONT open one)
    if(NOT one IN_LIST found)
      list(APPEND found ${one})
      get_property(below GLOBAL PROPERTY FORKMUNK_DEPENDS_${one})
      list(APPEND open ${below})
      if(NOT ARG_DEPENDS)
        get_property(below GLOBAL PROPERTY FORKMUNK_USES_${one})
        list(APPEND open ${below})
      endif()
    endif()
  endwhile()
  # Modules are added bottom-up.
  get_property(components GLOBAL PROPERTY FORKMUNK_COMPONENTS)
  list(REVERSE components)
  set(sorted "")
  foreach(component IN LISTS components)
    if(component IN_LIST found)
      list(APPEND sorted ${component})
    endif()
  endforeach()
  set(${out} ${sorted} PARENT_SCOPE)
endfunction()

# pkg-config's names for the modules' find_package() dependencies.
set(_forkmunk_pc_simdjson "simdjson")
set(_forkmunk_pc_ZLIB "zlib")

# Writes and installs forkmunk-<name>.pc for the archives, or with SHARED forkmunk-<name>_shared.pc. Paths are relative
# to its own, so the prefix may be chosen when installing.
function(_forkmunk_install_pkg_config name)
  cmake_parse_arguments(ARG "SHARED" "" "" ${ARGN})
  _forkmunk_closure(headers ${name} DEPENDS)
  set(cflags "-I\${includedir}")
  foreach(module IN LISTS headers)
    if(module STREQUAL chipmunk)
      string(APPEND cflags " -isystem \${includedir}/forkmunk/chipmunk/chipmunk_headers")
    endif()
    if(module STREQUAL space_single)
      string(APPEND cflags " -isystem \${includedir}/forkmunk/chipmunk/single_headers")
    endif()
    get_target_property(definitions forkmunk_${module} INTERFACE_COMPILE_DEFINITIONS)
    foreach(definition IN LISTS definitions)
      if(definition)
        string(APPEND cflags " -D${definition}")
      endif()
    endforeach()
  endforeach()

  _forkmunk_closure(archives ${name})
  set(libraries "")
  set(requires "")
  get_property(shared GLOBAL PROPERTY FORKMUNK_SHARED_MODULES)
  foreach(module IN LISTS archives)
    if(module IN_LIST shared) # -l would link the shared library
      string(APPEND libraries " \${libdir}/${CMAKE_STATIC_LIBRARY_PREFIX}forkmunk_${module}${CMAKE_STATIC_LIBRARY_SUFFIX}")
    else()
      string(APPEND libraries " -lforkmunk_${module}")
    endif()
    get_property(packages GLOBAL PROPERTY FORKMUNK_PACKAGES_${module})
    foreach(package IN LISTS packages)
      if(package STREQUAL Threads)
        string(APPEND cflags " -pthread")
        string(APPEND libraries " -pthread")
      else()
        list(APPEND requires ${_forkmunk_pc_${package}})
      endif()
    endforeach()
  endforeach()
  if("chipmunk" IN_LIST archives OR "space_single" IN_LIST archives)
    string(APPEND libraries " -lm")
  endif()
  list(REMOVE_DUPLICATES requires)
  list(JOIN requires " " requires)
  if(requires)
    string(PREPEND requires "Requires: ")
    string(APPEND requires "\n")
  endif()
  set(private_libraries " -lstdc++")
  set(file_name "forkmunk-${name}")
  if(ARG_SHARED) # the library contains the rest
    set(libraries " -lforkmunk_${name}")
    set(private_libraries "")
    set(requires "")
    string(APPEND file_name "_shared")
  endif()

  cmake_path(IS_ABSOLUTE CMAKE_INSTALL_LIBDIR absolute)
  if(absolute)
    set(prefix "${CMAKE_INSTALL_PREFIX}")
    set(libdir "${CMAKE_INSTALL_LIBDIR}")
  else()
    file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
    string(REGEX REPLACE "/$" "" up "${up}")
    set(prefix "\${pcfiledir}/${up}")
    set(libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  endif()
  cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_INCLUDEDIR BASE_DIRECTORY "\${prefix}" OUTPUT_VARIABLE includedir)
  set(file "${PROJECT_BINARY_DIR}/pkgconfig/${file_name}.pc")
  file(WRITE "${file}.new" "prefix=${prefix}
libdir=${libdir}
includedir=${includedir}

Name: ${file_name}
Description: ${PROJECT_DESCRIPTION} (component ${name})
Version: ${PROJECT_VERSION}
${requires}Cflags: ${cflags}
Libs: -L\${libdir}${libraries}
Libs.private:${private_libraries}
")
  configure_file("${file}.new" "${file}" COPYONLY)
  install(FILES "${file}" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

function(forkmunk_install_pkg_config_files)
  get_property(components GLOBAL PROPERTY FORKMUNK_COMPONENTS)
  foreach(component IN LISTS components)
    if(component MATCHES "^(.+)_shared$")
      _forkmunk_install_pkg_config(${CMAKE_MATCH_1} SHARED)
    else()
      _forkmunk_install_pkg_config(${component})
    endif()
  endforeach()
endfunction()

# Other projects' parts are inside Forkmunk's libraries.
function(forkmunk_install_licences)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/NOTICES.md" DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/LICENSES" DESTINATION ${CMAKE_INSTALL_DOCDIR})
endfunction()
