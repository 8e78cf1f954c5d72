# SPDX-License-Identifier: MIT
"""The version, which CMakeLists.txt has; scripts/test_pip tests what pip builds, for which packages come from PyPI."""

import json
import re

import pytest

import forkmunk
from conftest import ROOT

VERSION = re.search(r"project\(forkmunk VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def found_in(name, pattern):
    found = re.search(pattern, (ROOT / name).read_text(), re.MULTILINE)
    return found and found[1]


@pytest.mark.parametrize("name, pattern", [
    ("CITATION.cff", r"^version: (.*)$"),
    ("packaging/debian/changelog", r"\Aforkmunk \((.*)-\d+\)"),
    ("packaging/conan/conanfile.py", r'^    version = "(.*)"$'),
    ("CHANGELOG.md", r"^## ([0-9.]+)"),
])
def test_files_that_cannot_read_the_version_have_it(name, pattern):
    assert found_in(name, pattern) == VERSION


@pytest.mark.parametrize("name", ["bindings/js/package.json", "packaging/vcpkg/vcpkg.json"])
def test_packages_of_other_languages_have_the_version(name):
    assert json.loads((ROOT / name).read_text())["version"] == VERSION


def test_the_package_reads_the_version():
    assert forkmunk.__version__ == VERSION


def test_both_projects_need_the_same_packages():
    pattern = r"^requires = (\[.*?\])"
    assert found_in("pyproject.toml", pattern) == found_in("bindings/python/pyproject.toml", pattern) is not None
