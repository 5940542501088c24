# SPDX-License-Identifier: Apache-2.0
"""A kit, built once, and what it records under the settings of this runtime: each a device of its own."""

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "support"))

COMMAND = [os.environ["SFUMATO_COMMAND"]] if os.environ.get("SFUMATO_COMMAND") else ["sfumato"]
SOC = "Ascend910B2"


def run(*words, **variables):
    """A command as a user types it: its exit code, what it printed and what it said on standard error."""
    environment = {name: value for name, value in os.environ.items() if name not in ("SFUMATO_OPTIONS", "SFUMATO_CHIP")}
    environment |= {"SFUMATO_PYTHON": sys.executable, "SFUMATO_CHIP": SOC, **variables}
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, env=environment)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="session")
def kit(tmp_path_factory):
    """As `sfumato record write` lays it, with the program that `sfumato build` makes of it."""
    folder = tmp_path_factory.mktemp("kit") / "kit"
    assert run(*COMMAND, "record", "write", folder)[0] == 0
    built = run(*COMMAND, "build", folder / "record.asc", "-o", folder / "record", "--npu-arch=dav-2201")
    assert built == (0, "", ""), built
    return folder


@pytest.fixture(scope="session")
def device(kit, tmp_path_factory):
    """device(options): the folder that the kit leaves on a runtime with these options."""

    @functools.cache
    def recorded(options=""):
        folder = tmp_path_factory.mktemp("device") / "record"
        shutil.copytree(kit, folder)
        code, _, said = run(folder / "record", 0, folder, SFUMATO_OPTIONS=options)
        assert (code, said) == (0, ""), said
        return folder

    return recorded


@pytest.fixture
def copy(device, tmp_path):
    """copy(options): a recorded folder that a test may change."""

    def copied(options="", name="record"):
        return Path(shutil.copytree(device(options), tmp_path / name))

    return copied
