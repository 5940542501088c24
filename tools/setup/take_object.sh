#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A compiler launcher: takes the object from the build tree SFUMATO_OBJECTS where that has it, else compiles. The tests pack a
# wheel so, of what they have built already; both trees have the same flags, and the same paths below them.
set -eu
for ((i = 1; i < $#; ++i)); do
    if [ "${!i}" = -o ]; then
        at=$((i + 1)) out=${!at}
        [ "${out##*.}" = o ] && [ -f "$SFUMATO_OBJECTS/$out" ] && exec cp "$SFUMATO_OBJECTS/$out" "$out"
    fi
done
exec "$@"
