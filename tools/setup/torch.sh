#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make torch-check`: runs tests/torch with two releases of PyTorch, each in a folder of its own below $1, which is made the first
# time: Debian 13's for the CPU (needs root, debootstrap, 3 GB), and one of PyPI (8 GB). Further words choose: debian, pypi.
# $1/prefix holds an installed Sfumato.
set -eu
pypi_torch=2.10.0
packages='python3-torch libtorch-dev python3-numpy python3-setuptools python3-dev python3-pytest pybind11-dev ninja-build cmake g++'
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(realpath -m "$1")
shift
prefix=$folder/prefix
root=$folder/trixie
toolkit=share/sfumato/ascend

say() { printf 'make torch-check: %s\n' "$*"; }
. "$project/tools/setup/debian_root.sh"

make_debian() { make_debian_root "$root" trixie "$packages"; }

# The project at /project and the installed Sfumato at /opt/sfumato, seen by this process and its children only.
check_debian() {
    # What libsfumato needs and Debian 13 has in another version.
    mkdir -p "$root/opt/sfumato" "$root/opt/needed" "$root/project" "$root/proc"
    ldd "$prefix/lib/libsfumato.so" | awk '/libfmt|libtomlplusplus|libxxhash/ {print $3}' | xargs -I{} cp -L {} "$root/opt/needed"
    export root prefix project toolkit
    unshare --mount --pid --fork bash -eu -c '
        mount --make-rprivate /
        mount --bind "$prefix" "$root/opt/sfumato"
        mount --bind -o ro "$project" "$root/project"
        mount -t proc proc "$root/proc"
        exec chroot "$root" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/bin:/usr/sbin LD_LIBRARY_PATH=/opt/needed \
            ASCEND_HOME_PATH="/opt/sfumato/$toolkit" SFUMATO_CACHE=/var/cache/sfumato MAX_JOBS=2 OMP_NUM_THREADS=1 \
            PYTHONPATH="/opt/sfumato/$toolkit/python" PYTHONDONTWRITEBYTECODE=1 \
            python3 -m pytest -q -p no:cacheprovider "$@"' bash "${tests[@]/#//project/}"
}

make_pypi() {
    [ -f "$folder/pypi/$pypi_torch" ] && return
    say "torch $pypi_torch of PyPI into $folder/pypi"
    python3 -m venv "$folder/pypi"
    "$folder/pypi/bin/pip" install -q --no-cache-dir "torch==$pypi_torch" numpy ml_dtypes setuptools ninja pytest
    touch "$folder/pypi/$pypi_torch"
}
check_pypi() {
    env PATH="$folder/pypi/bin:$PATH" ASCEND_HOME_PATH="$prefix/$toolkit" SFUMATO_CACHE="$folder/cache" MAX_JOBS=2 OMP_NUM_THREADS=1 \
        PYTHONPATH="$prefix/$toolkit/python${SFUMATO_PYTHON:+:$SFUMATO_PYTHON}" SFUMATO_PYTHON="${SFUMATO_PYTHON:-}" \
        "$folder/pypi/bin/python" -m pytest -q -p no:cacheprovider "${tests[@]/#/$project/}"
}

mkdir -p "$folder"
tests=(tests/torch)
for which in ${*:-debian pypi}; do
    "make_$which"
    say "$which"
    "check_$which"
done
