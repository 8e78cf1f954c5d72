# SPDX-License-Identifier: MIT

include(CMakePackageConfigHelpers)

# Chipmunk's targets do not get these flags (cmake/chipmunk/).
add_library(forkmunk_flags INTERFACE)
target_compile_features(forkmunk_flags INTERFACE cxx_std_20)
# The later flag wins, so inherited flags do not change the bits. gcc 12.2 fuses in vectorised loops in spite of
# -ffp-contract=off (PR 107647). A program linked with fast-math would flush denormal numbers to zero.
target_compile_options(forkmunk_flags INTERFACE -fno-fast-math -ffp-contract=off -fno-tree-vectorize -Wall -Wextra -Wconversion
                       -Wno-sign-conversion -Wshadow -Wnon-virtual-dtor)
target_link_options(forkmunk_flags INTERFACE -fno-fast-math)
if(FORKMUNK_WARNINGS_AS_ERRORS)
  target_compile_options(forkmunk_flags INTERFACE -Werror)
endif()
# Another project's -Werror must not apply.
if(NOT PROJECT_IS_TOP_LEVEL)
  target_compile_options(forkmunk_flags INTERFACE -w)
  set_directory_properties(PROPERTIES SYSTEM ON)
endif()
if(FORKMUNK_SANITIZER)
  set(FORKMUNK_SANITIZER_FLAGS -fsanitize=${FORKMUNK_SANITIZER} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # Fuzz targets link only modules, and other code compiles faster without libFuzzer's counters.
  string(REPLACE ",fuzzer-no-link" "" without_counters "${FORKMUNK_SANITIZER_FLAGS}")
  target_compile_options(forkmunk_flags INTERFACE ${without_counters})
  # libFuzzer looks at compared numbers only where they are parts of the input: elsewhere that takes a third of the
  # time.
  if(FORKMUNK_SANITIZER MATCHES "fuzzer-no-link")
    list(APPEND FORKMUNK_SANITIZER_FLAGS -fno-sanitize-coverage=trace-cmp)
  endif()
  target_link_options(forkmunk_flags INTERFACE -fsanitize=${FORKMUNK_SANITIZER})
  find_program(FORKMUNK_LLD ld.lld)
  mark_as_advanced(FORKMUNK_LLD)
  if(FORKMUNK_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang") # faster for large programs
    target_link_options(forkmunk_flags INTERFACE -fuse-ld=lld)
  endif()
endif()

# Modules may become parts of libforkmunk_space.so and of users' shared libraries. On WebAssembly each address would
# cost more. No library replaces single functions of Forkmunk's, so gcc may inline them.
set(FORKMUNK_POSITION_INDEPENDENT ON)
target_compile_options(forkmunk_flags INTERFACE -fno-semantic-interposition)
if(EMSCRIPTEN)
  set(FORKMUNK_POSITION_INDEPENDENT OFF)
endif()

# forkmunk_part(<name> USES <module or part>...) declares a part that is not installed, whose headers are included by
# path. tests/architecture reads USES, what its files may include.
function(forkmunk_part name)
endfunction()

# forkmunk_embed(<target> [<symbol> <file>]...) puts the bytes of files into a target, each from <symbol>_begin to
# <symbol>_end.
function(forkmunk_embed target)
  # Without the first section the linker makes the stack of the whole program executable.
  set(text "  .section .note.GNU-stack, \"\", %progbits\n  .section .rodata\n")
  while(ARGN)
    list(POP_FRONT ARGN symbol file)
    list(APPEND files "${file}")
    string(APPEND text "  .balign 16\n  .globl ${symbol}_begin\n${symbol}_begin:\n  .incbin \"${file}\"\n"
                       "  .globl ${symbol}_end\n${symbol}_end:\n  .byte 0\n")
  endwhile()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}_bytes.S")
  file(CONFIGURE OUTPUT "${source}" CONTENT "${text}" @ONLY)
  set_source_files_properties("${source}" PROPERTIES OBJECT_DEPENDS "${files}")
  # A target of its own, because the C++ flags do not apply to an assembler file.
  add_library(${target}_bytes OBJECT "${source}")
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_bytes>)
endfunction()

