# SPDX-License-Identifier: Apache-2.0
"""In a worker, with PyTorch: tasks in KernelBench's form."""

import copy

import torch

from .._cases.model import array_of, outputs_of, plain
from .._cases.scripts import load
from ._tasks import TaskError

SEED = 42  # as KernelBench's
TRIALS = 5


def prepare(entry, folder, seed, most):
    """As _prepare.prepare, of a file with Model, get_inputs or get_input_groups, and get_init_inputs."""
    module = load(entry, folder)
    if not hasattr(module, "Model"):
        raise TaskError("a task in KernelBench's form has a class Model")
    seed += SEED
    torch.manual_seed(seed)
    init = list(module.get_init_inputs()) if hasattr(module, "get_init_inputs") else []
    plain_init = plain(copy.deepcopy(init))
    torch.manual_seed(seed)
    model = module.Model(*init)

    def case(name, inputs):
        arrays = {f"input{n}": plain(value) for n, value in enumerate(inputs)}
        with torch.no_grad():
            found = outputs_of(model(*inputs))
        return {
            "name": name,
            "inputs": arrays,
            "want": {f"out{n}": array_of(value) for n, value in enumerate(found)},
            "launch": {},
            "other": None,
        }

    cases = []
    if hasattr(module, "get_input_groups"):
        for number, inputs in enumerate(list(module.get_input_groups())[:most]):
            cases.append(case(f"group {number}", inputs))
    else:
        for number in range(most or TRIALS):
            torch.manual_seed(seed + number)
            cases.append(case(f"trial {number}", module.get_inputs()))
    if not cases:
        raise TaskError("it has no inputs")
    torch.manual_seed(seed + 1000)
    if hasattr(module, "get_inputs"):
        other = case("other", module.get_inputs())
        if any(other["want"][name].tobytes() != array.tobytes() for name, array in cases[0]["want"].items()):
            cases[0]["other"] = {"inputs": other["inputs"], "want": other["want"]}
    names = list(cases[0]["want"])
    compare = getattr(module, "compare", "kernelbench")
    return {
        "cases": cases,
        "outputs": names,
        "compare": compare if isinstance(compare, dict) else dict.fromkeys(names, compare),
        "kind": "compute",
        "allow": list(getattr(module, "allow", [])),
        "model": {"init": plain_init, "seed": seed},
    }
