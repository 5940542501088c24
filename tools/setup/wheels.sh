#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make wheels`: the wheels that are released, into $1/dist, for glibc 2.31 and newer, each tried in bare folders of Debian and Ubuntu, as root:
# CPython 3.9, 3.10, 3.11 and the stable ABI of 3.12, on x86-64 and, cross-compiled and tried under qemu, on aarch64. Further words choose
# parts: build-x86_64, build-aarch64, bullseye-x86_64... A trial installs g++ and pip, then the wheel; it has nothing else of Sfumato's build.
set -eu -o pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(realpath -m "$1")
shift
versions='3.9 3.10 3.11 3.13'
declare -A python_of=([bullseye]=3.9 [jammy]=3.10 [bookworm]=3.11 [trixie]=3.13)
# Trials, with how many tests of each file run (MOST: another number, 0 is all): qemu takes ten times as long.
trials=(bullseye-x86_64:3 jammy-x86_64:3 bookworm-x86_64:3 trixie-x86_64:3 bookworm-aarch64:1)
tested='tests/python tests/judging tests/testing tests/sweeping tests/adapters'
needed='pytest>=8,<10 hypothesis>=6.100,<7 plotly>=6,<8 allpairspy>=2.5,<3 tqdm>=4.60,<5 safetensors>=0.4,<1 pytest-xdist>=3.5,<4'

say() { printf 'make wheels: %s\n' "$*"; }
. "$project/tools/setup/debian_root.sh"

# Programs for aarch64 start here, and in the folders, by qemu.
start_foreign_programs() {
    local room=/proc/sys/fs/binfmt_misc
    [ -e $room/register ] || mount -t binfmt_misc none $room
    if ! grep -lq qemu-aarch64 $room/* 2>/dev/null; then
        printf '%s' ':sfumato-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00' \
            ':\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/usr/bin/qemu-aarch64-static:F' >$room/register
    fi
}

build() {  # ARCH: its wheels in $folder/dist, and the source distribution
    local version
    [ -x "$folder/venv/bin/python" ] || .venv/bin/python -m venv "$folder/venv"
    "$folder/venv/bin/python" -m pip install -q 'scikit-build-core>=0.10,<2' 'nanobind>=2.4,<3'  # nanobind 3 has no Python 3.9
    cmake --build build/release --target sfumato-tablegen
    mkdir -p "$folder/dist"
    rm -f "$folder/dist"/*_"$1".whl
    for version in $versions; do
        PYTHON=$folder/venv/bin/python DIST=$folder/raw/$1-$version TREE=$folder/tree-$1 ARCH=$1 VERSION=$version tools/setup/wheel.sh
        cp "$folder/raw/$1-$version"/* "$folder/dist"
    done
    .venv/bin/python -c 'import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])' "$folder/dist"
}

try() {  # SUITE-ARCH MOST: what a user types on a bare machine
    local suite=${1%-*} arch=${1#*-} root=$folder/$1 platforms=() old
    local version=${python_of[$suite]}
    say "trial on $suite, $arch"
    if [ "$arch" = "$(uname -m)" ]; then
        make_debian_root "$root" "$suite" 'g++ python3-venv'
    else
        start_foreign_programs
        make_debian_root "$root" "$suite" python3-venv arm64
        # Its compiler is the machine's own, which qemu does not slow down.
        tools/setup/sysroot.sh "$project/build/sysroot/$arch/compiler" "$arch"
        (cd "$project/build/sysroot/$arch/compiler" && cp -a --parents usr/bin/"$arch"-linux-gnu-* usr/lib/gcc-cross usr/"$arch"-linux-gnu \
            {usr/,}lib/"$(uname -m)"-linux-gnu lib64 "$root")
    fi
    rm -rf "$root"/opt/*
    .venv/bin/python tests/installed.py build/release --sources "$root/opt/source"
    cp tools/setup/trial.py tools/setup/wheel_trial.sh "$root/opt/source"
    printf '%s\n' $needed >"$root/opt/source/trial.txt"
    for old in 2014 _2_17 _2_27 _2_28 _2_31; do platforms+=(--platform "manylinux${old}_$arch"); done
    .venv/bin/python -m pip download -q --only-binary=:all: --python-version "$version" "${platforms[@]}" --dest "$root/opt/wheels" \
        'numpy>=1.25,<3' 'ml_dtypes>=0.4,<1' 'tomli>=2,<3' exceptiongroup typing_extensions $needed
    cp "$folder/dist"/*_"$arch".whl "$root/opt/wheels"
    in_debian_root "$root" bash /opt/source/wheel_trial.sh "$2" $tested 2>&1 | tee "$folder/$1.transcript" || failed+=" $1"
}

cd "$project"
chosen=" ${*:-build-x86_64 build-aarch64 ${trials[*]%:*}} " failed=
for part in build-x86_64 build-aarch64 "${trials[@]}"; do
    case $chosen in *" ${part%:*} "*) ;; *) continue ;; esac
    if [ "${part%-*}" = build ]; then build "${part#*-}"; else try "${part%:*}" "${MOST:-${part#*:}}"; fi
done
if [ -n "$failed" ]; then say "tests failed on$failed: see $folder/*.transcript" && exit 1; fi
