# SPDX-License-Identifier: Apache-2.0
"""With PyTorch: models, and bundles for direct launches, on the device `npu`.

Provenance (docs/spec/clients.md, 7.4): a dispatch mode sees every operator of PyTorch within forward and keeps the bytes it
stored; what differs from them in the end a kernel stored since.
"""

import importlib
import os
import subprocess
import sys
import sysconfig
import time
import traceback
from types import SimpleNamespace

import numpy as np

from .. import _native
from .._foreign import of_torch, to_torch
from .launches import Launches
from .scripts import load, place_of
from .verdicts import Ended, of_report

_HAND_WRITTEN = 0.01  # of the bytes of a copy: where a kernel changed more, the rest counts as its own, too
# What allocates, and what gives the elements another place or type: D3 lets it be.
_FACTORIES = (
    "empty empty_like empty_strided new_empty new_empty_strided zeros zeros_like new_zeros ones ones_like new_ones full"
)
_FACTORIES += " full_like new_full arange fill_ zero_ scalar_tensor"
_COPIES = "copy_ _to_copy clone contiguous to _copy_from _copy_from_and_resize lift_fresh_copy npu_format_cast"
_VIEWS = "view _unsafe_view reshape _reshape_alias permute transpose t expand slice select squeeze unsqueeze as_strided detach"
_VIEWS += " alias split split_with_sizes chunk unbind unfold narrow diagonal view_as resize_ set_ _local_scalar_dense is_pinned"
_VIEWS += " get_npu_format get_storage_size"
_KINDS = {
    name: kind
    for kind, names in (("view", _VIEWS), ("copy", _COPIES), ("factory", _FACTORIES))
    for name in names.split()
}
# Where the warm parent, which imports this, has what was compiled of torch_npu.
_CACHES = {name: os.environ[name] for name in ("SFUMATO_CACHE", "XDG_CACHE_HOME", "HOME") if name in os.environ}


def array_of(tensor):
    return of_torch(tensor.detach().to("cpu").contiguous(), "a tensor")


def plain(value):
    """Tensors as arrays, in lists and mappings, too."""
    if hasattr(value, "detach"):
        return array_of(value)
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return {k: plain(part) for k, part in value.items()} if isinstance(value, dict) else value


def whole(value, device="cpu"):
    if isinstance(value, np.ndarray):
        return to_torch(value.copy()).to(device)
    if isinstance(value, list):
        return [whole(part, device) for part in value]
    return {k: whole(part, device) for k, part in value.items()} if isinstance(value, dict) else value


def outputs_of(result):
    return list(result) if isinstance(result, (tuple, list)) else [result]


def _watch(modes, profile):
    """A dispatch mode that appends (operator, kind, outputs) to its list `seen`, and to `called` the notes of reference
    operators that no operator of PyTorch called."""

    class Watch(modes.TorchDispatchMode):
        def __init__(self):
            super().__init__()
            self.seen, self.called, self._told = [], [], 0

        def references(self):
            """The notes since the last time."""
            profile.step()
            begun, self._told = self._told, len(profile.references)
            return profile.references[begun:]

        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            self.called += self.references()
            result = function(*args, **(kwargs or {}))
            self.references()
            space, _, name = function._schema.name.partition("::")
            kind = _KINDS.get(name, "torch")
            stored = []
            if kind != "view":
                for tensor in outputs_of(result):
                    if hasattr(tensor, "detach") and tensor.device.type != "cpu" and tensor.is_contiguous():
                        stored.append((tensor.data_ptr(), array_of(tensor).reshape(-1).view(np.uint8).copy()))
            self.seen.append((f"{space}::{name}", kind, stored))
            return result

    return Watch()


