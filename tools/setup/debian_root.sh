# SPDX-License-Identifier: Apache-2.0
# Folders with a Debian of their own, for trials and builds; sourced by scripts that define say().
. "$(dirname "${BASH_SOURCE[0]}")/own_apt.sh"

# FOLDER COMMAND...: as root of that folder, with none of our environment. A root, not chroot, in which the judge's sandbox would be
# a partial one; with /proc, without which programs do not find libraries beside them, and /dev. BIND="FROM TO" shows a folder of ours below it, to this command only.
in_debian_root() {
    root=$1 bind=${BIND:-} unshare --mount --pid --fork bash -euc '
        mount --make-rprivate /
        mount --bind "$root" "$root" && cd "$root"
        mount -t proc proc proc
        mount --rbind /dev dev
        if [ -n "$bind" ]; then mkdir -p ".${bind#* }" && mount --bind "${bind% *}" ".${bind#* }"; fi
        mkdir -p .before && pivot_root . .before && umount --lazy /.before
        exec env -i HOME=/root LANG=C.UTF-8 PATH=/usr/bin:/usr/sbin DEBIAN_FRONTEND=noninteractive "$@"' bash "${@:2}"
}

# FOLDER SUITE PACKAGES [ARCH]: the folder holds the smallest Debian of that suite and these packages; made once. ARCH is a processor
# whose programs this machine can start.
make_debian_root() {
    local root=$1 suite=$2 packages=$3 arch=${4:-$(dpkg --print-architecture)} ubuntu=() mirror=
    if [ -f "$root/packages" ] && [ "$(cat "$root/packages")" = "$packages" ]; then return; fi
    if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
        say "a folder with Debian's $suite needs root and debootstrap; nothing was changed" >&2
        return 1
    fi
    say "$suite into $root"
    mkdir -p "$root"
    if [ "$suite" = jammy ]; then
        unpack_ubuntu_keys "$root.keys" >"$root.log"
        ubuntu=(--keyring="$root.keys/ubuntu-archive-keyring.gpg" --components=main,universe) mirror=$(mirror_of ubuntu)
    fi
    [ -x "$root/usr/bin/apt-get" ] || debootstrap --arch="$arch" --variant=minbase "${ubuntu[@]}" "$suite" "$root" $mirror >>"$root.log"
    in_debian_root "$root" apt-get -qq update
    in_debian_root "$root" apt-get -qq install -y --no-install-recommends $packages >>"$root.log"
    printf '%s' "$packages" >"$root/packages"
}
