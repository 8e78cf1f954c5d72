"""What pip calls: build_backend.py on the package that was built for these tests."""

import importlib.util
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import forkmunk
from conftest import ROOT


@pytest.fixture
def backend(monkeypatch, tmp_path):
    spec = importlib.util.spec_from_file_location("build_backend", ROOT / "python/build_backend.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "_build", lambda: Path(forkmunk.__file__).parent)
    monkeypatch.setattr(module, "EDITABLE", tmp_path / "editable")
    return module


def run(code, folder):
    done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, cwd=folder,
                          env={**os.environ, "PYTHONPATH": str(folder)})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_metadata_need_no_build(backend, tmp_path):
    info = tmp_path / backend.prepare_metadata_for_build_wheel(tmp_path)
    assert "Name: forkmunk" in (info / "METADATA").read_text() and "console_scripts" in (info / "entry_points.txt").read_text()
    assert backend.prepare_metadata_for_build_editable is backend.prepare_metadata_for_build_wheel


def test_a_wheel_has_the_package_and_its_metadata(backend, tmp_path):
    with zipfile.ZipFile(tmp_path / backend.build_wheel(tmp_path)) as wheel:
        assert b"Scott Lembcke" in wheel.read("forkmunk-0.1.0.dist-info/LICENSE.Chipmunk2D.txt")
        wheel.extractall(tmp_path / "site")
        info = tmp_path / backend.prepare_metadata_for_build_wheel(tmp_path)
        for file in info.iterdir():
            assert wheel.read(f"{info.name}/{file.name}") == file.read_bytes()
    assert run("import forkmunk; print(forkmunk.__file__, forkmunk.World('PillMap', 'Bus').tick, forkmunk._page_hint)",
               tmp_path / "site").split()[0] == str(tmp_path / "site/forkmunk/__init__.py")
    (tmp_path / "site/forkmunk/no_page.txt").write_text("em++ not found")
    assert run("import forkmunk; print(forkmunk._page_hint)", tmp_path / "site") == "em++ not found\n"


def test_an_editable_install_is_the_sources(backend, tmp_path):
    with zipfile.ZipFile(tmp_path / backend.build_editable(tmp_path)) as wheel:
        folder = wheel.read("forkmunk.pth").decode().strip()
    assert folder == str(tmp_path / "editable")
    assert (tmp_path / "editable/forkmunk/space.py").resolve() == ROOT / "python/forkmunk/space.py"
    assert run("import forkmunk; print(forkmunk.World('PillMap', 'Bus').tick)", folder) == "0\n"
    assert run("import runpy, sys; sys.argv[1:] = ['--version']; runpy.run_module('forkmunk', run_name='__main__')", folder)


def test_a_python_that_lacks_something_is_told_what(tmp_path):
    """As where the first python3 on the path is a user's own one."""
    attempt = "\ntry:\n    import forkmunk\nexcept ImportError as error:\n    print(error)"
    package = Path(forkmunk.__file__).parent
    out = run("import sys; sys.modules['numpy'] = None" + attempt, package.parent)
    assert out.startswith(f"forkmunk: {sys.executable} ") and "no module numpy" in out
    (tmp_path / "forkmunk").mkdir()
    for file in package.glob("*.py"):
        (tmp_path / "forkmunk" / file.name).write_bytes(file.read_bytes())
    (tmp_path / "forkmunk/_forkmunk.cpython-99-x86_64-linux-gnu.so").touch()
    out = run("import sys" + attempt, tmp_path)
    assert out.startswith(f"forkmunk: {sys.executable} ") and "_forkmunk.cpython-99" in out


def test_what_the_page_needs_is_named(backend, monkeypatch, tmp_path):
    monkeypatch.setattr(backend, "PROJECT", tmp_path)
    monkeypatch.setattr(backend.shutil, "which", lambda name: None if name == "em++" else name)
    assert backend._viewer_options() == (["-DFORKMUNK_BUILD_VIEWER=OFF", "-DFORKMUNK_VIEWER_PAGE="], ["em++"])
    monkeypatch.setattr(backend.shutil, "which", lambda name: name)
    assert backend._viewer_options() == (["-DFORKMUNK_BUILD_VIEWER=ON", "-DFORKMUNK_VIEWER_PAGE="], [])
    (tmp_path / "build/x/viewer").mkdir(parents=True)
    (tmp_path / "build/x/viewer/viewer.html").write_text("page")
    assert backend._viewer_options()[0][1].endswith("build/x/viewer/viewer.html")
    (tmp_path / "env").mkdir()
    (tmp_path / "env/pyvenv.cfg").write_text("newer, and no source")
    os.utime(tmp_path / "env/pyvenv.cfg", (4e9, 4e9))
    assert backend._viewer_options()[0][1].endswith("build/x/viewer/viewer.html")
    (tmp_path / "viewer").mkdir()
    (tmp_path / "viewer/page.html").write_text("changed since")
    os.utime(tmp_path / "build/x/viewer/viewer.html", (1, 1))
    assert backend._viewer_options()[0] == ["-DFORKMUNK_BUILD_VIEWER=ON", "-DFORKMUNK_VIEWER_PAGE="]


def test_a_source_distribution_builds_by_its_own_files(backend, monkeypatch, tmp_path):
    def release(command, terminal):  # what scripts/release makes, in short
        assert command[:2] == [str(ROOT / "scripts/release"), "--uncommitted"]
        tree = tmp_path / "forkmunk-0.1.0"
        (tree / "third_party/pages").mkdir(parents=True)
        (tree / "python").mkdir()
        for name in ("pyproject.toml", "build_backend.py"):
            (tree / "python" / name).write_bytes((ROOT / "python" / name).read_bytes())
        (tree / "third_party/files.txt").write_text("python/pyproject.toml\npython/build_backend.py\n")
        with tarfile.open(Path(command[2]) / "forkmunk-0.1.0.tar.gz", "w:gz") as archive:
            archive.add(tree, tree.name)

    monkeypatch.setattr(backend, "_run", release)
    monkeypatch.setattr(backend, "PROJECT", ROOT / "python")  # a checkout: it has no third_party/pages
    monkeypatch.setattr(backend, "RELEASE", ROOT / "scripts/release")
    name = backend.build_sdist(tmp_path)
    with tarfile.open(tmp_path / name) as archive:
        archive.extractall(tmp_path / "unpacked")
    tree = tmp_path / "unpacked/forkmunk-0.1.0"
    assert 'backend-path = ["python"]' in (tree / "pyproject.toml").read_text()
    assert "Name: forkmunk" in (tree / "PKG-INFO").read_text()
    monkeypatch.setattr(backend, "PROJECT", tree)
    (tree / "debian").mkdir()
    (tree / "debian/left_by_a_build").symlink_to("nowhere")
    assert backend.build_sdist(tmp_path) == name  # of a release, without the script
    with tarfile.open(tmp_path / name) as archive:
        assert "forkmunk-0.1.0/python/pyproject.toml" in archive.getnames() and "forkmunk-0.1.0/debian" not in archive.getnames()


def test_a_failed_command_ends_the_build(backend):
    with pytest.raises(SystemExit, match="exit code 3"):
        backend._run([sys.executable, "-c", "raise SystemExit(3)"], None)
