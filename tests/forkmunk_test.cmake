# SPDX-License-Identifier: MIT
# GoogleTest programs, one per module, whose tests have labels.
include(GoogleTest)

# Programs with tests of the presets quick and tsan.
add_custom_target(quick_tests)
add_custom_target(thread_tests)

# forkmunk_test_settings(<target> <optimised>): sets flags of programs and of precompiled headers.
function(forkmunk_test_settings target optimised)
  target_link_libraries(${target} PRIVATE GTest::gtest forkmunk_flags)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(${target} PRIVATE FORKMUNK_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
                             FORKMUNK_CARRIED_DATA="${PROJECT_SOURCE_DIR}/contest/formats/carried/data")
  if(FORKMUNK_SANITIZER)
    target_compile_definitions(${target} PRIVATE FORKMUNK_SANITIZED)
  endif()
  if(FORKMUNK_SANITIZER MATCHES "address")
    target_compile_definitions(${target} PRIVATE FORKMUNK_POISONS)
  endif()
  if(NOT optimised) # compiles in two thirds of the time
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()

# Precompiled headers save a third of the time to compile most tests. The program and the Python bindings gain little.
set(FORKMUNK_PRECOMPILED_DEFAULT OFF)
if(CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$" AND NOT CMAKE_CROSSCOMPILING)
  set(FORKMUNK_PRECOMPILED_DEFAULT ON)
endif()
option(FORKMUNK_PRECOMPILED_HEADERS "Precompile what most tests include" ${FORKMUNK_PRECOMPILED_DEFAULT})
# ccache needs -fpch-preprocess. gcc 12 warns of bounds inside of std::string from a precompiled header.
set(precompiled_options "")
foreach(option IN ITEMS -fpch-preprocess -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
  list(APPEND precompiled_options $<$<CXX_COMPILER_ID:GNU>:${option}>)
endforeach()
foreach(optimised IN ITEMS OFF ON)
  if(FORKMUNK_PRECOMPILED_HEADERS)
    set(holder forkmunk_test_headers_${optimised})
    file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${holder}.cpp" CONTENT "")
    add_library(${holder} OBJECT EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/${holder}.cpp")
    forkmunk_test_settings(${holder} ${optimised})
    target_link_libraries(${holder} PRIVATE forkmunk::engine forkmunk::cars forkmunk::maps)
    target_precompile_headers(${holder} PRIVATE <gtest/gtest.h> <algorithm> <chrono> <filesystem> <fstream> <functional> <map> <thread>
                              "${PROJECT_SOURCE_DIR}/tests/support/scenes.h")
    target_compile_options(${holder} PRIVATE ${precompiled_options})
  endif()
endforeach()

# forkmunk_test(<program>
#   LABELS <label>...       unit golden clone bad_input smoke consumer viewer; also slow (over 5 s), threads, no_asan
#   SOURCES <file>...       these files' tests have the labels ...
#   TESTS <pattern>...      ... or tests with these names (GoogleTest's patterns), whatever labels their files have
#   PROPERTIES <key value>...   properties of the tests, e.g. RUN_SERIAL ON
#   PREFIX <text>           a prefix of the tests' names
#   LIBRARIES <target>... PRIVATE_INCLUDES <folder>... OPTIMISED OWN_FLAGS) belong to the program
# The first call makes the program; more calls add files or labels. A new suite in a file gets the labels of the first
# call until CMake runs again. OPTIMISED: no -O1 in release builds, because it would hold for tested inline functions,
# too. OWN_FLAGS: the caller's flags fit no precompiled header.
function(forkmunk_test program)
  cmake_parse_arguments(ARG "OPTIMISED;OWN_FLAGS" "PREFIX" "LABELS;SOURCES;TESTS;PROPERTIES;LIBRARIES;PRIVATE_INCLUDES" ${ARGN})
  if(NOT TARGET ${program})
    forkmunk_test_program(${program} ${ARG_OPTIMISED} ${ARG_OWN_FLAGS})
    cmake_language(EVAL CODE "cmake_language(DEFER CALL forkmunk_discover_tests ${program})")
  endif()
  target_link_libraries(${program} PRIVATE ${ARG_LIBRARIES})
  target_include_directories(${program} PRIVATE ${ARG_PRIVATE_INCLUDES})
  if(ARG_LABELS MATCHES "unit|golden|bad_input") # as the preset quick filters
    add_dependencies(quick_tests ${program})
  endif()
  if("threads" IN_LIST ARG_LABELS)
    add_dependencies(thread_tests ${program})
    set_target_properties(${program} PROPERTIES FORKMUNK_HAS_THREADS ON)
  endif()

  set(suites "")
  foreach(source IN LISTS ARG_SOURCES)
    file(STRINGS "${source}" lines REGEX "^TEST(_F|_P)?\\(")
    if(lines AND NOT "threads" IN_LIST ARG_LABELS)
      set_property(TARGET ${program} APPEND PROPERTY FORKMUNK_WITHOUT_THREADS "${source}")
    else()
      target_sources(${program} PRIVATE "${source}")
    endif()
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^[A-Z_]+\\(([A-Za-z0-9_]+).*" "\\1" suite "${line}")
      list(APPEND suites "${suite}.*" "*/${suite}.*")
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES suites)
  get_property(count TARGET ${program} PROPERTY FORKMUNK_GROUPS)
  math(EXPR next "${count} + 1")
  set_target_properties(${program} PROPERTIES FORKMUNK_GROUPS ${next} FORKMUNK_SUITES_${count} "${suites}"
    FORKMUNK_NAMED_${count} "${ARG_TESTS}" FORKMUNK_PREFIX_${count} "${ARG_PREFIX}" FORKMUNK_LABELS_${count} "${ARG_LABELS}"
    FORKMUNK_PROPERTIES_${count} "${ARG_PROPERTIES}")
endfunction()

function(forkmunk_test_program program optimised own_flags)
  add_executable(${program})
  if(optimised OR own_flags)
    set(optimised ON)
  else()
    set(optimised OFF)
  endif()
  forkmunk_test_settings(${program} "${optimised}")
  target_link_libraries(${program} PRIVATE GTest::gtest_main)
  if(FORKMUNK_PRECOMPILED_HEADERS AND NOT own_flags)
    target_precompile_headers(${program} REUSE_FROM forkmunk_test_headers_${optimised})
    target_compile_options(${program} PRIVATE ${precompiled_options})
  endif()
  if(CMAKE_EXE_LINKER_FLAGS MATCHES "-static") # support/allocation_counter.h replaces functions of libc.a
    target_link_options(${program} PRIVATE LINKER:--allow-multiple-definition)
  endif()
  set_target_properties(${program} PROPERTIES FORKMUNK_GROUPS 0)
endfunction()

# Called at the end of a folder, when all groups exist.
function(forkmunk_discover_tests program)
  # The preset tsan builds only files with tests of threads, if a program has some.
  get_target_property(has_threads ${program} FORKMUNK_HAS_THREADS)
  get_target_property(others ${program} FORKMUNK_WITHOUT_THREADS)
  if(others AND NOT (has_threads AND FORKMUNK_SANITIZER STREQUAL "thread"))
    target_sources(${program} PRIVATE ${others})
  endif()
  get_property(count TARGET ${program} PROPERTY FORKMUNK_GROUPS)
  math(EXPR last "${count} - 1")
  set(named "")
  set(later_suites "")
  foreach(i RANGE ${last})
    get_property(tests TARGET ${program} PROPERTY FORKMUNK_NAMED_${i})
    list(APPEND named ${tests})
    if(i GREATER 0)
      get_property(suites TARGET ${program} PROPERTY FORKMUNK_SUITES_${i})
      list(APPEND later_suites ${suites})
    endif()
  endforeach()
  foreach(i RANGE ${last})
    foreach(key NAMED SUITES PREFIX LABELS PROPERTIES)
      get_property(${key} TARGET ${program} PROPERTY FORKMUNK_${key}_${i})
    endforeach()
    if(NAMED)
      set(wanted ${NAMED})
      set(others "")
    elseif(i EQUAL 0)
      set(wanted "*")
      set(others ${named} ${later_suites})
    else()
      set(wanted ${SUITES})
      set(others ${named})
    endif()
    list(JOIN wanted ":" filter)
    if(others)
      list(JOIN others ":" others)
      string(APPEND filter "-${others}")
    endif()
    # An argument would lose the list of labels.
    set(list ${program}_list_${i})
    gtest_discover_tests(${program} TEST_PREFIX "${PREFIX}" TEST_FILTER "${filter}" TEST_LIST ${list} NO_PRETTY_TYPES
                         NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 900)
    list(JOIN PROPERTIES " " properties)
    set(file "${CMAKE_CURRENT_BINARY_DIR}/${list}.cmake")
    file(CONFIGURE OUTPUT "${file}" CONTENT
         "if(${list})\n  set_tests_properties(\${${list}} PROPERTIES LABELS \"${LABELS}\" ${properties})\nendif()\n" @ONLY)
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${file}")
  endforeach()
endfunction()