# forkmunk_module(<name>
#   SOURCES <file>...            under src/
#   HEADERS <file>...            under include/forkmunk/<name>/; each must compile alone
#   INTERNAL_HEADERS <file>...   in the same folder, not installed
#   DEPENDS <module>...          modules that this module's headers include
#   USES <module>...             modules that the sources include
#   PRIVATE_LIBRARIES <target>...
#   HEADER_ONLY_LIBRARIES <target>...   not for programs that link the module
#   PACKAGES <package>...)       that the installed module's programs need
function(forkmunk_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;HEADERS;INTERNAL_HEADERS;DEPENDS;USES;PRIVATE_LIBRARIES;HEADER_ONLY_LIBRARIES;PACKAGES" ${ARGN})
  set(target forkmunk_${name})
  add_library(${target} STATIC)
  add_library(forkmunk::${name} ALIAS ${target})
  list(TRANSFORM ARG_SOURCES PREPEND src/)
  list(TRANSFORM ARG_HEADERS PREPEND include/forkmunk/${name}/)
  list(TRANSFORM ARG_INTERNAL_HEADERS PREPEND include/forkmunk/${name}/)
  target_sources(${target} PRIVATE ${ARG_SOURCES})
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS include FILES ${ARG_HEADERS})
  if(ARG_INTERNAL_HEADERS)
    add_library(${target}_internal_headers INTERFACE)
    target_sources(${target}_internal_headers INTERFACE FILE_SET HEADERS BASE_DIRS include FILES ${ARG_INTERNAL_HEADERS})
    target_link_libraries(${target}_internal_headers INTERFACE ${target})
    set_target_properties(${target}_internal_headers PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  endif()
  target_include_directories(${target} PRIVATE src)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ${FORKMUNK_POSITION_INDEPENDENT}
                        VERIFY_INTERFACE_HEADER_SETS ON)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:forkmunk_flags> ${ARG_PRIVATE_LIBRARIES})
  # Tests of these would be too slow without optimisation, which asan and tsan leave out elsewhere to halve their build.
  if(CMAKE_CXX_FLAGS_RELWITHDEBINFO MATCHES "-O0" AND name MATCHES "^(base|arena_alloc|strict_math|chipmunk|space(_single)?|engine|search|planning|formats|io|replay)$")
    target_compile_options(${target} PRIVATE -O1)
  endif()
  if(FORKMUNK_SANITIZER MATCHES "fuzzer-no-link")
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    if(name MATCHES "^(base|arena_alloc|strict_math|chipmunk|space(_single)?|engine)$")
      target_compile_options(${target} PRIVATE -fno-sanitize-coverage=trace-cmp)
    endif()
  endif()
  foreach(library IN LISTS ARG_HEADER_ONLY_LIBRARIES)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${library}>)
  endforeach()
  # Prevents cycles.
  foreach(module IN LISTS ARG_DEPENDS ARG_USES)
    if(NOT TARGET forkmunk::${module})
      message(FATAL_ERROR "module ${name}: there is no module ${module} before it; add it earlier")
    endif()
  endforeach()
  foreach(module IN LISTS ARG_DEPENDS)
    target_link_libraries(${target} PUBLIC forkmunk::${module})
  endforeach()
  foreach(module IN LISTS ARG_USES)
    target_link_libraries(${target} PRIVATE forkmunk::${module})
  endforeach()
  if(FORKMUNK_INSTALL)
    install(TARGETS ${target} EXPORT forkmunk-${name} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
            FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT forkmunk-${name} NAMESPACE forkmunk:: FILE forkmunk-${name}.cmake
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/forkmunk)
    set_property(GLOBAL APPEND PROPERTY FORKMUNK_COMPONENTS ${name})
    set_property(GLOBAL PROPERTY FORKMUNK_DEPENDS_${name} ${ARG_DEPENDS})
    set_property(GLOBAL PROPERTY FORKMUNK_USES_${name} ${ARG_USES})
    set_property(GLOBAL PROPERTY FORKMUNK_PACKAGES_${name} ${ARG_PACKAGES})
  endif()
endfunction()

# Writes and installs the files for find_package(forkmunk [COMPONENTS ...]).
function(forkmunk_install_package)
  get_property(components GLOBAL PROPERTY FORKMUNK_COMPONENTS)
  set(component_lines "")
  foreach(component IN LISTS components)
    _forkmunk_closure(parts ${component})
    set(packages "")
    foreach(part IN LISTS parts)
      get_property(needed GLOBAL PROPERTY FORKMUNK_PACKAGES_${part})
      list(APPEND packages ${needed})
    endforeach()
    list(REMOVE_DUPLICATES packages)
    list(REVERSE parts)
    string(APPEND component_lines "set(_forkmunk_${component}_parts ${parts})\nset(_forkmunk_${component}_packages ${packages})\n")
  endforeach()
  set(destination ${CMAKE_INSTALL_LIBDIR}/cmake/forkmunk)
  configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/forkmunk-config.cmake.in"
    "${PROJECT_BINARY_DIR}/forkmunk-config.cmake" INSTALL_DESTINATION ${destination})
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/forkmunk-config-version.cmake" COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/forkmunk-config.cmake" "${PROJECT_BINARY_DIR}/forkmunk-config-version.cmake"
          DESTINATION ${destination})
  forkmunk_install_pkg_config_files()
  forkmunk_install_licences()
endfunction()
