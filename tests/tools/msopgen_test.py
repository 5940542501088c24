#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`sfumato msopgen`: the files of a project, and what is wrong with a description."""

import copy
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from installation import COMMAND
from raised import keep, raised


FILES = {"build.sh", "CMakeLists.txt", "CMakePresets.json", "op_host/CMakeLists.txt", "op_kernel/CMakeLists.txt"}


def tensor(name, kind="required", types=("fp16", "float")):
    return {"name": name, "param_type": kind, "type": list(types), "format": ["ND"] * len(types)}


def attr(name, kind, **more):
    return {"name": name, "param_type": "optional" if more else "required", "type": kind, **more}


ADD = {
    "op": "ScaleAdd",
    "language": "cpp",
    "input_desc": [tensor("x"), tensor("y", "optional")],
    "output_desc": [tensor("z")],
    "attr": [attr("alpha", "float", default_value="1"), attr("axes", "list_int", default_value=[0, 1])],
}
TYPES = (
    "bf16, bfloat16, bool, complex128, complex64, double, float, float16, float32, fp16, fp32, half, int16, int32, int4, int64, "
    "int8, uint16, uint32, uint64, uint8"
)


class Msopgen(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def gen(self, *words, expect=0, **env):
        done = subprocess.run(
            [COMMAND, "msopgen", *words],
            cwd=self.folder,
            capture_output=True,
            text=True,
            env={"PATH": "/usr/bin", **env},
        )
        self.assertEqual(done.returncode, expect, done.stderr)
        return done.stderr if expect else done.stdout

    def describe(self, *operators):
        (self.folder / "add.json").write_text(json.dumps(operators[0] if len(operators) == 1 else operators))
        return ("gen", "-i", "add.json", "-c", "ai_core-Ascend910B2", "-lan", "cpp", "-out", "proj")

    def files(self):
        root = self.folder / "proj"
        return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}

    def test_the_project(self):
        printed = self.gen(*self.describe([ADD]), "-f", "aclnn")
        self.assertEqual(printed, "wrote ScaleAdd in proj for ascend910b\n")
        own = {"op_host/scale_add.cpp", "op_host/scale_add_tiling.h", "op_kernel/scale_add.cpp"}
        self.assertEqual(self.files(), FILES | own)
        proj = self.folder / "proj"
        settings = json.loads((proj / "CMakePresets.json").read_text())["configurePresets"][0]["cacheVariables"]
        self.assertEqual(settings["ASCEND_COMPUTE_UNIT"]["value"], "ascend910b")
        self.assertEqual(settings["vendor_name"]["value"], "customize")
        self.assertTrue(os.access(proj / "build.sh", os.X_OK))
        self.assertIn("\nadd_kernels_compile()\n", (proj / "op_kernel/CMakeLists.txt").read_text())
        host = (proj / "op_host/scale_add.cpp").read_text()
        for line in (
            'this->Input("y")\n            .ParamType(OPTIONAL)\n            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})\n',
            'this->Attr("alpha").AttrType(OPTIONAL).Float(1.0f);\n',
            'this->Attr("axes").AttrType(OPTIONAL).ListInt({0, 1});\n',
            'this->AICore().AddConfig("ascend910b");\n',
            "OP_ADD(ScaleAdd);\n",
        ):
            self.assertIn(line, host)
        self.assertIn(
            "void scale_add(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)",
            (proj / "op_kernel/scale_add.cpp").read_text(),
        )
        # Another operator, of two in one file; the options in their long forms.
        other = {**ADD, "op": "Conv2DCustom"}
        self.describe([ADD, other])
        words = ("--input=add.json", "--compute_unit", "ai_core-ascend910b1", "--language", "cpp", "--output=proj")
        self.gen("gen", *words, "--mode", "1", "--operator", "Conv2DCustom")
        own |= {"op_host/conv2_d_custom.cpp", "op_host/conv2_d_custom_tiling.h", "op_kernel/conv2_d_custom.cpp"}
        self.assertEqual(self.files(), FILES | own)

    def test_chips(self):
        for chip, unit in (
            ("Ascend310P3", "ascend310p"),
            ("Ascend910_9392", "ascend910_93"),
            ("Ascend910A", "ascend910"),
        ):
            words = [*self.describe([ADD])]
            words[words.index("ai_core-Ascend910B2")] = f"ai_core-{chip}"
            words[-1] = chip
            self.assertEqual(self.gen(*words), f"wrote ScaleAdd in {chip} for {unit}\n")

    def test_the_command_line(self):
        words = self.describe([ADD])
        for wrong, sentence in (
            (words[1:], "the first word is '-i'; legal: gen"),
            ((*words, "-x"), "'-x' is no option; `msopgen --help` lists them"),
            ((*words, "-f"), "-f needs a value"),
            ((*words, "-lan", "py"), "-lan is 'py'; legal: cpp (Ascend C)"),
            ((*words, "-m", "2"), "-m is '2'; legal: 0, 1"),
            ((*words, "-m", "1"), "-m 1: proj holds no operator project"),
            ((*words, "-c", "aicpu"), "-c is 'aicpu'; legal: ai_core-SOC, e.g. ai_core-Ascend910B1"),
            ((*words, "-op", "Sub"), "add.json describes ScaleAdd; none of them is Sub"),
            ((*words, "-i", "no.json"), "no.json: no such file, or it cannot be read"),
            (("gen", "-c", "x"), "-i is missing: the JSON that describes the operators"),
        ):
            self.assertEqual(self.gen(*wrong, expect=1), f"msopgen: error: {sentence}\n")
        self.gen(*words)
        self.assertEqual(
            self.gen(*words, expect=1), "msopgen: error: proj holds an operator project; -m 1 adds to it\n"
        )
        self.assertEqual(
            self.gen(*words, expect=1, SFUMATO_CHIP="Ascend310P3"),
            "msopgen: error: fault [chip-mismatch] the project is for another family of chips than it is to run on\n"
            "  found:  SFUMATO_CHIP: Ascend310P3, of Ascend310P\n  legal:  a chip of Ascend910B\n"
            "  do:     sfumato env --chip Ascend910B2\n",
        )
        raised("chip-mismatch")
        two = self.describe([ADD, {**ADD, "op": "Sub"}])
        self.assertEqual(
            self.gen(*two, expect=1), "msopgen: error: add.json describes ScaleAdd, Sub; name one with -op\n"
        )
        self.assertTrue(self.gen("--help").startswith("usage: msopgen gen -i FILE.json"))

    def test_wrong_descriptions(self):
        def changed(path, value):
            op = copy.deepcopy(ADD)
            at = op
            for key in path[:-1]:
                at = at[key]
            if value is None:
                del at[path[-1]]
            else:
                at[path[-1]] = value
            return [op]

        for description, sentence in (
            (changed(["op"], None), '[0]: has no "op"'),
            (changed(["op"], "scale_add"), '[0].op: "scale_add" does not begin with a capital letter'),
            (changed(["op"], "Scale Add"), '[0].op: "Scale Add" cannot be the name of an operator'),
            (changed(["op"], 3), "[0].op: is 3; legal: a string"),
            (changed(["output_desc"], []), "[0].output_desc: is empty; legal: one or more"),
            (changed(["input_desc"], {}), "[0].input_desc: is {}; legal: a list"),
            (
                changed(["input_desc", 1, "type", 1], "fp15"),
                f'[0].input_desc[1].type[1]: is "fp15"; legal: {TYPES}',
            ),
            (
                changed(["input_desc", 1, "format"], ["ND"]),
                "[0].input_desc[1]: has 2 types and 1 formats; legal: as many, a column of each",
            ),
            (
                changed(["output_desc", 0], tensor("z", types=["int8"])),
                "[0].output_desc[0]: has 1 columns of types; legal: 2, as the tensors before",
            ),
            (changed(["input_desc", 1, "name"], "x"), '[0].input_desc[1]: "x" is the name of another'),
            (
                changed(["input_desc", 1, "param_type"], "maybe"),
                '[0].input_desc[1].param_type: is "maybe"; legal: dynamic, optional, required',
            ),
            (
                changed(["attr", 0, "type"], "half"),
                '[0].attr[0].type: is "half"; legal: bool, float, int, list_bool, list_float, list_int, list_list_int, string',
            ),
            (changed(["attr", 0, "default_value"], None), '[0].attr[0]: has no "default_value"'),
            (
                changed(["attr", 0, "default_value"], "much"),
                '[0].attr[0].default_value: is "much"; legal: a value for Float',
            ),
            (
                changed(["attr", 1, "default_value"], [0.5]),
                "[0].attr[1].default_value: is [0.5]; legal: a value for ListInt",
            ),
            ([ADD, ADD], '[1]: "ScaleAdd" is the name of another'),
        ):
            words = self.describe(description)
            self.assertEqual(self.gen(*words, expect=1), f"msopgen: error: add.json: {sentence}\n")
        self.assertEqual(
            self.gen(*self.describe([]), expect=1), "msopgen: error: add.json: the list holds no operator\n"
        )
        (self.folder / "add.json").write_text("[{]")
        self.assertIn("add.json: parse error at line 1, column 3", self.gen(*words, expect=1))
        self.assertEqual(self.files() if (self.folder / "proj").exists() else set(), set())


if __name__ == "__main__":
    keep("msopgen_test")
    unittest.main()
