# SPDX-License-Identifier: MIT
"""conan_recipe.py RECIPE FOLDER: runs the recipe's methods in the order of `conan create`, with stand-ins for the parts of Conan's
API that it imports, which unpack, build and install for real; the package is in FOLDER/package."""

import glob
import os
import runpy
import shutil
import subprocess
import sys
import tarfile
import types

recipe_path, folder = sys.argv[1:]


class Module(types.ModuleType):
    def __init__(self, name, **members):
        super().__init__(name)
        self.__dict__.update(members)
        sys.modules[name] = self


class ConanFile:
    def __init__(self):
        self.settings = types.SimpleNamespace(os="Linux", arch="x86_64", build_type="Release")
        self.source_folder, self.build_folder, self.package_folder = (os.path.join(folder, n) for n in ("source", "build", "package"))
        self.cpp_info = types.SimpleNamespace(set_property=lambda name, value: None)
        self.variables = {}


class CMakeToolchain:
    def __init__(self, recipe):
        self.recipe, self.cache_variables = recipe, {}

    def generate(self):
        self.recipe.variables = self.cache_variables


class CMake:
    def __init__(self, recipe):
        self.recipe = recipe

    def run(self, *arguments):
        subprocess.run(["cmake", *arguments], check=True)

    def configure(self):
        options = [f"-D{name}={'ON' if value else 'OFF'}" for name, value in self.recipe.variables.items()]
        self.run("-S", self.recipe.source_folder, "-B", self.recipe.build_folder, "-DCMAKE_BUILD_TYPE=Release",
                 f"-DCMAKE_INSTALL_PREFIX={self.recipe.package_folder}", "-DCMAKE_INSTALL_LIBDIR=lib", *options)

    def build(self):
        self.run("--build", self.recipe.build_folder, "--parallel", str(os.cpu_count()))

    def install(self):
        self.run("--install", self.recipe.build_folder)


def unzip(recipe, archive, strip_root):
    with tarfile.open(archive) as files:
        files.extractall(folder)
    os.rename(*glob.glob(os.path.join(folder, "forkmunk-*")), recipe.source_folder)


def copy(recipe, pattern, source, destination):
    found = glob.glob(os.path.join(source, pattern))
    assert found, pattern
    for file in found:
        target = os.path.join(destination, os.path.relpath(file, source))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(file, target)


Module("conan", ConanFile=ConanFile)
Module("conan.errors", ConanInvalidConfiguration=type("ConanInvalidConfiguration", (Exception,), {}))
Module("conan.tools")
Module("conan.tools.build", check_min_cppstd=lambda recipe, standard: None)
Module("conan.tools.cmake", CMake=CMake, CMakeToolchain=CMakeToolchain, cmake_layout=lambda recipe, src_folder: None)
Module("conan.tools.files", copy=copy, rmdir=lambda recipe, path: shutil.rmtree(path, ignore_errors=True), unzip=unzip)

os.makedirs(folder)
recipe = runpy.run_path(recipe_path)["Forkmunk"]()
for method in ("validate", "layout", "source", "generate", "build", "package", "package_info"):
    getattr(recipe, method)()
assert all(os.path.isdir(os.path.join(recipe.package_folder, path)) for path in recipe.cpp_info.builddirs)
assert os.path.exists(os.path.join(recipe.package_folder, "licenses", "LICENSE"))
