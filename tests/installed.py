#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a test on an installation, as a user has it: source and build trees are hidden.

    tests/installed.py BUILD_DIR [options] -- COMMAND...     e.g. ... build/dev -- python -m pytest tests/python -k int4
    tests/installed.py BUILD_DIR --stage                     the installation alone; prints its folder
    tests/installed.py BUILD_DIR --sources FOLDER            what tests read, without an installation

The stage is a folder outside both trees: `prefix`, which `cmake --install` filled, or with --wheel `venv`, which holds
the wheel; `source`, a copy of tests, examples and documentation, where COMMAND runs; `home`; and manifest.json, which says
what a prefix must hold. `python` is the interpreter of this script, or that of the venv. --staged takes the stage as it is,
for ctest, which lays it once for all tests (the fixtures `installation` and `wheel`). --user USER: root becomes that user.
--write-back: what COMMAND changes in `source` is changed in the sources, too, for tests that write what they compare.

COMMAND finds in its environment SFUMATO_INSTALLED (the folder of include, lib and share), SFUMATO_COMMAND and PYTHONPATH.
It runs in a mount namespace where empty folders lie over source and build tree; a Python environment below them stays.
"""

from __future__ import annotations

import argparse
import ctypes
import ctypes.util
import hashlib
import json
import os
import pwd
import re
import shutil
import signal
import site
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]
sys.path.append(str(SOURCE / "tests" / "support"))
from manifest import manifest  # noqa: E402

# Folders and files, of the sources no more than the tables that tests compare the product with.
COPIED = (
    "tests", "examples", "docs", "chips", "README.md", "README.zh.md", "cmake/other_headers.txt", "src/jit/names.txt", "tools/names.py",
    "src/reference/operators.txt",
    "src/frontends/tik/calls.inc", "src/runtime/launch/launch_option.cpp", "tools/docs",
    "tools/sfumato/completion", "tools/sfumato/man",
)  # fmt: skip
PRECOMPILED = ("Ascend910B1", "Ascend310P3")  # chips of most kernels
CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000


def cached(build: Path, name: str) -> str:
    """A variable of the build tree's CMake cache."""
    found = re.search(rf"^{name}:\w+=(.*)$", (build / "CMakeCache.txt").read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else ""


def do(what: str, *command: str | Path, **variables: str | Path) -> None:
    environment = {**os.environ, **{name: str(value) for name, value in variables.items()}}
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        sys.exit(f"installed.py: {what} failed\n{done.stdout[-4000:]}{done.stderr}")


def copy_sources(folder: Path) -> None:
    """What tests read of the sources."""
    for name in COPIED:
        if (SOURCE / name).is_dir():
            shutil.copytree(SOURCE / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / name, folder / name)


class Stage:
    """The folder of a build tree's installation; the same for every run of one user."""

    def __init__(self, build: Path, wheel: bool):
        name = hashlib.sha256(str(build).encode()).hexdigest()[:12]
        self.build, self.wheel = build, wheel
        self.folder = Path(tempfile.gettempdir()) / f"sfumato-installed-{os.getuid()}-{name}{'-wheel' * wheel}"
        self.precompiled = self.folder / "precompiled"
        self.packages = self.folder / "packages"
        self.python = self.folder / "venv" / "bin" / "python" if wheel else Path(sys.executable)

    def lay(self) -> None:
        """Anew: nothing of an earlier one is left."""
        folder = self.folder
        if folder.is_symlink() or (folder.exists() and folder.stat().st_uid != os.getuid()):
            sys.exit(f"installed.py: {folder} is not a folder of yours: remove it, or name another TMPDIR")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o755)
        self.packages.mkdir()
        for name in ("raised", "home"):
            (folder / name).mkdir()
            (folder / name).chmod(0o1777)  # of any user
        contents = json.dumps(manifest(SOURCE, self.build), indent=1)
        (folder / "manifest.json").write_text(contents, encoding="utf-8")
        copy_sources(folder / "source")
        if self.wheel:
            self.install_wheel()
        else:
            cmake = cached(self.build, "CMAKE_COMMAND")
            do("the installation", cmake, "--install", self.build, "--prefix", folder / "prefix")
            self.precompile()

    def precompile(self) -> None:
        """What most kernels of the tests include first is compiled once; on the wheel they are compiled as a user's are."""
        code = f"import sfumato; [sfumato.precompile(chip, folder={str(self.precompiled)!r}) for chip in {PRECOMPILED}]"
        if next(self.folder.glob("prefix/lib*/python*/site-packages"), None):
            self.precompiled.mkdir()
            do("compiling what kernels include", self.python, "-c", code, **self.environment())

    def install_wheel(self) -> None:
        """As `pip install .` does, of the objects that the build tree has. What the package needs is this Python's."""
        settings = {
            "build-dir": self.folder / "build",
            "cmake.define.CMAKE_CXX_COMPILER_LAUNCHER": SOURCE / "tools" / "setup" / "take_object.sh",
            "cmake.define.SFUMATO_SIMD": cached(self.build, "SFUMATO_SIMD"),
        }
        words = ["--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", self.folder / "dist"]
        words += [f"--config-settings={key}={value}" for key, value in settings.items()]
        # scikit-build-core would take the compiler Python was built with, whose flags differ.
        known = {"CXX": cached(self.build, "CMAKE_CXX_COMPILER"), "SFUMATO_OBJECTS": self.build}
        do("packing the wheel", sys.executable, "-m", "pip", "wheel", SOURCE, *words, **known)
        shutil.rmtree(self.folder / "build")
        do("making a venv", sys.executable, "-m", "venv", "--without-pip", self.folder / "venv")
        (wheel,) = (self.folder / "dist").glob("*.whl")
        pip = (sys.executable, "-m", "pip", "--python", self.python)
        do("installing the wheel", *pip, "install", "--quiet", "--no-deps", wheel)
        (packages,) = self.folder.glob("venv/lib/python*/site-packages")
        # By a folder that every user may enter: hide() shows this Python's packages there.
        (packages / "needed.pth").write_text(f"{self.packages}\n", encoding="utf-8")

    def environment(self) -> dict[str, str]:
        """What a user's shell has, and where the installation is. Of Sfumato's own variables those that ctest sets stay."""
        packages = next(self.folder.glob("*/lib*/python*/site-packages"), None)
        prefix = self.folder / "prefix"
        if self.wheel:
            prefix = packages / "sfumato"
        command = self.folder / ("venv" if self.wheel else "prefix") / "bin" / "sfumato"
        folders = [self.folder / "source" / "tests" / "support", *([packages] if packages and not self.wheel else [])]
        # None is made behind the tests' back: each has a cache of its own.
        more = {"SFUMATO_PRECOMPILE": "0"}
        if self.precompiled.exists():
            more["SFUMATO_PREFIX"] = str(self.precompiled)
        return {
            **os.environ,
            **more,
            "HOME": str(self.folder / "home"),
            "PATH": f"{self.python.parent}:{os.environ['PATH']}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": ":".join(map(str, folders)),
            "SFUMATO_COMMAND": str(command),
            "SFUMATO_INSTALLED": str(prefix),
            "SFUMATO_RAISED": str(self.folder / "raised"),
            "SFUMATO_TEST_CMAKE": cached(self.build, "CMAKE_COMMAND"),
            "SFUMATO_TEST_CXX": cached(self.build, "CMAKE_CXX_COMPILER"),
            "SFUMATO_TEST_SANITIZE": cached(self.build, "SFUMATO_SANITIZE"),
            "SFUMATO_TEST_BUILD_TYPE": cached(self.build, "CMAKE_BUILD_TYPE"),
        }

    def run(self, command: list[str], user: str) -> int:
        words = [str(self.python) if word == "python" else word for word in command]
        variables = self.environment()
        child = os.fork()
        if child == 0:
            hide([SOURCE] if self.build.is_relative_to(SOURCE) else [SOURCE, self.build], self.packages)
            if user and os.getuid() == 0:
                become(user)
            os.chdir(self.folder / "source")
            for number in (
                signal.SIGINT,
                signal.SIGPIPE,
                signal.SIGXFSZ,
            ):  # some of which Python ignores, or a shell behind it
                signal.signal(number, signal.SIG_DFL)
            try:
                os.execvpe(words[0], words, variables)
            except OSError as error:
                print(f"installed.py: {words[0]}: {error.strerror}", file=sys.stderr)
                os._exit(127)
        _, status = os.waitpid(child, 0)
        if folder := os.environ.get("SFUMATO_RAISED"):
            for path in (self.folder / "raised").iterdir():
                shutil.copy(path, folder)
        code = os.waitstatus_to_exitcode(status)
        return code if code >= 0 else 128 - code

    def write_back(self) -> None:
        copies = self.folder / "source"
        for path in copies.rglob("*"):
            source = SOURCE / path.relative_to(copies)
            if path.is_file() and source.is_file() and path.read_bytes() != source.read_bytes():
                shutil.copyfile(path, source)
                print(f"written: {source.relative_to(SOURCE)}")


