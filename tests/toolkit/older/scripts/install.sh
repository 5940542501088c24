#!/bin/bash
# Copies the package to ASCEND_OPP_PATH, or where --install-path says, and puts its vendor first in config.ini.
for word in "$@"; do
    case $word in
        --install-path=*) path=${word#*=} ;;
        --quiet) quiet=1 ;;
    esac
done
root=${path:-$ASCEND_OPP_PATH}
[ -n "$root" ] || { echo "[ERROR] neither ASCEND_OPP_PATH nor --install-path" >&2; exit 1; }
for vendor in packages/vendors/*; do
    name=$(basename "$vendor")
    mkdir -p "$root/vendors"
    rm -rf "$root/vendors/$name" && cp -r "$vendor" "$root/vendors/" || exit 1
    list=$root/vendors/config.ini
    others=$(sed -n 's/^load_priority=//p' "$list" 2> /dev/null | tr ',' '\n' | grep -vx "$name" | paste -sd,)
    echo "load_priority=$name${others:+,$others}" > "$list"
done
[ -n "$quiet" ] || echo SUCCESS
