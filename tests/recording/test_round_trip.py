# SPDX-License-Identifier: Apache-2.0
"""A record made here, imported, and used by --numerics: the kit leaves the same bytes again."""

import subprocess
import sys

import numpy as np
import pytest
from conftest import COMMAND, SOC, run
from sfumato.recording._probes import probes

pytestmark = pytest.mark.skipif(
    "--numerics" not in run(*COMMAND, "run", "--help")[1], reason="launches have no option numerics yet"
)


@pytest.mark.parametrize("options", ["", "mmad_order=k0-block,estimate=exact,div=away"])
def test_the_same_bytes(kit, copy, tmp_path, options):
    folder, records = copy(options), tmp_path / "records"
    # A table of no model: what --numerics takes from the record, not from the engine.
    path = folder / "outputs" / "exp-half.bin"
    table = np.fromfile(path, np.uint16)
    table[0x4000] ^= 1
    table.tofile(path)
    subprocess.run([sys.executable, "manifest.py", "A"], cwd=folder, check=True, capture_output=True)
    assert run(*COMMAND, "record", "import", folder, SFUMATO_RECORDS=str(records))[0] == 0
    again = copy(options, name="again")
    used = {"SFUMATO_OPTIONS": f"numerics=board:{SOC}", "SFUMATO_RECORDS": str(records)}
    assert run(kit / "record", 0, again, **used)[0] == 0
    for probe in probes():
        name = f"outputs/{probe.name}"
        assert (again / name).read_bytes() == (folder / name).read_bytes(), probe.name
