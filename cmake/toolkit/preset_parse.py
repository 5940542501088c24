# SPDX-License-Identifier: Apache-2.0
"""preset_parse.py FILE: the variables of the first preset of CMakePresets.json, as cmake takes them. build.sh of projects calls it."""

import json
import os
import sys

if len(sys.argv) != 2:
    sys.exit(f"usage: {os.path.basename(sys.argv[0])} CMakePresets.json")
path = os.path.abspath(sys.argv[1])
try:
    with open(path, encoding="utf-8") as file:
        presets = json.load(file).get("configurePresets", [])
except (OSError, ValueError) as error:
    sys.exit(f"{sys.argv[1]}: {error}")
variables = presets[0].get("cacheVariables", {}) if presets else {}
words = []
for name, value in variables.items():
    value = value.get("value", "") if isinstance(value, dict) else value
    words.append(f"-D{name}={value}".replace("${sourceDir}", os.path.dirname(path)))
print(" ".join(words))
