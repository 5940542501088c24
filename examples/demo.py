# SPDX-License-Identifier: Apache-2.0
"""What `make demo` shows: a kernel of the public documentation from source to a checked result, then a wrong one's report."""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(os.path.relpath(Path(__file__).parent))
CHIP = "Ascend910B1"


def run(*command) -> int:
    print("$", " ".join(map(str, command)), flush=True)
    return subprocess.run(command, stderr=subprocess.STDOUT).returncode


def page_kernel(folder: Path) -> Path:
    """The Cast page's own sample, unmodified, where the specification lies beside the project; else ours with the same calls."""
    for page in sorted(HERE.parent.glob("../shared/spec/pages/004_*.txt")):
        template = page.read_text().rpartition("\n样例模板\n")[2]
        kernel = Path(folder, "cast.cpp")
        kernel.write_text(
            template[template.index('#include "kernel_operator.h"') : template.index("\n更多样例\n")] + "\n"
        )
        print(f"The kernel is the sample of the Cast page, unmodified ({page.name}).")
        return kernel
    print("The kernel is examples/page004/cast.cpp: the calls of the Cast page's sample.")
    return HERE / "page004" / "cast.cpp"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sfumato", default="sfumato", help="the command")
    sfumato = parser.parse_args().sfumato

    page = HERE / "page004"
    src = np.loadtxt(page / "src.txt").astype(np.float16)
    expected = np.loadtxt(page / "dst.txt").astype(np.int32)
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder, "src.npy"), Path(folder, "dst.npy")
        np.save(source, src)
        code = run(
            sfumato,
            "run",
            page_kernel(Path(folder)),
            "--chip",
            CHIP,
            "--kernel",
            "cast_simple_kernel",
            "--blocks",
            "1",
            "--",
            source,
            f"out:int32[{expected.size}]={result}",
        )
        if code != 0:
            return f"demo: the kernel of page 004 failed with exit code {code}"
        equal = np.count_nonzero(np.load(result) == expected)
        print(f"{equal} of {expected.size} values equal the page's", flush=True)
        if equal != expected.size:
            return "demo: the result is not the page's"

        print("\nThe same with a mistake in it:")
        wrong = run(
            sfumato,
            "run",
            HERE / "wrong" / "cast_misaligned.cpp",
            "--chip",
            CHIP,
            "--",
            source,
            f"out:int32[{expected.size}]={result}.wrong",
        )
        print(f"exit code {wrong}")
        if wrong != 4:
            return f"demo: a kernel fault gives exit code 4, not {wrong}"
    return 0


if __name__ == "__main__":
    sys.exit(main())
