# Gets Chipmunk2D 7.0.3 in source form, checks it, and builds it (cmake/ChipmunkBuild.cmake).
#
# Where the source comes from, in this order:
#   1. FORKMUNK_CHIPMUNK_SOURCE_DIR, an unpacked source tree of the user's;
#   2. Debian's source package, through apt (with lists and state of its own: the system's stay as they are);
#   3. the upstream release archive.
# Ways 2 and 3 unpack into FORKMUNK_DOWNLOAD_DIR, once for all presets: configuring again needs no network. Inside another
# project it is in the build folder: our source is not ours to write then.
# Whatever the way, the sorted .c and .h files must have the SHA-256 in cmake/chipmunk/source.sha256.

set(FORKMUNK_CHIPMUNK_SOURCE_DIR "" CACHE PATH "Unpacked source of Chipmunk2D 7.0.3 (empty: fetch it)")
if(PROJECT_IS_TOP_LEVEL)
  set(_forkmunk_download_dir "${PROJECT_SOURCE_DIR}/build/downloads")
else()
  set(_forkmunk_download_dir "${PROJECT_BINARY_DIR}/downloads")
endif()
set(FORKMUNK_DOWNLOAD_DIR "${_forkmunk_download_dir}" CACHE PATH "Where fetched sources are kept")

set(_forkmunk_chipmunk_archive_sha256 1e6f093812d6130e45bdf4cb80280cb3c93d1e1833d8cf989d554d7963b7899a)
set(_forkmunk_chipmunk_upstream_url
    "https://github.com/slembcke/Chipmunk2D/archive/refs/tags/Chipmunk-7.0.3.tar.gz")

# Sets <out> to one SHA-256 over the names and contents of the source's .c and .h files, in sorted order.
function(_forkmunk_chipmunk_tree_hash source_dir out)
  file(GLOB files RELATIVE "${source_dir}" "${source_dir}/src/*.c" "${source_dir}/src/*.h"
       "${source_dir}/include/chipmunk/*.h")
  list(SORT files)
  set(digest "")
  foreach(file IN LISTS files)
    file(SHA256 "${source_dir}/${file}" one)
    string(APPEND digest "${one}  ${file}\n")
  endforeach()
  string(SHA256 tree "${digest}")
  set(${out} "${tree}" PARENT_SCOPE)
endfunction()

# Runs one way of fetching the archive; leaves it in FORKMUNK_DOWNLOAD_DIR and sets <error> to "" if its checksum is right.
function(_forkmunk_chipmunk_check_archive archive error)
  if(NOT EXISTS "${archive}")
    set(${error} "no archive arrived" PARENT_SCOPE)
    return()
  endif()
  file(SHA256 "${archive}" found)
  if(NOT found STREQUAL _forkmunk_chipmunk_archive_sha256)
    file(REMOVE "${archive}")
    set(${error} "the archive has SHA-256 ${found}, expected ${_forkmunk_chipmunk_archive_sha256}" PARENT_SCOPE)
    return()
  endif()
  set(${error} "" PARENT_SCOPE)
endfunction()

