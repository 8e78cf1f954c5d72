# SPDX-License-Identifier: MIT
# Fetches, checks and unpacks sources of other projects when CMake configures.
#
# forkmunk_fetch_source(<out>
#   NAME <for messages> VERSION <version>
#   OVERRIDE <variable>          may name the user's unpacked source tree
#   PACKAGE <name=version>       Debian's source package
#   URL <url>                    the upstream archive, the same as Debian's
#   ARCHIVE_SHA256 <hash>
#   FOLDER <name>                top folder in the archive
#   SOURCES <pattern>...         files that TREE_SHA256 covers (names and contents, in sorted order)
#   TREE_SHA256 <hash>
#   MAY_LACK <folder>            a folder that an override need not have
#   UNPACK <pattern>...)
# Sets <out> to a checked source tree, or stops with an error. The tree that OVERRIDE names comes first, then
# third_party/FOLDER, which a release archive carries, then Debian's source package, and then the upstream archive. The
# last two are unpacked into FORKMUNK_DOWNLOAD_DIR, once for all presets.

include_guard(GLOBAL)

if(PROJECT_IS_TOP_LEVEL)
  set(_forkmunk_download_dir "${PROJECT_SOURCE_DIR}/build/downloads")
else()
  set(_forkmunk_download_dir "${PROJECT_BINARY_DIR}/downloads")
endif()
set(FORKMUNK_DOWNLOAD_DIR "${_forkmunk_download_dir}" CACHE PATH "Where fetched sources are kept")

function(_forkmunk_tree_hash folder patterns out)
  list(TRANSFORM patterns PREPEND "${folder}/")
  file(GLOB files RELATIVE "${folder}" ${patterns})
  list(SORT files)
  set(digest "")
  foreach(file IN LISTS files)
    file(SHA256 "${folder}/${file}" one)
    string(APPEND digest "${one}  ${file}\n")
  endforeach()
  string(SHA256 tree "${digest}")
  set(${out} "${tree}" PARENT_SCOPE)
endfunction()

# Sets <error>, which is "" if the archive has the checksum; removes a wrong archive.
function(_forkmunk_check_archive archive sha256 error)
  if(NOT EXISTS "${archive}")
    set(${error} "no archive arrived" PARENT_SCOPE)
    return()
  endif()
  file(SHA256 "${archive}" found)
  if(NOT found STREQUAL sha256)
    file(REMOVE "${archive}")
    set(${error} "the archive has SHA-256 ${found}, expected ${sha256}" PARENT_SCOPE)
    return()
  endif()
  set(${error} "" PARENT_SCOPE)
endfunction()

