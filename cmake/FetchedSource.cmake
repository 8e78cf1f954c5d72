# SPDX-License-Identifier: MIT
# forkmunk_fetch_source(<out>
#   NAME <for messages> VERSION <version>
#   OVERRIDE <variable>          may name the user's unpacked source tree
#   PACKAGE <name=version>       Debian's source package
#   URL <url>                    the upstream archive, the same as Debian's
#   ARCHIVE_SHA256 <hash>
#   FOLDER <name>                top folder in the archive
#   SOURCES <pattern>...         files that TREE_SHA256 covers (names and contents, in sorted order)
#   TREE_SHA256 <hash>
#   UNPACK <pattern>...)
# Sets <out> to a checked source tree (docs/dependencies.md has the origins), or stops with an error. A release archive
# carries third_party/FOLDER.

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
  set(${error} "no archive arrived" PARENT_SCOPE)
  if(EXISTS "${archive}")
    file(SHA256 "${archive}" found)
    if(found STREQUAL sha256)
      set(${error} "" PARENT_SCOPE)
    else()
      file(REMOVE "${archive}")
      set(${error} "the archive has SHA-256 ${found}, expected ${sha256}" PARENT_SCOPE)
    endif()
  endif()
endfunction()

function(forkmunk_fetch_source out)
  cmake_parse_arguments(ARG "" "NAME;VERSION;OVERRIDE;PACKAGE;URL;ARCHIVE_SHA256;FOLDER;TREE_SHA256" "SOURCES;UNPACK" ${ARGN})
  set(title "${ARG_NAME} ${ARG_VERSION}")
  set(folder "${${ARG_OVERRIDE}}")
  set(origin "${ARG_OVERRIDE}=${folder}")
  set(found ${ARG_TREE_SHA256}) # only a downloaded folder is replaced
  if(NOT folder AND EXISTS "${PROJECT_SOURCE_DIR}/third_party/${ARG_FOLDER}")
    set(folder "${PROJECT_SOURCE_DIR}/third_party/${ARG_FOLDER}")
    set(origin "${folder}")
  endif()
  if(NOT folder)
    set(folder "${FORKMUNK_DOWNLOAD_DIR}/${ARG_FOLDER}")
    set(origin "${folder}")
    _forkmunk_tree_hash("${folder}" "${ARG_SOURCES}" found)
  endif()
  if(NOT found STREQUAL ARG_TREE_SHA256)
    file(REMOVE_RECURSE "${folder}")
    string(REPLACE "=" ";" package "${ARG_PACKAGE}")
    list(GET package 0 name)
    set(archive "${FORKMUNK_DOWNLOAD_DIR}/${name}_${ARG_VERSION}.orig.tar.gz")
    _forkmunk_check_archive("${archive}" ${ARG_ARCHIVE_SHA256} error)
    if(error)
      message(STATUS "${ARG_NAME}: fetching the source of ${ARG_VERSION} (Debian's source package)")
      execute_process(COMMAND sh "${PROJECT_SOURCE_DIR}/cmake/fetch_with_apt.sh" "${archive}" ${package} OUTPUT_VARIABLE output ERROR_VARIABLE output)
      _forkmunk_check_archive("${archive}" ${ARG_ARCHIVE_SHA256} error)
    endif()
    if(error)
      string(REGEX MATCH "[EW]: [^\n]*" problem "${output}")
      set(apt_error "${error} ${problem}")
      message(STATUS "${ARG_NAME}: ${apt_error}; trying the upstream release archive")
      file(DOWNLOAD "${ARG_URL}" "${archive}" STATUS status TIMEOUT 120)
      _forkmunk_check_archive("${archive}" ${ARG_ARCHIVE_SHA256} error)
    endif()
    if(error)
      message(FATAL_ERROR
        "${title} could not be fetched. Tried:\n"
        "  1. ${ARG_OVERRIDE}: not set\n"
        "  2. Debian's source package ${name}: ${apt_error}\n"
        "  3. the upstream release archive ${ARG_URL}: ${error} (${status})\n"
        "What to do: go online and configure again; or make ${archive} (SHA-256 ${ARG_ARCHIVE_SHA256}); or unpack it "
        "anywhere and pass -D${ARG_OVERRIDE}=/path/to/${ARG_FOLDER}.")
    endif()
    file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${FORKMUNK_DOWNLOAD_DIR}" PATTERNS ${ARG_UNPACK})
  endif()
  _forkmunk_tree_hash("${folder}" "${ARG_SOURCES}" found)
  if(NOT found STREQUAL ARG_TREE_SHA256)
    message(FATAL_ERROR "${origin} is not the released ${title}: its sources have SHA-256 ${found}, expected ${ARG_TREE_SHA256}. Pass "
                        "-D${ARG_OVERRIDE}= with the root of an unpacked ${title}, or remove the folder to have it fetched.")
  endif()
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()
