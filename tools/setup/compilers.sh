#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make compilers`: unpacks the oldest g++ that compile kernels, which Debian 12 no longer has, from Debian 11 into the folder $1, where
# compilers_test.py finds them. They use the machine's C and C++ libraries and linker; nothing is installed, and no root is needed.
set -eu
folder=$(realpath -m "$1")
suite=bullseye
packages=
for version in 9 10; do packages+="g++-$version gcc-$version cpp-$version libgcc-$version-dev libstdc++-$version-dev "; done

. "$(dirname "${BASH_SOURCE[0]}")/own_apt.sh"
say() { printf 'make compilers: %s\n' "$*"; }

if ! command -v debootstrap >/dev/null || ! grep -q '^ID=debian' /etc/os-release || [ "$(dpkg --print-architecture)" != amd64 ]; then
    say "needs Debian on x86-64 with debootstrap, which knows where packages are; nothing was changed" >&2
    exit 1
fi
[ "$(cat "$folder/packages" 2>/dev/null)" = "$packages" ] && exit 0
say "g++ 9 and 10 into $folder"
rm -rf "$folder"
unpack_packages "$folder" amd64 $suite alone $packages
# What an upgraded machine has: libsfumato may need functions of a newer one.
mkdir -p "$folder/usr/lib/x86_64-linux-gnu"
ln -s "$(realpath "$(c++ -print-file-name=libstdc++.so.6)")" "$folder/usr/lib/x86_64-linux-gnu/libstdc++.so.6"
for version in 9 10; do echo 'int main() {}' | "$folder/usr/bin/g++-$version" -std=c++2a -x c++ - -o /dev/null; done
printf '%s' "$packages" >"$folder/packages"