function(_forkmunk_fetch_with_apt package archive sha256 error)
  find_program(FORKMUNK_APT_GET apt-get)
  mark_as_advanced(FORKMUNK_APT_GET)
  if(NOT FORKMUNK_APT_GET)
    set(${error} "there is no apt-get on this machine" PARENT_SCOPE)
    return()
  endif()
  string(REPLACE "=" ";" name_and_version "${package}")
  execute_process(
    COMMAND sh "${PROJECT_SOURCE_DIR}/cmake/fetch_with_apt.sh" "${FORKMUNK_DOWNLOAD_DIR}" ${name_and_version}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  file(GLOB found "${FORKMUNK_DOWNLOAD_DIR}/apt/*.orig.tar.*")
  if(found)
    list(GET found 0 first)
    file(RENAME "${first}" "${archive}")
  endif()
  file(REMOVE_RECURSE "${FORKMUNK_DOWNLOAD_DIR}/apt")
  _forkmunk_check_archive("${archive}" ${sha256} checked)
  if(checked AND NOT result EQUAL 0)
    string(REGEX MATCH "[EW]: [^\n]*" first_problem "${output}")
    set(checked "apt-get failed: ${first_problem}")
  endif()
  set(${error} "${checked}" PARENT_SCOPE)
endfunction()

function(_forkmunk_fetch_from_upstream url archive sha256 error)
  file(DOWNLOAD "${url}" "${archive}" STATUS status TIMEOUT 120)
  list(GET status 0 code)
  list(GET status 1 text)
  if(NOT code EQUAL 0)
    file(REMOVE "${archive}")
    set(${error} "${url}: ${text}" PARENT_SCOPE)
    return()
  endif()
  _forkmunk_check_archive("${archive}" ${sha256} checked)
  set(${error} "${checked}" PARENT_SCOPE)
endfunction()

function(forkmunk_fetch_source out)
  cmake_parse_arguments(ARG "" "NAME;VERSION;OVERRIDE;PACKAGE;URL;ARCHIVE_SHA256;FOLDER;TREE_SHA256;MAY_LACK" "SOURCES;UNPACK" ${ARGN})
  set(title "${ARG_NAME} ${ARG_VERSION}")
  set(given "${${ARG_OVERRIDE}}")
  set(origin "${ARG_OVERRIDE}=${given}")
  if(NOT given AND EXISTS "${PROJECT_SOURCE_DIR}/third_party/${ARG_FOLDER}")
    set(given "${PROJECT_SOURCE_DIR}/third_party/${ARG_FOLDER}")
    set(origin "${given}")
  endif()
  if(given)
    _forkmunk_tree_hash("${given}" "${ARG_SOURCES}" found)
    if(NOT found STREQUAL ARG_TREE_SHA256)
      message(FATAL_ERROR "${origin} is not the released ${title}: its sources have SHA-256 ${found}, expected "
                          "${ARG_TREE_SHA256}. Pass -D${ARG_OVERRIDE}= with the root of an unpacked ${title}, or remove the folder to "
                          "have it fetched.")
    endif()
    set(${out} "${given}" PARENT_SCOPE)
    return()
  endif()

  set(folder "${FORKMUNK_DOWNLOAD_DIR}/${ARG_FOLDER}")
  if(EXISTS "${folder}")
    _forkmunk_tree_hash("${folder}" "${ARG_SOURCES}" found)
    if(found STREQUAL ARG_TREE_SHA256 AND EXISTS "${folder}/${ARG_MAY_LACK}")
      set(${out} "${folder}" PARENT_SCOPE)
      return()
    endif()
    message(STATUS "${ARG_NAME}: ${folder} was changed or is incomplete; unpacking it again")
    file(REMOVE_RECURSE "${folder}")
  endif()

  file(MAKE_DIRECTORY "${FORKMUNK_DOWNLOAD_DIR}")
  string(REGEX REPLACE "=.*" "" package "${ARG_PACKAGE}")
  set(archive_name "${package}_${ARG_VERSION}.orig.tar.gz")
  set(archive "${FORKMUNK_DOWNLOAD_DIR}/${archive_name}")
  _forkmunk_check_archive("${archive}" ${ARG_ARCHIVE_SHA256} kept_error)
  if(kept_error)
    message(STATUS "${ARG_NAME}: fetching the source of ${ARG_VERSION} (Debian's source package)")
    _forkmunk_fetch_with_apt(${ARG_PACKAGE} "${archive}" ${ARG_ARCHIVE_SHA256} apt_error)
    if(apt_error)
      message(STATUS "${ARG_NAME}: ${apt_error}; trying the upstream release archive")
      _forkmunk_fetch_from_upstream("${ARG_URL}" "${archive}" ${ARG_ARCHIVE_SHA256} upstream_error)
      if(upstream_error)
        message(FATAL_ERROR
          "${title} could not be fetched. Tried:\n"
          "  1. ${ARG_OVERRIDE}: not set\n"
          "  2. Debian's source package ${package}: ${apt_error}\n"
          "  3. the upstream release archive: ${upstream_error}\n"
          "What to do: go online and configure again; or put ${archive_name} (SHA-256 ${ARG_ARCHIVE_SHA256}) into "
          "${FORKMUNK_DOWNLOAD_DIR}; or unpack it anywhere and pass -D${ARG_OVERRIDE}=/path/to/${ARG_FOLDER}.")
      endif()
    endif()
  endif()
  file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${FORKMUNK_DOWNLOAD_DIR}" PATTERNS ${ARG_UNPACK})
  _forkmunk_tree_hash("${folder}" "${ARG_SOURCES}" found)
  if(NOT found STREQUAL ARG_TREE_SHA256)
    message(FATAL_ERROR "${ARG_NAME}: ${folder} has SHA-256 ${found} over its sources, expected ${ARG_TREE_SHA256}.")
  endif()
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()