class Model(Launches):
    """submission: of kind model or direct; made: {"init", "seed"} of a task in KernelBench's form."""

    def __init__(self, submission, chip, made, allow):
        try:
            import torch
        except ImportError:
            raise Ended("invalid", "this kind of submission needs PyTorch, which is not installed") from None
        importlib.import_module("sfumato.torch_npu")
        self._submission, self._chip, self._allow = submission, chip, set(allow)
        self._torch, self._npu = torch, sys.modules["torch_npu"]
        if made is None:
            raise Ended("invalid", "a model needs a task in KernelBench's form: Model, get_inputs, get_init_inputs")
        if submission.kind == "direct":
            self._build_bundle()
        init = whole(made["init"])
        try:
            module = load(submission.entry, None, "sfumato_submission")
            kind = getattr(module, submission.name or "ModelNew")
            torch.manual_seed(made["seed"])
            self._model = kind(*init)
            if isinstance(self._model, torch.nn.Module):
                self._model = self._model.to("npu")
        except MemoryError:
            raise
        except BaseException as error:  # noqa: BLE001 - the submission's
            self._raised(error, "no-compile")

    def _build_bundle(self):
        """The extension of a bundle: its sources by bisheng, as one library in the working folder."""
        from torch.utils import cpp_extension
        from torch_npu.utils import cpp_extension as own

        build = self._submission.build
        name = str(build.get("module_name", "custom_ops_lib"))
        sources = [*build.get("kernel_sources", []), *build.get("binding_sources", [])]
        missing = [source for source in sources if source not in self._submission.files]
        if missing or not sources:
            raise Ended(
                "invalid", f"build: {missing[0]!r} is no file of the bundle" if missing else "build: no sources"
            )
        os.environ.update(_CACHES)
        folders = [*own.include_paths(), *cpp_extension.include_paths(), sysconfig.get_paths()["include"]]
        folders += [str(folder) for folder in build.get("include_dirs", [])]
        libraries = [*own.library_paths(), *cpp_extension.library_paths()]
        os.environ.update({"SFUMATO_CACHE": os.path.abspath("cache"), "HOME": os.getcwd()})
        objects = []
        abi = int(self._torch._C._GLIBCXX_USE_CXX11_ABI)
        for number, source in enumerate(sources):
            objects.append(f"object{number}.o")
            command = [own.bisheng(), "-x", "asc", "-c", source, "-o", objects[-1], "-fPIC", "-w"]
            command += [f"-I{folder}" for folder in folders]
            command += [f"-DTORCH_EXTENSION_NAME={name}", "-DTORCH_API_INCLUDE_EXTENSION_H"]
            self._run([*command, f"-D_GLIBCXX_USE_CXX11_ABI={abi}"], source)
        command = [own.bisheng(), "-shared", *objects, "-o", f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}"]
        command += [f"-L{folder}" for folder in libraries] + [f"-Wl,-rpath,{folder}" for folder in libraries]
        self._run([*command, "-ltorch_npu", "-lsfumato", "-ltorch", "-ltorch_cpu", "-lc10", "-ltorch_python"], name)

    def _run(self, command, source):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            fields = ("severity", "rule", "message", "file", "line")
            findings = _native.compile_findings(done.stdout, source, self._chip)
            found = [{name: getattr(finding, name) for name in fields} for finding in findings]
            raise Ended("no-compile", done.stdout[-4000:], findings=found)

    def _raised(self, error, why):
        if isinstance(error, self._npu.KernelFault):
            report = {name: value for name, value in self._npu.last_report().items() if name != "related"}
            raise of_report(report, str(error)) from None
        place = place_of(error, os.path.abspath(self._submission.entry))
        place["file"] = self._submission.entry
        text = "".join(traceback.format_exception_only(type(error), error)).strip()
        raise Ended(why, text, findings=[place]) from None

    def run(self, inputs, specs, words):
        """words: of SFUMATO_OPTIONS; inputs become what they are after it."""
        torch = self._torch
        words = {name: ("off", "on")[word] if isinstance(word, bool) else word for name, word in words.items()}
        if words.get("core") == "default":
            del words["core"]
        os.environ["SFUMATO_OPTIONS"] = ",".join(f"{name}={word}" for name, word in words.items())
        tensors = {name: whole(value, "npu") for name, value in inputs.items()}
        profile = self._npu.profiler.profile()
        watch = _watch(importlib.import_module("torch.utils._python_dispatch"), profile)
        began = time.perf_counter()
        try:
            with torch.no_grad(), profile, watch:
                result = outputs_of(self._model(*tensors.values()))
            torch.npu.synchronize()
        except MemoryError:
            raise
        except BaseException as error:  # noqa: BLE001 - the submission's
            self._raised(error, "refused")
        watch.called += watch.references()
        notes = list({note["instruction"]: note for note in profile.references}.values())
        seconds = time.perf_counter() - began
        if not all(hasattr(value, "detach") for value in result):
            raise Ended("refused", "forward returns something that is no tensor")
        outputs = {name: array_of(value) for name, value in zip(specs, result)}
        inputs |= {name: plain(value) for name, value in tensors.items()}
        told = SimpleNamespace(records=sum(launch.records for launch in profile.launches), findings=[])
        run = self.told(began, told, outputs, sum(launch.blocks for launch in profile.launches))
        provenance = self._provenance(specs, result, watch.seen, profile.launches, watch.called)
        return run | {"seconds": seconds, "findings": notes, "provenance": provenance}

    def _provenance(self, specs, result, seen, launches, called):
        """Of each output by whom its bytes were stored last, the operators that compute, and the kernels."""
        outputs = []
        for name, tensor in zip(specs, result):
            counts = _stored_by(tensor, seen)
            outputs.append({"name": name, "bytes": tensor.nbytes, **counts})
        kernels = {}
        for launch in launches:
            kernels[launch.kernel] = kernels.get(launch.kernel, 0) + 1
        operators = {name for name, kind, _ in seen if kind == "torch"} | {note["instruction"] for note in called}
        return {
            "outputs": outputs,
            "operators": sorted(op for op in operators if not self._allow & {op, op.partition("::")[2]}),
            "kernels": [{"name": name, "launches": count} for name, count in kernels.items()],
        }


def _stored_by(tensor, seen):
    """{by_kernel, by_torch, by_copy, untouched} in bytes."""
    counts = {"by_kernel": 0, "by_torch": 0, "by_copy": 0, "untouched": 0}
    names = {"torch": "by_torch", "copy": "by_copy", "factory": "untouched"}
    if tensor.device.type == "cpu":
        counts["by_copy"] = tensor.nbytes
        return counts
    begin, size = tensor.data_ptr(), tensor.nbytes
    now = array_of(tensor).reshape(-1).view(np.uint8)
    by = np.full(size, "by_kernel", dtype=object)
    for _, kind, stored in seen:
        for start, bytes_then in stored:
            first, last = max(start, begin), min(start + len(bytes_then), begin + size)
            if first >= last:
                continue
            part = slice(first - begin, last - begin)
            same = now[part] == bytes_then[first - start : last - start]
            # In place on a copy a kernel may well store what was there.
            rest = kind == "copy" and np.count_nonzero(same) < (1 - _HAND_WRITTEN) * len(same)
            by[part] = np.where(same & (not rest), names[kind], "by_kernel")
    return counts | {name: int(np.count_nonzero(by == name)) for name in counts}
