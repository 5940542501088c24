"""info.py INI UNIT OUT: writes the description of the operators as JSON, a description and a script of each combination of
types, and prints the scripts."""

import configparser
import json
import sys
from pathlib import Path

SOC = {
    "ascend910b": "Ascend910B1",
    "ascend310p": "Ascend310P3",
    "ascend310b": "Ascend310B1",
    "ascend910": "Ascend910A",
    "ascend910_93": "Ascend910_9391",
    "ascend950": "Ascend950PR_9599",
}
ini, unit, out = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
if not ini.is_file():
    sys.exit(f"{ini.name}: no operator has AddConfig for {unit}")
parser = configparser.ConfigParser()
parser.optionxform = str
parser.read(ini)
ops = {}
for op in parser.sections():
    ops[op] = {}
    for key, value in parser[op].items():
        group, _, name = key.partition(".")
        ops[op].setdefault(group, {})[name] = value
out.mkdir(parents=True, exist_ok=True)
(out / ini.name.replace(".ini", ".json")).write_text(json.dumps(ops, indent=4))
for op, groups in ops.items():
    tensors = {kind: [g for name, g in groups.items() if name.startswith(kind)] for kind in ("input", "output")}
    for column in range(len(tensors["output"][0]["dtype"].split(","))):
        name = f"{op}_{column}"

        def described(tensor, index, column=column):
            return {
                "name": tensor["name"],
                "index": index,
                "dtype": tensor["dtype"].split(",")[column],
                "format": tensor["format"].split(",")[column],
                "paramType": tensor["paramType"],
                "shape": [-2],
            }

        one = {kind + "s": [described(t, i) for i, t in enumerate(list_)] for kind, list_ in tensors.items()}
        param = {"op_type": op, "op_list": [{"bin_filename": name, **one}]}
        (out / f"{name}_param.json").write_text(json.dumps(param, indent=2))
        kernel = groups["opFile"]["value"]
        to = out / "kernel" / unit / kernel
        script = out / f"{name}.sh"
        script.write_text(
            f"mkdir -p {to}\nopc {out}/{op}.py --main_func={groups['opInterface']['value']} --input_param={out}/{name}_param.json "
            f"--soc_version={SOC[unit]} --output={to} --impl_mode= --simplified_key_mode=0 --op_mode=dynamic || exit 1\n"
            f"test -s {to}/{name}.json && test -s {to}/{name}.o || {{ echo '{name}.json not generated'; exit 1; }}\n"
        )
        print(script)
