# Precompiled headers for what is ours alone: the program, the Python bindings, the tests. Not for the libraries, whose files
# must include what they use, and whose headers must compile alone (all_verify_interface_header_sets).
set(FORKMUNK_PRECOMPILED_DEFAULT OFF)
if(PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$" AND NOT CMAKE_CROSSCOMPILING)
  set(FORKMUNK_PRECOMPILED_DEFAULT ON)
endif()
option(FORKMUNK_PRECOMPILED_HEADERS "Precompile the headers of the program, the bindings and the tests" ${FORKMUNK_PRECOMPILED_DEFAULT})

# forkmunk_precompile(<target> PRIVATE <header>...), or forkmunk_precompile(<target> REUSE_FROM <target of the same flags>)
function(forkmunk_precompile target)
  if(FORKMUNK_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} ${ARGN})
    # ccache needs it to see which headers a precompiled one has in it.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  endif()
endfunction()

# forkmunk_precompiled_holder(<target> <header>...): a target that only has them, for others to REUSE_FROM.
function(forkmunk_precompiled_holder target)
  if(FORKMUNK_PRECOMPILED_HEADERS)
    file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp" CONTENT "")
    add_library(${target} OBJECT EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp")
    forkmunk_precompile(${target} PRIVATE ${ARGN})
  endif()
endfunction()
