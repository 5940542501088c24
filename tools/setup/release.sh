#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tools/setup/release.sh VERSION: tags a committed version as vVERSION, with its part of CHANGELOG.md as the notes. `--notes` only prints them.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
fail() {
    printf 'release: %s\n' "$*" >&2
    exit 1
}
version=${1:?usage: tools/setup/release.sh VERSION [--notes]}
notes=$(awk -v version="$version" '/^## / {on = $2 == version} on && !/^## /' CHANGELOG.md)
[ -n "$notes" ] || fail "CHANGELOG.md has no section '## $version - DATE'"
if [ "${2:-}" = --notes ]; then
    printf '%s\n' "$notes"
    exit
fi
grep -q "^project(Sfumato VERSION $version " CMakeLists.txt || fail "CMakeLists.txt states another version than $version"
grep -qE "^## $version - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md || fail "CHANGELOG.md does not date $version: write '## $version - $(date +%F)'"
[ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed"
git rev-parse -q --verify "refs/tags/v$version" >/dev/null && fail "v$version is already tagged"
printf 'Sfumato %s\n\n%s\n' "$version" "$notes" | git tag -a "v$version" --cleanup=verbatim -F -
printf 'release: tagged v%s; push it with: git push origin v%s\n' "$version" "$version"
