#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The operator projects of projects/ through the toolkit folder: build.sh of msopgen, the package it makes, and a caller of the
aclnn functions that the package installs."""

import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from installation import COMMAND, TOOLKIT

sys.dont_write_bytecode = True
FOLDER = Path(__file__).resolve().parent
CHIP = os.environ["SFUMATO_CHIP"] = "Ascend910B1"
import project_table  # noqa: E402
import sfumato  # noqa: E402

TYPES = {
    "float32": 0,
    "float16": 1,
    "int8": 2,
    "int32": 3,
    "uint8": 4,
    "int16": 6,
    "uint16": 7,
    "uint32": 8,
    "int64": 9,
    "bool": 12,
    "bfloat16": 27,
}
FORMATS = {"ND": 2, "NC1HWC0": 3, "FRACTAL_NZ": 29}
TO_DEVICE, TO_HOST = 1, 2
ACL = ctypes.CDLL(str(TOOLKIT / "lib64/libascendcl.so"))
NNOP = ctypes.CDLL(str(TOOLKIT / "lib64/libnnopbase.so"))
for _name in (
    "aclCreateTensor",
    "aclCreateTensorList",
    "aclCreateIntArray",
    "aclCreateFloatArray",
    "aclCreateBoolArray",
):
    getattr(NNOP, _name).restype = ctypes.c_void_p
ACL.aclGetRecentErrMsg.restype = ctypes.c_char_p


class Device:
    """Arrays in memory of the device, as aclTensor."""

    def __init__(self):
        self.blocks = []

    def allocate(self, size):
        block = ctypes.c_void_p()
        assert ACL.aclrtMalloc(ctypes.byref(block), ctypes.c_size_t(max(size, 32)), 0) == 0
        self.blocks.append(block)
        return block

    def tensor(self, array, format="ND"):
        data = np.array(array, order="C")
        block = self.allocate(data.nbytes)
        if data.nbytes:
            size = ctypes.c_size_t(data.nbytes)
            assert ACL.aclrtMemcpy(block, size, data.ctypes.data_as(ctypes.c_void_p), size, TO_DEVICE) == 0
        dims = (ctypes.c_int64 * data.ndim)(*data.shape)
        strides = (ctypes.c_int64 * data.ndim)(*(s // data.itemsize for s in data.strides))
        rank = ctypes.c_uint64(data.ndim)
        made = NNOP.aclCreateTensor(
            dims, rank, TYPES[data.dtype.name], strides, ctypes.c_int64(0), FORMATS[format], dims, rank, block
        )
        return ctypes.c_void_p(made), block

    def read(self, block, like):
        got = np.empty(like.shape, like.dtype)
        if got.nbytes:
            size = ctypes.c_size_t(got.nbytes)
            assert ACL.aclrtMemcpy(got.ctypes.data_as(ctypes.c_void_p), size, block, size, TO_HOST) == 0
        return got

    def close(self):
        for block in self.blocks:
            ACL.aclrtFree(block)


def array_of(value):
    """(array, format) of an input of the table."""
    return (value.array, value.format) if isinstance(value, sfumato.Tensor) else (value, "ND")


def list_of(tensors):
    pointers = (ctypes.c_void_p * len(tensors))(*(t.value for t in tensors))
    return ctypes.c_void_p(NNOP.aclCreateTensorList(pointers, ctypes.c_uint64(len(tensors))))


def attribute(attr, value):
    if attr.type == "list of float":
        return ctypes.c_void_p(
            NNOP.aclCreateFloatArray((ctypes.c_float * len(value))(*value), ctypes.c_uint64(len(value)))
        )
    if attr.type == "list of int":
        return ctypes.c_void_p(
            NNOP.aclCreateIntArray((ctypes.c_int64 * len(value))(*value), ctypes.c_uint64(len(value)))
        )
    if attr.type == "list of bool":
        return ctypes.c_void_p(
            NNOP.aclCreateBoolArray((ctypes.c_bool * len(value))(*value), ctypes.c_uint64(len(value)))
        )
    if attr.type == "string":
        return ctypes.c_char_p(value.encode())
    return {"bool": ctypes.c_bool, "int": ctypes.c_int64, "float": ctypes.c_double}[attr.type](value)


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name).resolve()
        cls.libraries = {}
        os.environ["SFUMATO_CACHE"] = str(cls.folder / "cache")
        tensor = {"name": "x", "param_type": "required", "format": ["ND"], "type": ["float"]}
        description = [{"op": "Skeleton", "input_desc": [tensor], "output_desc": [{**tensor, "name": "y"}]}]
        (cls.folder / "op.json").write_text(json.dumps(description), encoding="utf-8")
        cls.run_it("msopgen", "gen", "-i", "op.json", "-c", f"ai_core-{CHIP}", "-lan", "cpp", "-out", "skeleton")

    @classmethod
    def run_it(cls, *words):
        command = [str(COMMAND), "env", "--chip", CHIP, "--", *map(str, words)]
        environment = {**os.environ, "XDG_DATA_HOME": str(cls.folder / "data")}
        done = subprocess.run(command, cwd=cls.folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}"

    def library(self, project):
        """libcust_opapi.so of the project's package, built and installed once."""
        if project.folder not in self.libraries:
            source = self.folder / project.folder
            shutil.copytree(FOLDER / "projects" / project.folder, source)
            for file in ("build.sh", "CMakePresets.json"):
                shutil.copy(self.folder / "skeleton" / file, source)
            shutil.copytree(FOLDER / "projects/common", source / "common")
            self.run_it("bash", source / "build.sh")
            (package,) = source.glob("build_out/custom_opp_*.run")
            installed = self.folder / f"opp_{project.folder}"
            self.run_it(package, "--quiet", f"--install-path={installed}")
            (library,) = installed.glob("vendors/*/op_api/lib/libcust_opapi.so")
            self.libraries[project.folder] = ctypes.CDLL(str(library))
        return self.libraries[project.folder]

    def check(self, project):
        library = self.library(project)
        op = sfumato.load_op(FOLDER / "projects" / project.folder, chip=CHIP, op=project.name)
        rng = np.random.default_rng(sum(project.name.encode()))
        for case in project.chips[CHIP]:
            inputs, attrs, want = project.make(rng, *case)
            self.call(library, op, inputs, attrs, want if isinstance(want, tuple) else (want,), f"{project.name}{case}")

    def call(self, library, op, inputs, attrs, want, what):
        device = Device()
        words, places = [], {}
        inputs = [*inputs, *[None] * (len(op.inputs) - len(inputs))]
        for param, value in zip(op.inputs, inputs):
            if value is None:
                words.append(ctypes.c_void_p(None))
            elif param.value_depend:
                flat = np.asarray(value).ravel().tolist()
                numbers = (ctypes.c_int64 * len(flat))(*flat)
                words.append(ctypes.c_void_p(NNOP.aclCreateIntArray(numbers, ctypes.c_uint64(len(flat)))))
            elif param.kind == "dynamic":
                words.append(list_of([device.tensor(*array_of(v))[0] for v in value]))
            else:
                tensor, places[param.name] = device.tensor(*array_of(value))
                words.append(tensor)
        for attr in op.attrs:
            words.append(attribute(attr, attrs.get(attr.name, attr.default)))
        for i, param in enumerate(op.outputs):
            if param.name in places:
                continue  # <name>Ref stands among the inputs
            formats = set(param.formats)
            given = {array_of(v)[1] for v in inputs if isinstance(v, sfumato.Tensor)}
            format = given.pop() if given & formats else "ND" if "ND" in formats else formats.pop()
            tensor, places[param.name] = device.tensor(np.full(want[i].shape, 1, want[i].dtype), format)
            words.append(tensor)
        size, executor = ctypes.c_uint64(), ctypes.c_void_p()
        first = getattr(library, f"aclnn{op.name}GetWorkspaceSize")
        code = first(*words, ctypes.byref(size), ctypes.byref(executor))
        self.assertEqual(code, 0, f"{what}: {(ACL.aclGetRecentErrMsg() or b'').decode()}")
        workspace = device.allocate(size.value) if size.value else ctypes.c_void_p(None)
        code = getattr(library, f"aclnn{op.name}")(workspace, size, executor, ctypes.c_void_p(None))
        self.assertEqual(code, 0, f"{what}: {(ACL.aclGetRecentErrMsg() or b'').decode()}")
        for param, w in zip(op.outputs, want):
            got = device.read(places[param.name], w)
            self.assertEqual(got.tobytes(), w.tobytes(), f"{what}, output {param.name}")
        device.close()


def _add(project):
    setattr(Packages, f"test_{project.name}", lambda self: self.check(project))


for _project in project_table.PROJECTS:
    _add(_project)

if __name__ == "__main__":
    unittest.main()
