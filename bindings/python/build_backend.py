"""What pip calls (PEP 517, PEP 660): builds the package with CMake, in build/wheel of the project, and zips it into a wheel.

The standard library alone, so that pip fetches nothing. CMAKE_ARGS in the environment goes to CMake.
"""

import base64
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
RELEASE = PROJECT / "scripts" / "release"
BUILD, EDITABLE = PROJECT / "build" / "wheel", PROJECT / "build" / "editable"
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


def _terminal():
    """The user's terminal, for progress: pip shows a build's output only when it fails. None where there is no terminal."""
    try:
        return open("/dev/tty", "w")
    except OSError:
        return None


def _run(command, terminal):
    """Runs a command; shows ninja's and make's counters on the terminal, and passes all output on to pip."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace") as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            if terminal is not None and re.match(r"\[ *\d+(/\d+|%)\]", line):
                print(f"\r\033[Kforkmunk: {line.strip():.70}", end="", file=terminal, flush=True)
    if terminal is not None:
        print("\r\033[K", end="", file=terminal, flush=True)
    if process.returncode:
        sys.exit(f"forkmunk: `{shlex.join(command)}` failed with exit code {process.returncode}; its output is above")


PAGE_SOURCES = ("CMakeLists.txt", "arena_alloc", "base", "cars", "chipmunk", "cmake", "engine", "contest", "maps", "search",
                "strict_math", "apps/viewer")


def _newest_source():
    """The time of the last change of what a page is made of."""
    files = [path for name in PAGE_SOURCES for path in (PROJECT / name, *(PROJECT / name).rglob("*")) if path.is_file()]
    return max((path.stat().st_mtime for path in files), default=0)


def _viewer_options():
    """CMake's options for the replay page, and what is missing if there will be none. A page that another build made
    since the last change of a source is used; else this build makes it, which takes node, npm (it fetches packages) and
    Emscripten."""
    if (PROJECT / "third_party" / "pages").exists():  # a release archive
        return ["-DFORKMUNK_BUILD_VIEWER=OFF"], []
    changed = _newest_source()
    pages = [page for page in PROJECT.glob("build/*/viewer/viewer.html")
             if page.stat().st_size > 0 and page.stat().st_mtime >= changed]
    if pages:
        page = max(pages, key=lambda path: path.stat().st_mtime)
        return ["-DFORKMUNK_BUILD_VIEWER=OFF", f"-DFORKMUNK_VIEWER_PAGE={page}"], []
    missing = [name for name in ("node", "npm", "em++") if not shutil.which(name)]
    return [f"-DFORKMUNK_BUILD_VIEWER={'OFF' if missing else 'ON'}", "-DFORKMUNK_VIEWER_PAGE="], missing


def _build():
    if not (PROJECT / "CMakeLists.txt").exists():
        sys.exit(f"forkmunk: {PROJECT} has no CMakeLists.txt: install from the folder bindings/python/ of the whole project")
    terminal, (viewer, missing) = _terminal(), _viewer_options()
    configure = ["cmake", "-S", str(PROJECT), "-B", str(BUILD), "-DCMAKE_BUILD_TYPE=Release",
                 f"-DPython_EXECUTABLE={sys.executable}", "-DFORKMUNK_BUILD_PYTHON=ON", "-DFORKMUNK_BUILD_TESTS=OFF",
                 "-DFORKMUNK_BUILD_BENCHMARKS=OFF", "-DFORKMUNK_MPI=OFF", "-DCMAKE_UNITY_BUILD=ON", *viewer]
    if shutil.which("ninja") and not (BUILD / "CMakeCache.txt").exists():
        configure += ["-G", "Ninja"]
    _run(configure + shlex.split(os.environ.get("CMAKE_ARGS", "")), terminal)
    _run(["cmake", "--build", str(BUILD), "--target", "forkmunk_python_package", "--parallel"], terminal)
    package = BUILD / "python" / NAME
    note = package / "no_page.txt"  # madcars.view() reports it
    if missing:
        note.write_text(f"this package was built without the replay page: {', '.join(missing)} not found; install them "
                        "(scripts/install_deps of the project), and install the package again")
        print(f"forkmunk: {note.read_text()}", file=terminal or sys.stderr)
    else:
        note.unlink(missing_ok=True)
    return package


def _info_files():
    texts = [PROJECT / "LICENSE", PROJECT / "NOTICES.md", *sorted((PROJECT / "LICENSES").iterdir())]
    return {**{f"licenses/{text.relative_to(PROJECT)}": text.read_bytes() for text in texts},
            "METADATA": METADATA.encode(),
            "WHEEL": f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode(),
            "entry_points.txt": b"[console_scripts]\nforkmunk = forkmunk.__main__:main\n"}


def _write_wheel(wheel_directory, files):
    """A wheel of files: {path: (bytes, mode)}."""
    info = f"{NAME}-{VERSION}.dist-info"
    name = f"{NAME}-{VERSION}-{_tag()}.whl"
    record = []
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, (data, mode) in {**files, **{f"{info}/{n}": (d, 0o644) for n, d in _info_files().items()}}.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr, entry.compress_type = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(data)}")
        wheel.writestr(f"{info}/RECORD", "\n".join(record) + f"\n{info}/RECORD,,\n")
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Without a build, so that pip can go on at once."""
    info = Path(metadata_directory) / f"{NAME}-{VERSION}.dist-info"
    for name, data in _info_files().items():
        (info / name).parent.mkdir(parents=True, exist_ok=True)
        (info / name).write_bytes(data)
    return info.name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = _build()
    files = sorted(file for file in package.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return _write_wheel(wheel_directory, {f"{NAME}/{file.relative_to(package)}":
                                          (file.read_bytes(), 0o755 if os.access(file, os.X_OK) else 0o644) for file in files})


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """A folder of links, to the Python files as they are in the sources and to the rest as it was built; and a wheel
    with the path to it. After a change in C++: build again."""
    package, links = _build(), EDITABLE / NAME
    shutil.rmtree(links, ignore_errors=True)
    links.mkdir(parents=True)
    for file in package.iterdir():
        source = HERE / NAME / file.name
        if file.name != "__pycache__":
            (links / file.name).symlink_to(source if source.exists() else file)
    return _write_wheel(wheel_directory, {f"{NAME}.pth": (f"{EDITABLE}\n".encode(), 0o644)})


def build_sdist(sdist_directory, config_settings=None):
    """The files of a release archive (scripts/release) in a folder with the names that pip expects, and with a
    pyproject.toml at the top. From a checkout it makes that archive first."""
    name = f"{NAME}-{VERSION}"
    with tempfile.TemporaryDirectory() as folder:
        tree, files = Path(folder) / name, PROJECT / "third_party" / "files.txt"
        if files.exists():  # an unpacked archive; other builds may have left their files in it
            for file in [*files.read_text().splitlines(), files.relative_to(PROJECT)]:
                (tree / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(PROJECT / file, tree / file)
        else:
            _run([str(RELEASE), "--uncommitted", folder], _terminal())
            with tarfile.open(Path(folder) / f"{name}.tar.gz") as archive:
                archive.extractall(folder)
        settings = (tree / "python" / "pyproject.toml").read_text()
        (tree / "pyproject.toml").write_text(settings.replace('backend-path = ["."]', 'backend-path = ["python"]'))
        (tree / "PKG-INFO").write_text(METADATA)
        with tarfile.open(Path(sdist_directory) / f"{name}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
            archive.add(tree, name)
    return f"{name}.tar.gz"