def become(user: str) -> None:
    entry = pwd.getpwnam(user)
    os.setgroups([])
    os.setgid(entry.pw_gid)
    os.setuid(entry.pw_uid)


def check(result: int, what: str) -> None:
    if result:
        error = os.strerror(ctypes.get_errno())
        sys.exit(
            f"installed.py: {what}: {error}. The tests of the installation hide source and build tree in a mount namespace; "
            "allow it (as root, or sysctl kernel.unprivileged_userns_clone=1), or run them in another clone"
        )


def hide(folders: list[Path], packages: Path) -> None:
    """From this process and what it starts: empty folders lie over these, with the Python environment kept in place, and
    its packages in the folder `packages`, too."""
    libc = ctypes.CDLL(ctypes.util.find_library("c"), use_errno=True)

    def mount(source, target, kind, flags):
        words = (str(word).encode() if word else None for word in (source, target, kind))
        check(libc.mount(*words, ctypes.c_ulong(flags), None), f"mount {target}")

    uid, gid = os.getuid(), os.getgid()
    check(libc.unshare(CLONE_NEWNS | (CLONE_NEWUSER if uid else 0)), "unshare")
    if uid:
        Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1", encoding="ascii")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1", encoding="ascii")
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    mount(site.getsitepackages()[0], packages, None, MS_BIND | MS_REC)
    python = os.open(sys.prefix, os.O_PATH)
    names = {Path(sys.prefix), Path(sys.prefix).resolve()}  # it may be called by a link
    for folder in folders:
        mount("tmpfs", folder, "tmpfs", 0)
        for name in names:
            if name.is_relative_to(folder):
                name.mkdir(parents=True)
                mount(f"/proc/self/fd/{python}", name, None, MS_BIND | MS_REC)
    os.close(python)


def main() -> int:
    own, command = sys.argv[1:], []
    if "--" in own:
        at = own.index("--")
        own, command = own[:at], own[at + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    for flag in ("--wheel", "--stage", "--staged", "--write-back"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--user", default="")
    parser.add_argument("--sources", type=Path)
    options = parser.parse_args(own)
    build = options.build.resolve()
    if not (build / "CMakeCache.txt").is_file():
        parser.error(f"{options.build} is no build tree: it has no CMakeCache.txt")
    if options.sources:
        copy_sources(options.sources)
        return 0
    if not command and not options.stage:
        parser.error("no command: give one behind --")
    stage = Stage(build, options.wheel)
    if not options.staged:
        stage.lay()
    if options.stage:
        print(stage.folder)
    code = stage.run(command, options.user) if command else 0
    if options.write_back:
        stage.write_back()
    return code


if __name__ == "__main__":
    sys.exit(main())