function(_forkmunk_chipmunk_from_apt archive error)
  find_program(FORKMUNK_APT_GET apt-get)
  mark_as_advanced(FORKMUNK_APT_GET)
  if(NOT FORKMUNK_APT_GET)
    set(${error} "there is no apt-get on this machine" PARENT_SCOPE)
    return()
  endif()
  execute_process(
    COMMAND sh "${PROJECT_SOURCE_DIR}/cmake/chipmunk/fetch_with_apt.sh" "${FORKMUNK_DOWNLOAD_DIR}"
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  file(GLOB found "${FORKMUNK_DOWNLOAD_DIR}/apt/chipmunk_7.0.3.orig.tar.*")
  if(found)
    list(GET found 0 first)
    file(RENAME "${first}" "${archive}")
  endif()
  file(REMOVE_RECURSE "${FORKMUNK_DOWNLOAD_DIR}/apt")
  _forkmunk_chipmunk_check_archive("${archive}" checked)
  if(checked AND NOT result EQUAL 0)
    string(REGEX MATCH "[EW]: [^\n]*" first_problem "${output}")
    set(checked "apt-get failed: ${first_problem}")
  endif()
  set(${error} "${checked}" PARENT_SCOPE)
endfunction()

function(_forkmunk_chipmunk_from_upstream archive error)
  file(DOWNLOAD "${_forkmunk_chipmunk_upstream_url}" "${archive}" STATUS status TIMEOUT 120)
  list(GET status 0 code)
  list(GET status 1 text)
  if(NOT code EQUAL 0)
    file(REMOVE "${archive}")
    set(${error} "${_forkmunk_chipmunk_upstream_url}: ${text}" PARENT_SCOPE)
    return()
  endif()
  _forkmunk_chipmunk_check_archive("${archive}" checked)
  set(${error} "${checked}" PARENT_SCOPE)
endfunction()

# Sets <out> to a checked source tree, or stops with what was tried and what to do.
function(_forkmunk_chipmunk_source out)
  file(READ "${PROJECT_SOURCE_DIR}/cmake/chipmunk/source.sha256" expected)
  string(STRIP "${expected}" expected)

  if(FORKMUNK_CHIPMUNK_SOURCE_DIR)
    if(NOT EXISTS "${FORKMUNK_CHIPMUNK_SOURCE_DIR}/src/cpSpaceStep.c")
      message(FATAL_ERROR "FORKMUNK_CHIPMUNK_SOURCE_DIR=${FORKMUNK_CHIPMUNK_SOURCE_DIR} holds no src/cpSpaceStep.c: "
                          "name the root of an unpacked Chipmunk2D 7.0.3, or leave it empty to have it fetched.")
    endif()
    _forkmunk_chipmunk_tree_hash("${FORKMUNK_CHIPMUNK_SOURCE_DIR}" found)
    if(NOT found STREQUAL expected)
      message(FATAL_ERROR "FORKMUNK_CHIPMUNK_SOURCE_DIR=${FORKMUNK_CHIPMUNK_SOURCE_DIR} is not the released Chipmunk2D 7.0.3: "
                          "its sources have SHA-256 ${found}, expected ${expected}.")
    endif()
    set(${out} "${FORKMUNK_CHIPMUNK_SOURCE_DIR}" PARENT_SCOPE)
    return()
  endif()

  set(source_dir "${FORKMUNK_DOWNLOAD_DIR}/Chipmunk2D-Chipmunk-7.0.3")
  if(EXISTS "${source_dir}/src/cpSpaceStep.c")
    _forkmunk_chipmunk_tree_hash("${source_dir}" found)
    if(found STREQUAL expected AND EXISTS "${source_dir}/demo")
      set(${out} "${source_dir}" PARENT_SCOPE)
      return()
    endif()
    message(STATUS "Chipmunk: ${source_dir} was changed, or has no demos; unpacking it again")
    file(REMOVE_RECURSE "${source_dir}")
  endif()

  file(MAKE_DIRECTORY "${FORKMUNK_DOWNLOAD_DIR}")
  set(archive "${FORKMUNK_DOWNLOAD_DIR}/chipmunk_7.0.3.orig.tar.gz")
  _forkmunk_chipmunk_check_archive("${archive}" kept_error)
  if(kept_error)
    message(STATUS "Chipmunk: fetching the source of 7.0.3 (Debian's source package)")
    _forkmunk_chipmunk_from_apt("${archive}" apt_error)
    if(apt_error)
      message(STATUS "Chipmunk: ${apt_error}; trying the upstream release archive")
      _forkmunk_chipmunk_from_upstream("${archive}" upstream_error)
      if(upstream_error)
        message(FATAL_ERROR
          "Chipmunk2D 7.0.3 could not be fetched. Tried:\n"
          "  1. FORKMUNK_CHIPMUNK_SOURCE_DIR: not set\n"
          "  2. Debian's source package chipmunk: ${apt_error}\n"
          "  3. the upstream release archive: ${upstream_error}\n"
          "What to do: go online and configure again; or put chipmunk_7.0.3.orig.tar.gz "
          "(SHA-256 ${_forkmunk_chipmunk_archive_sha256}) into ${FORKMUNK_DOWNLOAD_DIR}; or unpack it anywhere and pass "
          "-DFORKMUNK_CHIPMUNK_SOURCE_DIR=/path/to/Chipmunk2D-Chipmunk-7.0.3.")
      endif()
    endif()
  endif()
  file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${FORKMUNK_DOWNLOAD_DIR}"
       PATTERNS "*/src/*" "*/include/*" "*/demo/*.c" "*/demo/*.h" "*/LICENSE.txt")
  _forkmunk_chipmunk_tree_hash("${source_dir}" found)
  if(NOT found STREQUAL expected)
    message(FATAL_ERROR "Chipmunk: ${source_dir} has SHA-256 ${found} over its sources, expected ${expected}.")
  endif()
  set(${out} "${source_dir}" PARENT_SCOPE)
endfunction()

_forkmunk_chipmunk_source(FORKMUNK_CHIPMUNK_DIR)
include(ChipmunkBuild)
add_subdirectory("${PROJECT_SOURCE_DIR}/cmake/chipmunk" "${PROJECT_BINARY_DIR}/chipmunk_builds")
