#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# In a bare Debian, as root: what a user types there, then tests of the package that pip installed. tools/setup/wheels.sh lays /opt/wheels
# (the wheel and what it needs), /opt/source (tests, examples, pages) and calls it with how many tests of each file are run, and which.
set -eux
most=$1
shift
cd /opt
python3 -m venv /opt/venv
/opt/venv/bin/pip install -q --no-index --find-links /opt/wheels sfumato
export PATH=/opt/venv/bin:$PATH
# Under qemu the compiler is the machine's own.
command -v c++ || for name in c++ g++; do ln -s "/usr/bin/$(uname -m)-linux-gnu-g++" /opt/venv/bin/$name; done
packages=$(python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
du -sh "$packages/sfumato"
sfumato doctor || true
mkdir -p /opt/trial && cd /opt/trial
cp /opt/source/tests/project/consumer/double.cpp .
cat >try.py <<'P'
import numpy as np
import sfumato

x, y = np.arange(128, dtype=np.float32), np.zeros(128, np.float32)
sfumato.compile("double.cpp", chip="Ascend910B1").twice[2](x, y)
print((y == 2 * x).all(), sfumato.__version__)
np.save("x.npy", x)
P
python try.py
sfumato run double.cpp --chip Ascend910B1 --blocks 2 -- x.npy out:float32[128]=y.npy
test -s y.npy
cat >far.cpp <<'C'
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void far_away(GM_ADDR) { *reinterpret_cast<volatile int*>(8) = 1; }
extern "C" void launch() { far_away<<<1, nullptr, nullptr>>>(nullptr); }
C
sfumato build -shared -fPIC far.cpp -o libfar.so
# The end of a process whose kernel failed.
python -c 'import ctypes; ctypes.CDLL("./libfar.so").launch()' >said 2>&1 || [ $? = 4 ]
cat said
grep -q 'raw pointer access to 0x8' said
/opt/venv/bin/pip install -q --no-index --find-links /opt/wheels -r /opt/source/trial.txt
cd /opt/source
export SFUMATO_COMMAND=/opt/venv/bin/sfumato SFUMATO_INSTALLED=$packages/sfumato PYTHONPATH=/opt/source/tests/support PYTHONDONTWRITEBYTECODE=1
python trial.py "$most" "$@"
