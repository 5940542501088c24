#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sysroot.sh FOLDER ARCH: Debian's libraries to compile against with cmake/sysroot.cmake, ARCH x86_64 or aarch64, in FOLDER:
#   FOLDER/current  the machine's Debian with all that tests need (`make arm64`)
#   FOLDER/oldest   libc of bullseye, our libraries of bookworm, headers of the Pythons that wheels are made for (`make wheels`), of
#                   which Debian never had 3.10: they are those of Ubuntu 22.04 for x86-64, which differ from aarch64's in nothing that counts
#   FOLDER/compiler bookworm's cross compiler for ARCH with all that it needs on this machine, for the trial of a wheel under qemu
# The last part of FOLDER says which. Installs a cross compiler and the emulator where it may (Debian as root), else says what is missing.
# The machine's own packages and architectures stay as they are.
set -eu
sysroot=$(realpath -m "$1") arch=$2
declare -A architecture_of=([x86_64]=amd64 [aarch64]=arm64)
architecture=${architecture_of[$arch]}
libraries='libhwy-dev libfmt-dev libtomlplusplus-dev nlohmann-json3-dev libcli11-dev libxxhash-dev zlib1g-dev'
here=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
case $(basename "$sysroot") in
current) suites=("$here with-what-they-need libc6-dev libstdc++6 libgtest-dev libgmock-dev libmpfr-dev libgmp-dev libboost-context-dev $libraries") ;;
oldest) suites=(
    'bullseye alone libc6 libc6-dev linux-libc-dev libcrypt1 libcrypt-dev libgcc-s1 libstdc++6 libpython3.9-dev'
    "bookworm alone $libraries zlib1g libfmt9 libtomlplusplus3 libxxhash0 libboost1.74-dev libboost-context1.74-dev libboost-context1.74.0 libpython3.11-dev"
    'trixie alone libpython3.13-dev' 'jammy alone libpython3.10-dev') ;;
compiler) suites=("bookworm with-what-they-need g++-${arch//_/-}-linux-gnu") architecture=${architecture_of[$(uname -m)]} ;;
*) echo "sysroot.sh: $1 must end in current, oldest or compiler" >&2 && exit 1 ;;
esac

. "$(dirname "${BASH_SOURCE[0]}")/own_apt.sh"
say() { printf 'sysroot.sh: %s\n' "$*"; }

if ! command -v apt-get >/dev/null || ! grep -q '^ID=debian' /etc/os-release; then
    say "needs Debian, from whose packages it makes $sysroot; nothing was changed" >&2
    exit 1
fi
tools='debootstrap'
if [ "$arch" != "$(uname -m)" ]; then tools+=" g++-${arch//_/-}-linux-gnu qemu-user qemu-user-static"; fi
if ! dpkg --status $tools >/dev/null 2>&1; then
    if [ "$(id -u)" != 0 ]; then
        say "missing, and installing needs root: apt-get install --no-install-recommends $tools" >&2
        exit 1
    fi
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $tools
fi

made=$(printf '%s\n' "$architecture" "${suites[@]}")
[ "$(cat "$sysroot/packages" 2>/dev/null)" = "$made" ] && exit 0
say "libraries for $arch into $sysroot"
rm -rf "$sysroot"
for suite in "${suites[@]}"; do
    if [ "${suite%% *}" = jammy ]; then unpack_packages "$sysroot" amd64 $suite; else unpack_packages "$sysroot" "$architecture" $suite; fi
done
# Links to /lib and /usr mean the folder's own, also where it is copied to.
find "$sysroot" -type l -lname '/*' -exec sh -c 'for link; do ln -sfnr "$0$(readlink "$link")" "$link"; done' "$sysroot" {} +
# Of libstdc++ an older one is linked, and what it lacks is taken from the compiler's archive.
if [ "$(basename "$sysroot")" = oldest ]; then
    echo 'INPUT(libstdc++.so.6 -l:libstdc++.a)' >"$sysroot/usr/lib/$arch-linux-gnu/libstdc++.so"
    cp -rn "$sysroot/usr/include/x86_64-linux-gnu/python3.10" "$sysroot/usr/include/$arch-linux-gnu"
fi
printf '%s' "$made" >"$sysroot/packages"
