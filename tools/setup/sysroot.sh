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
headers_of_310=89246f12cdfb1fac7675bc94d5cc8b9c72320f152e855197668305c73c8588ec
declare -A mirror_of=([debian]=$(sed -n 's/^DEF_MIRROR="\(.*\)"$/\1/p' "$(command -v debootstrap)")
    [ubuntu]=$(sed -n 's/^\s*default_mirror \(.*archive.*\)/\1/p' /usr/share/debootstrap/scripts/jammy))

unpack() {  # SUITE with-what-they-need|alone PACKAGES...: into the folder, by an apt of its own: a machine on which nothing is installed
    local apt=$sysroot/apt system=debian architecture=$architecture trust=signed-by=/usr/share/keyrings/debian-archive-keyring.gpg settings
    # Debian has no keys of Ubuntu's: the package is known by its sum.
    if [ "$1" = jammy ]; then system=ubuntu architecture=amd64 trust=trusted=yes; fi
    mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
    printf 'deb [%s] %s %s main\n' "$trust" "${mirror_of[$system]}" "$1" >"$apt/sources.list"
    settings=(-q -o "Dir::State=$apt/state" -o "Dir::Cache=$apt/cache" -o Dir::State::status=/dev/null -o Debug::NoLocking=1
        -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o "APT::Architecture=$architecture" -o "APT::Architectures::=$architecture" -o APT::Sandbox::User="$(id -un)")
    apt-get "${settings[@]}" update
    if [ "$2" = alone ]; then
        (cd "$apt/cache/archives" && apt-get "${settings[@]}" download "${@:3}")
    else
        apt-get "${settings[@]}" install -y --no-install-recommends --download-only "${@:3}"
    fi
    if [ "$1" = jammy ]; then echo "$headers_of_310 $(echo "$apt"/cache/archives/*.deb)" | sha256sum --check --quiet; fi
    for package in "$apt"/cache/archives/*.deb; do
        dpkg-deb -x "$package" "$sysroot"
        dpkg-deb -W --showformat='${Package} ${Version}\n' "$package" >>"$sysroot/versions"
    done
    rm -r "$apt"
}

for suite in "${suites[@]}"; do unpack $suite; done
# Links to /lib and /usr mean the folder's own.
find "$sysroot" -type l -lname '/*' -exec sh -c 'for link; do ln -sfn "$0$(readlink "$link")" "$link"; done' "$sysroot" {} +
# Of libstdc++ an older one is linked, and what it lacks is taken from the compiler's archive.
if [ "$(basename "$sysroot")" = oldest ]; then
    echo 'INPUT(libstdc++.so.6 -l:libstdc++.a)' >"$sysroot/usr/lib/$arch-linux-gnu/libstdc++.so"
    cp -rn "$sysroot/usr/include/x86_64-linux-gnu/python3.10" "$sysroot/usr/include/$arch-linux-gnu"
fi
printf '%s' "$made" >"$sysroot/packages"
