# SPDX-License-Identifier: Apache-2.0
# Debian's packages into a folder, by an apt of its own: a machine on which nothing is installed. Sourced by scripts.

# Those debootstrap takes from.
mirror_of() {  # debian or ubuntu
    if [ "$1" = ubuntu ]; then sed -n 's/^\s*default_mirror \(.*archive.*\)/\1/p' /usr/share/debootstrap/scripts/jammy
    else sed -n 's/^DEF_MIRROR="\(.*\)"$/\1/p' "$(command -v debootstrap)"; fi
}

# FOLDER: Ubuntu's keys into FOLDER/ubuntu-archive-keyring.gpg. Debian 12 has none of them: their package is known by its sum.
unpack_ubuntu_keys() {
    local name=ubuntu-keyring_2021.03.26_all.deb sum=0d0e7ed6b112f5d03eabf3c7eb01ebdacf9c57714b279e90495cfc58c8c4520f
    mkdir -p "$1"
    /usr/lib/apt/apt-helper download-file "$(mirror_of ubuntu)/pool/main/u/ubuntu-keyring/$name" "$1/$name" SHA256:$sum
    dpkg-deb --fsys-tarfile "$1/$name" | tar -C "$1" -x --strip-components=4 ./usr/share/keyrings/ubuntu-archive-keyring.gpg
}

# FOLDER ARCHITECTURE SUITE with-what-they-need|alone PACKAGES...: unpacks them, and adds their versions to FOLDER/versions.
unpack_packages() {
    local folder=$1 architecture=$2 suite=$3 how=$4 apt=$1/apt system=debian settings package
    local keys=/usr/share/keyrings/debian-archive-keyring.gpg
    if [ "$suite" = jammy ]; then
        unpack_ubuntu_keys "$folder/keys"
        system=ubuntu keys=$folder/keys/ubuntu-archive-keyring.gpg
    fi
    mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
    printf 'deb [signed-by=%s] %s %s main\n' "$keys" "$(mirror_of $system)" "$suite" >"$apt/sources.list"
    settings=(-q -o "Dir::State=$apt/state" -o "Dir::Cache=$apt/cache" -o Dir::State::status=/dev/null -o Debug::NoLocking=1
        -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o "APT::Architecture=$architecture" -o "APT::Architectures::=$architecture" -o APT::Sandbox::User="$(id -un)")
    apt-get "${settings[@]}" update
    if [ "$how" = alone ]; then
        (cd "$apt/cache/archives" && apt-get "${settings[@]}" download "${@:5}")
    else
        apt-get "${settings[@]}" install -y --no-install-recommends --download-only "${@:5}"
    fi
    for package in "$apt"/cache/archives/*.deb; do
        dpkg-deb -x "$package" "$folder"
        dpkg-deb -W --showformat='${Package} ${Version}\n' "$package" >>"$folder/versions"
    done
    rm -r "$apt"
}
