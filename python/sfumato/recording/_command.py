# SPDX-License-Identifier: Apache-2.0
"""`sfumato record`: the kit that records what a board computes, what a record says, records that are kept."""

import argparse
import importlib.util
import json
import os
import sys
from pathlib import Path

from .._exit import NOT_RIGHT, OK, USAGE
from .._native import chips, records_dir
from . import _kit, _records
from ._digest import digest
from ._refusal import Refused

_EXAMPLES = """on a machine with Sfumato, then on the board, then again here (docs/recording.md):
  sfumato record write kit                     lays the kit: a program, its inputs, a README
  sfumato record digest kit                    what the bits say: the candidates that each question leaves
  sfumato record manifest kit --contributor N  writes kit/manifest.json, as kit/manifest.py does
  sfumato record import record-Ascend910B2.tar.gz
  sfumato record list

import refuses a record that was changed, is cut short, is of other probes, names another soc, or contradicts itself or
an older one. Records are kept in $SFUMATO_RECORDS, else in sfumato/records below $XDG_DATA_HOME or ~/.local/share.

exit codes: 0 done; 2 the command line is wrong, or the record was refused; 5 digest: a question is unanswered"""
_VERBS = ("write", "digest", "manifest", "import", "list")
_FAMILY = "Ascend910B"  # whose products the kit is for


def _parser():
    parser = argparse.ArgumentParser(
        "sfumato record", description=__doc__, epilog=_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("verb", choices=_VERBS, metavar="verb", help="write, digest, manifest, import, or list")
    parser.add_argument("folder", nargs="?", help="the kit's folder; of digest and import also record-<soc>.tar.gz")
    parser.add_argument("--json", action="store_true", help="of digest and list: everything as JSON")
    parser.add_argument("--contributor", metavar="NAME", help="of manifest: who gives the record")
    parser.add_argument("--toolkit", metavar="VERSION", help="of manifest: the board's, where it is not found")
    parser.add_argument("--driver", metavar="VERSION", help="of manifest: the board's, where it is not found")
    return parser


def _write(options):
    size = _kit.write(Path(options.folder))
    probes = f"{len(_kit.probes())} probes of {_kit.VERSION}, {size >> 10} KiB of inputs"
    print(f"{options.folder}: {probes}; read {options.folder}/README.md")
    return OK


def _digest(options):
    found = digest(Path(options.folder))
    if options.json:
        json.dump(found.to_dict(), sys.stdout, indent=1)
        print()
    else:
        print(found.text(), end="")
    return NOT_RIGHT if found.unanswered else OK


def _manifest(options):
    """By the kit's own script."""
    spec = importlib.util.spec_from_file_location("manifest", _kit.FILES / "manifest.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    if not options.contributor:
        raise Refused(
            "no manifest is written: nobody gives the record",
            found="no --contributor", legal="a name, or how you sign",
            do=f"sfumato record manifest {options.folder} --contributor NAME",
        )  # fmt: skip
    manifest = script.write(options.folder, options.contributor, options.toolkit, options.driver)
    for name in ("soc", "toolkit", "driver", "contributor", "licence"):
        print(f"{name}: {manifest[name]}")
    return OK


def _products():
    return next(list(chip["products"]) for chip in chips() if chip["name"] == _FAMILY)


def _import(options):
    done = _records.import_record(Path(options.folder), Path(records_dir()), _products())
    said = ", ".join(f"--{name} {value}" for name, value in done.numerics["settings"].items()) or "no setting"
    print(f"{done.folder}: {len(done.numerics['tables'])} tables of half, {said}")
    if done.again:
        print(f"the same bits as of {', '.join(done.numerics['confirmed'])}: confirmed")
    if done.digest.unanswered:
        print(f"unanswered: {', '.join(done.numerics['unanswered'])} (`sfumato record digest` says more)")
    return OK


def _list(options):
    found = _records.known(Path(records_dir()))
    if options.json:
        json.dump(found, sys.stdout, indent=1)
        print()
        return OK
    if not found:
        print(f"no records in {records_dir()}")
    for one in found:
        said = ", ".join(f"{name} {value}" for name, value in one["settings"].items())
        by = ", ".join([one["contributor"], *one["confirmed"]])
        print(f"{one['soc']}: {said}; by {by}; toolkit {one['toolkit']}, driver {one['driver']}, {one['licence']}")
    return OK


def main(arguments: list[str]) -> int:
    parser = _parser()
    options = parser.parse_intermixed_args(arguments)  # --json may stand before the folder
    if options.verb != "list" and not options.folder:
        parser.error(f"{options.verb} needs a folder")
    verbs = {"write": _write, "digest": _digest, "manifest": _manifest, "import": _import, "list": _list}
    try:
        return verbs[options.verb](options)
    except Refused as refused:
        print(refused, file=sys.stderr)
        return USAGE
    except BrokenPipeError:  # the reader had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        print(f"error: {error.filename or options.folder}: {error.strerror}", file=sys.stderr)
        return USAGE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
