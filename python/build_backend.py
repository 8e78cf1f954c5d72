"""What pip calls (PEP 517): builds the package with CMake, in build/wheel of the project, and zips it into a wheel.

The standard library alone, so that no build needs a network. CMAKE_ARGS in the environment goes to CMake.
"""

import base64
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
BUILD = PROJECT / "build" / "wheel"
NAME, VERSION = "forkmunk", "0.1.0"
METADATA = f"""Metadata-Version: 2.1
Name: {NAME}
Version: {VERSION}
Summary: Chipmunk worlds that fork: exact, clonable physics for planners, learners and game bots
Requires-Python: >=3.9
Requires-Dist: numpy
"""


def _tag():
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    version = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    return f"{version}-{version}-{platform}"


def _page():
    """The replay page of a build that has one: making it here would ask npm, and so the network."""
    pages = [page for page in PROJECT.glob("build/*/viewer/viewer.html") if page.stat().st_size > 0]
    return max(pages, key=lambda page: page.stat().st_mtime, default=None)


def _build():
    if not (PROJECT / "CMakeLists.txt").exists():
        sys.exit(f"forkmunk: found no CMakeLists.txt in {PROJECT}, expected the whole project around python/")
    page = _page()
    configure = ["cmake", "-S", str(PROJECT), "-B", str(BUILD), "-DCMAKE_BUILD_TYPE=Release",
                 f"-DPython_EXECUTABLE={sys.executable}", "-DFORKMUNK_BUILD_PYTHON=ON", "-DFORKMUNK_BUILD_TESTS=OFF",
                 "-DFORKMUNK_BUILD_BENCHMARKS=OFF", "-DFORKMUNK_BUILD_VIEWER=OFF", "-DFORKMUNK_MPI=OFF",
                 f"-DFORKMUNK_VIEWER_PAGE={page or ''}"]
    if shutil.which("ninja") and not (BUILD / "CMakeCache.txt").exists():
        configure += ["-G", "Ninja"]
    subprocess.run(configure + shlex.split(os.environ.get("CMAKE_ARGS", "")), check=True)
    subprocess.run(["cmake", "--build", str(BUILD), "--target", "forkmunk_python_package", "--parallel"], check=True)
    return BUILD / "python" / NAME


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package, info = _build(), f"{NAME}-{VERSION}.dist-info"
    name = f"{NAME}-{VERSION}-{_tag()}.whl"
    record = []

    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:

        def add(path, data, mode=0o644):
            entry = zipfile.ZipInfo(path)
            entry.external_attr, entry.compress_type = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(data)}")

        for file in sorted(package.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                add(f"{NAME}/{file.relative_to(package)}", file.read_bytes(), 0o755 if os.access(file, os.X_OK) else 0o644)
        for text in ("LICENSE", "NOTICES.md"):
            add(f"{info}/{text}", (PROJECT / text).read_bytes())
        add(f"{info}/METADATA", METADATA.encode())
        add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode())
        add(f"{info}/entry_points.txt", b"[console_scripts]\nforkmunk = forkmunk.__main__:main\n")
        wheel.writestr(f"{info}/RECORD", "\n".join(record) + f"\n{info}/RECORD,,\n")
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("forkmunk has no source distribution of python/ alone: install from the project's folder")
