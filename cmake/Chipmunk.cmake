# SPDX-License-Identifier: MIT
# Gets Chipmunk2D 7.0.3 in source form, checks it, and builds it (cmake/ChipmunkBuild.cmake).

include(FetchedSource)

set(FORKMUNK_CHIPMUNK_SOURCE_DIR "" CACHE PATH "Unpacked source of Chipmunk2D 7.0.3 (empty: fetch it)")
file(READ "${PROJECT_SOURCE_DIR}/cmake/chipmunk/source.sha256" _forkmunk_chipmunk_sha256)
string(STRIP "${_forkmunk_chipmunk_sha256}" _forkmunk_chipmunk_sha256)
forkmunk_fetch_source(FORKMUNK_CHIPMUNK_DIR
  NAME Chipmunk2D VERSION 7.0.3
  OVERRIDE FORKMUNK_CHIPMUNK_SOURCE_DIR
  PACKAGE chipmunk=7.0.3-5
  URL https://github.com/slembcke/Chipmunk2D/archive/refs/tags/Chipmunk-7.0.3.tar.gz
  ARCHIVE_SHA256 1e6f093812d6130e45bdf4cb80280cb3c93d1e1833d8cf989d554d7963b7899a
  FOLDER Chipmunk2D-Chipmunk-7.0.3
  SOURCES src/*.c src/*.h include/chipmunk/*.h
  TREE_SHA256 ${_forkmunk_chipmunk_sha256}
  MAY_LACK demo
  UNPACK */src/* */include/* */demo/*.c */demo/*.h */LICENSE.txt)
include(ChipmunkBuild)
add_subdirectory("${PROJECT_SOURCE_DIR}/cmake/chipmunk" "${PROJECT_BINARY_DIR}/chipmunk_builds")
