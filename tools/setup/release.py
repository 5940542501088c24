#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`make release`: all files of a release in FOLDER/files, and what was tried with them in FOLDER/files/report.txt. Publishes nothing.

release.py FOLDER WHEELS    WHEELS is what `make wheels` wrote: dist and transcripts
"""

from __future__ import annotations

import array
import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot5

ROOT = Path(__file__).resolve().parents[2]
ARCHES = ("x86_64", "aarch64")
SUITES = ("bullseye", "bookworm")  # in which Debian's package is tried
# What the library and the Python module contain of others: Debian's package, or of PyPI, with name and licence.
INSIDE = (
    ("libfmt-dev", "fmt", "MIT"),
    ("libtomlplusplus-dev", "tomlplusplus", "MIT"),
    ("nlohmann-json3-dev", "nlohmann-json", "MIT"),
    ("libcli11-dev", "CLI11", "BSD-3-Clause"),
    ("libboost-context1.74-dev", "Boost.Context", "BSL-1.0"),
    ("libxxhash-dev", "xxHash", "BSD-2-Clause"),
    ("libhwy-dev", "Highway", "Apache-2.0"),
    ("nanobind", "nanobind", "BSD-3-Clause"),
    ("libstdc++", "libstdc++", "GPL-3.0-or-later WITH GCC-exception-3.1"),  # some functions of a newer one
)


def run(*words: str | Path, **options) -> str:
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"make release: {' '.join(map(str, words))} ended with {done.returncode}\n{done.stdout[-2000:]}")
    return done.stdout


def version() -> str:
    return re.search(r"^project\(Sfumato VERSION (\S+) ", (ROOT / "CMakeLists.txt").read_text("utf-8"), re.MULTILINE)[1]


def package(folder: Path, arch: str) -> None:
    """Debian's package: the command, the libraries, C++ headers and CMake's package. The Python package is the wheel's."""
    # As deep as a wheel's, so that the compiler cache finds the same command lines.
    sysroot, tree = ROOT / "build" / "sysroot" / arch / "oldest", folder / f"tree-{arch}" / "tree"
    run(ROOT / "tools" / "setup" / "sysroot.sh", sysroot, arch)
    settings = {
        "CMAKE_TOOLCHAIN_FILE": ROOT / "cmake" / "sysroot.cmake",
        "SFUMATO_SYSROOT": sysroot,
        "SFUMATO_ARCH": arch,
        "SFUMATO_HOST_BUILD": ROOT / "build" / "release",
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_INSTALL_LIBDIR": "lib",
        "SFUMATO_BUNDLE": "ON",
        "SFUMATO_BUILD_TESTS": "OFF",
        "SFUMATO_SIMD": "one" if arch == "aarch64" else "all",
        **({"CMAKE_CXX_COMPILER_LAUNCHER": "ccache"} if shutil.which("ccache") else {}),
    }
    run("cmake", "-S", ROOT, "-B", tree, "-G", "Ninja", *(f"-D{key}={value}" for key, value in settings.items()))
    run("cmake", "--build", tree)
    run("cpack", "--config", tree / "CPackConfig.cmake", "-B", folder / "cpack")
    for file in (folder / "cpack").glob("*.deb"):
        shutil.copy(file, folder / "files")


def bare(folder: Path, wheels: Path, suite: str) -> Path:
    """A copy of that system's folder without what the trial of the wheel left."""
    root = folder / "root"
    shutil.rmtree(root, ignore_errors=True)
    run("cp", "-a", wheels / f"{suite}-x86_64", root)
    shutil.rmtree(root / "opt")
    (root / "opt").mkdir()
    return root


def within(root: Path, steps: str) -> str:
    rooms = ROOT / "tools" / "setup" / "debian_root.sh"
    return run("bash", "-euc", '. "$0"; in_debian_root "$@"', rooms, root, "bash", "-euc", steps)


def try_package(folder: Path, wheels: Path, suite: str) -> str:
    """Installs Debian's package, and runs a kernel from it."""
    root = bare(folder, wheels, suite)
    (file,) = (folder / "files").glob("*_amd64.deb")
    values = array.array("f", range(128))
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (128,), }".ljust(117) + b"\n"
    (root / "opt" / "x.npy").write_bytes(
        b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + values.tobytes()
    )
    for path in (file, ROOT / "tests" / "project" / "consumer" / "double.cpp"):
        shutil.copy(path, root / "opt")
    said = within(
        root,
        f"""cd /opt && apt-get -qq update && apt-get -qq install -y --no-install-recommends ./{file.name} >/dev/null
        sfumato --version && sfumato run double.cpp --chip Ascend910B1 --blocks 2 -- x.npy out:float32[128]=y.npy""",
    ).splitlines()
    right = (root / "opt" / "y.npy").read_bytes()[-512:] == array.array("f", (2 * x for x in values)).tobytes()
    shutil.rmtree(root)
    if not right:
        sys.exit(f"make release: the kernel that {file.name} ran on {suite} wrote other values than 2 x")
    return f"{file.name} on {suite}: {said[0]} was installed, and a kernel ran from it"


