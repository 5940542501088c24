#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make deps`: installs what the build needs, where it may (Debian 12 or newer, as root), else says exactly what is missing.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# Debian package | how to find it elsewhere: a command, a C++ header, a library or a Python module | what it is
needs='
g++                   command:c++                            a C++20 compiler (g++ 12 or clang 16, or newer)
cmake                 command:cmake                          CMake 3.24 or newer
ninja-build           command:ninja                          Ninja
ccache                command:ccache                         ccache
libhwy-dev            header:hwy/highway.h                   Highway 1.0.3 or newer
libfmt-dev            header:fmt/format.h                    {fmt}
libtomlplusplus-dev   header:toml++/toml.h                   toml++
nlohmann-json3-dev    header:nlohmann/json.hpp               nlohmann-json
libcli11-dev          header:CLI/CLI.hpp                     CLI11
libboost-context-dev  header:boost/context/detail/fcontext.hpp  Boost.Context 1.61 or newer
libboost-context-dev  header:boost/multiprecision/cpp_bin_float.hpp  Boost.Multiprecision
libxxhash-dev         header:xxhash.h                        xxHash
zlib1g-dev            header:zlib.h                          zlib
libgtest-dev          header:gtest/gtest.h                   GoogleTest
libgmock-dev          header:gmock/gmock.h                   GoogleMock
libbenchmark-dev      header:benchmark/benchmark.h           google-benchmark
libopenblas-dev       library:openblas                       OpenBLAS, for the benchmarks
libsleef-dev          library:sleef                          SLEEF, for the benchmarks
libmpfr-dev           header:mpfr.h                          MPFR
libgmp-dev            header:gmp.h                           GMP
python3-dev           python:sysconfig                       Python 3.9 or newer with its headers
python3-venv          python:venv,ensurepip                  the venv module of Python
gdb                   command:gdb                            gdb, for a test of `sfumato gdb`
lldb-16               command:lldb                           lldb 16 or newer, for a test of `sfumato lldb`
groff-base            command:groff                          groff, for the test of the man page
clang-format          command:clang-format                   clang-format 14, for a test
clang-13              command:clang++                        clang 13 or newer, for a test
'

say() { printf 'make deps: %s\n' "$*"; }

# Debian's own interpreter where there is one: its headers are the ones the packages bring.
find_python() {
    if [ "$1" = debian ]; then echo /usr/bin/python3; else command -v python3 || echo python3; fi
}

have_elsewhere() {  # $1: command:NAME, header:NAME, library:NAME or python:MODULE
    case "$1" in
        command:*) command -v "${1#command:}" >/dev/null ;;
        header:*) echo "#include <${1#header:}>" | c++ -std=c++20 -E -x c++ - >/dev/null 2>&1 ;;
        library:*) echo 'int main() {}' | c++ -x c++ - "-l${1#library:}" -o /dev/null >/dev/null 2>&1 ;;
        python:sysconfig)
            "$python" - 2>/dev/null <<'P'
import os, sys, sysconfig
sys.exit(sys.version_info < (3, 9) or not os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")))
P
            ;;
        python:*) "$python" -c "import ${1#python:}" 2>/dev/null ;;
    esac
}

have_debian() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

distribution=other
if [ -r /etc/os-release ]; then
    . /etc/os-release
    if [ "${ID:-}" = debian ] && command -v apt-get >/dev/null; then
        # Testing and unstable carry no VERSION_ID; they are newer than 12.
        if [ "${VERSION_ID:-99}" -ge 12 ]; then distribution=debian; fi
        if [ "${VERSION_ID:-99}" -gt 12 ]; then needs=${needs//clang-13/clang   } needs=${needs//lldb-16/lldb   }
        else needs+=$'g++-11 command:g++-11 the oldest compiler of kernels, for a test'; fi
    fi
fi
python=$(find_python "$distribution")

missing=()
described=()
while read -r package check what; do
    [ -n "$package" ] || continue
    if [ "$distribution" = debian ]; then have_debian "$package" || missing+=("$package")
    elif ! have_elsewhere "$check"; then
        missing+=("$package")
        described+=("$what [${check#*:}]; Debian's package: $package")
    fi
done <<<"$needs"

if [ ${#missing[@]} -gt 0 ]; then
    if [ "$distribution" = debian ] && [ "$(id -u)" = 0 ]; then
        say "installing ${missing[*]}"
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -q
        apt-get install -q -y --no-install-recommends "${missing[@]}"
    elif [ "$distribution" = debian ]; then
        say "these packages are missing, and installing them needs root: ${missing[*]}" >&2
        say "as root: apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
        say "nothing was changed" >&2
        exit 1
    else
        say "this is not Debian 12 or newer, so nothing is installed for you. Missing:" >&2
        printf '  - %s\n' "${described[@]}" >&2
        command -v c++ >/dev/null || say "without a compiler no header can be looked for, so all are listed" >&2
        say "install them with your package manager and run this again; nothing was changed" >&2
        exit 1
    fi
fi

# A venv of another interpreter (or of an upgraded one) is made anew.
if ! cmp -s requirements.txt .venv/requirements.installed || ! .venv/bin/python -c '' 2>/dev/null; then
    say "Python packages into .venv"
    rm -rf .venv
    "$python" -m venv .venv
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
    cp requirements.txt .venv/requirements.installed
fi
