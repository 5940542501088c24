#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""C++ hosts that mix reference operators with kernels and operators of their own: bytes as NumPy has them, step by step."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np
from installation import COMMAND, CXX, TOOLKIT

HERE = Path(__file__).resolve().parent
LIBRARIES = ["-lopapi", "-lnnopbase", "-lascendcl"]


class MixedHosts(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("SFUMATO_", "ASCEND"))}
        self.environment.update(XDG_DATA_HOME=str(self.folder / "data"), SFUMATO_CACHE=str(self.folder / "cache"))

    def run_it(self, *command, code=0, **env):
        words = [str(word) for word in (COMMAND, "env", "--chip", "Ascend910B1", "--", *command)]
        environment = {**self.environment, **env}
        done = subprocess.run(words, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    @staticmethod
    def marks(text):
        return re.findall(r"^note \[reference-operator\] (\w+)", text, re.M)

    def test_a_kernel_between_reference_operators(self):
        random = np.random.default_rng(32)
        q, k, v = (random.integers(-8, 9, shape).astype(np.float32) / 4 for shape in ((16, 8), (8, 16), (16, 8)))
        shift = random.integers(-3, 4, 16).astype(np.float32) / 2
        for name, values in (("q", q), ("k", k), ("v", v), ("shift", shift)):
            values.tofile(self.folder / f"{name}.bin")
        self.run_it("bisheng", "-O1", HERE / "attention_host.asc", f"-L{TOOLKIT}/lib64", *LIBRARIES, "-o", "attention")
        done = self.run_it(self.folder / "attention")
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.marks(done.stderr), ["aclnnMatmul", "aclnnSoftmax"])
        # Each step is rounded once to float32, as kernels and reference operators store it.
        scores = (q.astype(np.float64) @ k.astype(np.float64)).astype(np.float32) * np.float32(0.375) + shift
        wide = scores.astype(np.float64)
        weights = np.exp(wide - wide.max(-1, keepdims=True))
        weights = (weights / weights.sum(-1, keepdims=True)).astype(np.float32)
        result = (weights.astype(np.float64) @ v.astype(np.float64)).astype(np.float32)
        self.assertEqual((self.folder / "scores.bin").read_bytes(), scores.tobytes())
        self.assertEqual((self.folder / "result.bin").read_bytes(), result.tobytes())
        # A block too many reads past the scores: the kernel's fault, not hidden by what is around it.
        done = self.run_it(self.folder / "attention", "17", code=1)
        self.assertIn("fault [gm-out-of-range] DataCopy: reads past the end of aclrtMalloc #4 in ", done.stdout)
        self.assertIn("  found:  src: bytes 1024..1088 of aclrtMalloc #4, 64 bytes too many\n", done.stdout)

    def test_an_operator_of_ones_own_between_two_streams(self):
        shutil.copytree(HERE.parents[1] / "examples/operator", self.folder / "AxpyCustom")
        self.run_it("sfumato", "build-op", "AxpyCustom", "-Dvendor_name=mine")
        (package,) = self.folder.glob("AxpyCustom/build_out/custom_opp_*.run")
        self.run_it(package, "--quiet")
        api = self.folder / "data/sfumato/opp/vendors/mine/op_api"
        command = [CXX, HERE / "pipeline_host.cpp", f"-I{TOOLKIT}/include", f"-I{api}/include", f"-L{api}/lib"]
        command += ["-lcust_opapi", f"-L{TOOLKIT}/lib64", *LIBRARIES, "-o", "pipeline"]
        self.run_it(*command)
        options = {"LD_LIBRARY_PATH": f"{api}/lib", "SFUMATO_OPTIONS": "streams=check,strict=1"}
        done = self.run_it(self.folder / "pipeline", **options)
        x, y = np.arange(37) * 7 % 11, np.arange(37) / 4
        places = np.argsort(-x, kind="stable")
        chosen = np.cumsum(2 * x[places] + y)[places]
        shown = [
            f"{name} {' '.join(f'{value:g}' for value in values)}\n"
            for name, values in (("chosen", chosen), ("places", places))
        ]
        self.assertEqual(done.stdout, "".join(shown))
        self.assertEqual(self.marks(done.stderr), ["aclnnSort", "aclnnCumsum", "aclnnIndexSelect"])
        done = self.run_it(self.folder / "pipeline", "unordered", code=1, **options)
        self.assertIn("fault [stream-race] aclnnCumsum: reads bytes of the device that stream ", done.stdout)


if __name__ == "__main__":
    unittest.main()
