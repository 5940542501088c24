# SPDX-License-Identifier: Apache-2.0
"""Writes manifest.json beside what `record` or record_torch.py wrote, and packs both:  python3 manifest.py "Your Name"

Nothing but Python is needed. What was found of the board's software is said, and can be given instead:
    --toolkit TEXT  --driver TEXT  --folder DIR
"""

import argparse
import glob
import hashlib
import json
import os
import re
import sys
import tarfile

LICENCE = "CC0-1.0"
UNKNOWN = "unknown"
DRIVER = ("/usr/local/Ascend/driver/version.info",)


def version(paths):
    """The version that the first readable of these files names."""
    for path in paths:
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                found = re.search(r"^\s*version\s*=\s*(\S+)", file.read(), re.MULTILINE | re.IGNORECASE)
        except OSError:
            continue
        if found:
            return found[1]
    return UNKNOWN


def toolkit_files():
    """Where the pages of the toolkit's installation say that its version stands."""
    homes = [os.environ.get(name, "") for name in ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME")]
    homes += ["/usr/local/Ascend/cann", "/usr/local/Ascend/ascend-toolkit/latest"]
    names = ("*-linux/ascend_toolkit_install.info", "ascend_toolkit_install.info", "version.info")
    return [path for home in homes if home for name in names for path in sorted(glob.glob(os.path.join(home, name)))]


def told(folder):
    """board.txt: what the program was told by the board."""
    with open(os.path.join(folder, "board.txt"), encoding="utf-8") as file:
        return dict(line.rstrip("\n").split(" ", 1) for line in file if " " in line)


def files(folder):
    """What a record holds, but for the manifest: paths below the folder."""
    outputs = sorted(os.listdir(os.path.join(folder, "outputs")))
    return ["board.txt", "plan.txt", *(f"outputs/{name}" for name in outputs if name.endswith((".bin", ".again")))]


def write(folder, contributor, toolkit=None, driver=None):
    """Writes and returns the manifest. Raises OSError where nothing was recorded."""
    board = told(folder)
    manifest = {
        "format": 1,
        "kind": board.get("kind", "instructions"),
        "soc": board.get("soc", UNKNOWN),
        "probes": board.get("probes", UNKNOWN),
        "toolkit": toolkit or version(toolkit_files()),
        "driver": driver or version(DRIVER),
        "contributor": contributor,
        "licence": LICENCE,
        "hashes": {},
    }
    for name in files(folder):
        with open(os.path.join(folder, name), "rb") as file:
            manifest["hashes"][name] = hashlib.sha256(file.read()).hexdigest()
    with open(os.path.join(folder, "manifest.json"), "w", encoding="utf-8") as file:
        json.dump(manifest, file, indent=1)
        file.write("\n")
    return manifest


def pack(folder, manifest):
    """record-<soc>.tar.gz beside the manifest: what is sent."""
    path = os.path.join(folder, "record-{}.tar.gz".format(re.sub(r"\W", "_", manifest["soc"])))
    with tarfile.open(path, "w:gz") as archive:
        for name in ("manifest.json", *manifest["hashes"]):
            archive.add(os.path.join(folder, name), name, filter=nameless)
    return path


def nameless(entry):
    """The entry of the archive without who owns the file, and since when."""
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    return entry


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("contributor")
    for name in ("--toolkit", "--driver"):
        parser.add_argument(name)
    parser.add_argument("--folder", default=".")
    options = parser.parse_args()
    try:
        manifest = write(options.folder, options.contributor, options.toolkit, options.driver)
    except OSError as error:
        sys.exit(f"error: {error}: run ./record or record_torch.py first")
    for name in ("soc", "toolkit", "driver", "contributor", "licence"):
        print(f"{name}: {manifest[name]}")
    print("send", pack(options.folder, manifest))


if __name__ == "__main__":
    main()