def container(folder: Path, wheels: Path) -> None:
    """The smallest Debian 12 with g++ and the installed wheel, as a compressed folder: for docker import, systemd-nspawn, chroot."""
    root, file = bare(folder, wheels, "bookworm"), folder / "files" / f"sfumato-{version()}-container-x86_64.tar.zst"
    shutil.copytree(wheels / "bookworm-x86_64" / "opt" / "wheels", root / "opt" / "wheels")
    within(
        root,
        """python3 -m venv /opt/venv && /opt/venv/bin/pip install -q --no-index --find-links /opt/wheels sfumato
        ln -s /opt/venv/bin/sfumato /usr/local/bin/sfumato && /usr/local/bin/sfumato --version
        rm -r /opt/wheels /packages /var/lib/apt/lists/* && apt-get clean""",
    )
    hidden = [f"--exclude=./{name}" for name in ("proc/*", "sys/*", "dev/*", "root/.cache")]
    # Higher levels take ten times as long for a twentieth less.
    run("tar", "-C", root, *hidden, "-I", "zstd -12 -T0", "-cf", file, ".")
    shutil.rmtree(root)


def bill_of_materials(folder: Path, wheels: Path) -> None:
    """CycloneDX: what is inside, by the versions it was made of."""
    lines = (ROOT / "build" / "sysroot" / "x86_64" / "oldest" / "versions").read_text("utf-8").splitlines()
    versions = dict(line.split() for line in lines)
    pip = run(wheels / "venv" / "bin" / "python", "-m", "pip", "show", "nanobind")
    versions["nanobind"] = re.search(r"^Version: (\S+)", pip, re.MULTILINE)[1]
    versions["libstdc++"] = run("x86_64-linux-gnu-g++", "-dumpfullversion").strip()
    licence, bom = LicenseFactory(), Bom()
    root = Component(name="sfumato", version=version(), type=ComponentType.LIBRARY, bom_ref="sfumato",
                     licenses=[licence.make_from_string("Apache-2.0")])  # fmt: skip
    bom.metadata.component = root
    parts = [
        Component(name=name, version=versions[key], type=ComponentType.LIBRARY, bom_ref=name,
                  licenses=[licence.make_from_string(words)])
        for key, name, words in INSIDE
    ]  # fmt: skip
    bom.components.update(parts)
    bom.register_dependency(root, parts)
    (folder / "files" / f"sfumato-{version()}-sbom.cdx.json").write_text(
        JsonV1Dot5(bom).output_as_string(indent=1), "utf-8"
    )


def report(folder: Path, wheels: Path) -> None:
    """Sizes, and of each trial what its tests came to."""
    lines = [f"# Sfumato {version()}", "", "| file | bytes |", "|---|---|"]
    lines += [f"| {file.name} | {file.stat().st_size:,} |" for file in sorted((folder / "files").iterdir())]
    lines += ["", "## Debian's package", "", *(f"- {try_package(folder, wheels, suite)}" for suite in SUITES)]
    for transcript in sorted(wheels.glob("*.transcript")):
        counts = re.findall(r"^tests/\S+: .*|^\d+ (?:passed|failed).*", transcript.read_text("utf-8"), re.MULTILINE)
        lines += ["", f"## Tried on {transcript.stem}", "", *(f"- {count}" for count in counts)]
    (folder / "files" / "report.txt").write_text("\n".join(lines) + "\n", "utf-8")


def main() -> int:
    folder, wheels = (Path(word).resolve() for word in sys.argv[1:3])
    if not list((wheels / "dist").glob("*.whl")):
        sys.exit(f"make release: {wheels / 'dist'} holds no wheel: run `make wheels` first")
    shutil.rmtree(folder / "files", ignore_errors=True)
    shutil.copytree(wheels / "dist", folder / "files")
    for arch in ARCHES:
        package(folder, arch)
    container(folder, wheels)
    bill_of_materials(folder, wheels)
    notes = run(ROOT / "tools" / "setup" / "release.sh", version(), "--notes")
    (folder / "files" / "notes.txt").write_text(notes, "utf-8")
    report(folder, wheels)
    sums = [
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"
        for file in sorted((folder / "files").iterdir())
    ]
    (folder / "files" / "SHA256SUMS").write_text("".join(sums), "utf-8")
    print((folder / "files" / "report.txt").read_text("utf-8"), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
