#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make arm64`: installs the cross compiler and the emulator, where it may (Debian 12 or newer, as root), else says what is missing, and
# unpacks Debian's arm64 libraries into the folder $1. The machine's own packages and architectures stay as they are.
set -eu
sysroot=$(realpath -m "$1")
tools='g++-aarch64-linux-gnu qemu-user'
libraries='libc6-dev libstdc++6 libhwy-dev libfmt-dev libtomlplusplus-dev nlohmann-json3-dev libcli11-dev libxxhash-dev zlib1g-dev libgtest-dev
libgmock-dev libmpfr-dev libgmp-dev libboost-context-dev'

say() { printf 'make arm64: %s\n' "$*"; }

if ! command -v apt-get >/dev/null || ! grep -q '^ID=debian' /etc/os-release; then
    say "needs Debian: it builds with the packages $tools and arm64 libraries from apt; nothing was changed" >&2
    exit 1
fi
if ! command -v aarch64-linux-gnu-g++ >/dev/null || ! command -v qemu-aarch64 >/dev/null; then
    if [ "$(id -u)" != 0 ]; then
        say "missing, and installing needs root: apt-get install --no-install-recommends $tools" >&2
        exit 1
    fi
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $tools
fi

[ "$(cat "$sysroot/packages" 2>/dev/null)" = "$libraries" ] && exit 0
say "arm64 libraries into $sysroot"
rm -rf "$sysroot"
apt=$sysroot/apt
mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
# An apt of its own: an arm64 machine on which nothing is installed.
settings=(-q -o "Dir::State=$apt/state" -o "Dir::Cache=$apt/cache" -o Dir::State::status=/dev/null -o Debug::NoLocking=1
    -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o APT::Sandbox::User="$(id -un)")
apt-get "${settings[@]}" update
apt-get "${settings[@]}" install -y --no-install-recommends --download-only $libraries
for package in "$apt"/cache/archives/*.deb; do dpkg-deb -x "$package" "$sysroot"; done
rm -r "$apt"
# Links to /lib and /usr mean the folder's own.
find "$sysroot" -type l -lname '/*' -exec sh -c 'for link; do ln -sfn "$0$(readlink "$link")" "$link"; done' "$sysroot" {} +
printf '%s' "$libraries" >"$sysroot/packages"
