# SPDX-License-Identifier: MIT
# vcpkg port of the libraries that need no other package: forkmunk::space, the contest's engine, and search.
# Install it as an overlay: vcpkg install forkmunk --overlay-ports=packaging/vcpkg, with FORKMUNK_ARCHIVE in the environment: the
# path of forkmunk-0.1.0.tar.gz (scripts/release makes it). It has Chipmunk's source, so nothing is downloaded.
# tests/packaging runs this file with stand-ins for vcpkg's functions, which build and install for real. Not run: vcpkg itself.
set(archive "$ENV{FORKMUNK_ARCHIVE}")
if(NOT EXISTS "${archive}")
  message(FATAL_ERROR "FORKMUNK_ARCHIVE is '${archive}', expected the path of forkmunk-${VERSION}.tar.gz")
endif()
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${archive}")
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DFORKMUNK_BUILD_PROGRAM=OFF -DFORKMUNK_BUILD_TESTS=OFF -DFORKMUNK_BUILD_SHARED=OFF -DFORKMUNK_BUILD_BENCHMARKS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/forkmunk)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/NOTICES.md"
                        "${SOURCE_PATH}/third_party/Chipmunk2D-Chipmunk-7.0.3/LICENSE.txt")
