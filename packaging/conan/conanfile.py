# SPDX-License-Identifier: MIT
"""Conan 2 recipe of the libraries that need no other package: forkmunk::space, the contest's engine, and search.

    conan create packaging/conan -s compiler.cppstd=20

with FORKMUNK_ARCHIVE in the environment: the path of forkmunk-0.1.0.tar.gz, from scripts/release or `scripts/wheels --sdist`.
Chipmunk's source is in it, so nothing is downloaded. `scripts/test --stage programs` runs this.
"""

import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, rmdir, unzip


class Forkmunk(ConanFile):
    name = "forkmunk"
    version = "0.1.0"
    license = "MIT"
    description = "Chipmunk2D scenes that fork: exact, clonable 2D physics"
    topics = ("physics", "determinism", "rollback", "chipmunk2d")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.os not in ("Linux", "Macos"):
            raise ConanInvalidConfiguration("forkmunk's packages are for Linux and macOS")

    def layout(self):
        cmake_layout(self, src_folder="source")

    def source(self):
        archive = os.environ.get("FORKMUNK_ARCHIVE", "")
        if not os.path.isfile(archive):
            raise ConanInvalidConfiguration(f"FORKMUNK_ARCHIVE is {archive!r}, expected the path of forkmunk-{self.version}.tar.gz")
        unzip(self, archive, strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for option in ("PROGRAM", "TESTS", "SHARED", "BENCHMARKS"):
            toolchain.cache_variables[f"FORKMUNK_BUILD_{option}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        for text in ("LICENSE", "NOTICES.md", "third_party/*/LICENSE.txt"):
            copy(self, text, self.source_folder, os.path.join(self.package_folder, "licenses"))
        rmdir(self, os.path.join(self.package_folder, "share"))

    def package_info(self):
        # Programs find the project's own CMake package: find_package(forkmunk).
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "forkmunk")]
