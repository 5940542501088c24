# SPDX-License-Identifier: Apache-2.0
# Debian's packages into a folder, by an apt of its own: a machine on which nothing is installed. Sourced by scripts.

# Those debootstrap takes from.
mirror_of() {  # debian or ubuntu
    if [ "$1" = ubuntu ]; then sed -n 's/^\s*default_mirror \(.*archive.*\)/\1/p' /usr/share/debootstrap/scripts/jammy
    else sed -n 's/^DEF_MIRROR="\(.*\)"$/\1/p' "$(command -v debootstrap)"; fi
}

# FOLDER ARCHITECTURE SUITE with-what-they-need|alone PACKAGES...: unpacks them, and adds their versions to FOLDER/versions. A function
# check_packages, where there is one, sees SUITE and the files first.
unpack_packages() {
    local folder=$1 architecture=$2 suite=$3 how=$4 apt=$1/apt system=debian settings package
    local trust=signed-by=/usr/share/keyrings/debian-archive-keyring.gpg
    # Debian has no keys of Ubuntu's: such a package is known by its sum.
    if [ "$suite" = jammy ]; then system=ubuntu trust=trusted=yes; fi
    mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
    printf 'deb [%s] %s %s main\n' "$trust" "$(mirror_of $system)" "$suite" >"$apt/sources.list"
    settings=(-q -o "Dir::State=$apt/state" -o "Dir::Cache=$apt/cache" -o Dir::State::status=/dev/null -o Debug::NoLocking=1
        -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o "APT::Architecture=$architecture" -o "APT::Architectures::=$architecture" -o APT::Sandbox::User="$(id -un)")
    apt-get "${settings[@]}" update
    if [ "$how" = alone ]; then
        (cd "$apt/cache/archives" && apt-get "${settings[@]}" download "${@:5}")
    else
        apt-get "${settings[@]}" install -y --no-install-recommends --download-only "${@:5}"
    fi
    if declare -F check_packages >/dev/null; then check_packages "$suite" "$apt"/cache/archives/*.deb; fi
    for package in "$apt"/cache/archives/*.deb; do
        dpkg-deb -x "$package" "$folder"
        dpkg-deb -W --showformat='${Package} ${Version}\n' "$package" >>"$folder/versions"
    done
    rm -r "$apt"
}
