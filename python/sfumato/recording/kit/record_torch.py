# SPDX-License-Identifier: Apache-2.0
"""For a board with torch_npu and no compiler:  python3 record_torch.py [npu:0]

Runs those probes of plan.txt that an operator of PyTorch answers, and writes outputs/ and board.txt as ./record does. An
operator is made of instructions that nobody outside knows: the record says so (kind torch_npu), and settles no instruction.
"""

import sys

import numpy as np
import torch

TYPES = {"half": torch.float16, "float": torch.float32, "int16_t": torch.int16, "int32_t": torch.int32}
TYPES.update({"int64_t": torch.int64, "int8_t": torch.int8, "uint8_t": torch.uint8, "bfloat16_t": torch.bfloat16})
ARRAYS = {"half": np.float16, "float": np.float32, "int16_t": np.int16, "int32_t": np.int32}
ARRAYS.update({"int64_t": np.int64, "int8_t": np.int8, "uint8_t": np.uint8, "bfloat16_t": np.int16})
UNARY = {"exp": torch.exp, "ln": torch.log, "sqrt": torch.sqrt, "rsqrt": torch.rsqrt, "rec": torch.reciprocal}
BINARY = {"div": torch.div, "add": torch.add, "mul": torch.mul}


def load(name, of, device):
    values = torch.from_numpy(np.fromfile("inputs/" + name, ARRAYS[of]))
    return (values.view(torch.bfloat16) if of == "bfloat16_t" else values).to(device)


def mode_of(target):
    """The one mode in which PyTorch converts: integers are cut, the others are the nearest."""
    return "trunc" if "int" in target else "rint"


def answer(kind, what, source, target, count, split, inputs, device):
    """The operator's result; None for probes that no operator answers."""
    if kind == "vector" and what in UNARY:
        return UNARY[what](load(inputs[0], source, device))
    if kind == "vector":
        return BINARY[what](load(inputs[0], source, device), load(inputs[1], source, device))
    exact = source in ("half", "bfloat16_t", "int16_t") and target == "float"
    if kind == "cast" and source != target and (what == mode_of(target) or (exact and what == "none")):
        return load(inputs[0], source, device).to(TYPES[target])
    if kind == "mmad" and source == "float" and what == "float" and split == 0:
        a, b = (load(name, source, device).reshape(16, count) for name in inputs)
        return torch.matmul(a, b.T)
    return None


def main():
    device = sys.argv[1] if len(sys.argv) > 1 else "npu:0"
    soc = "cpu"
    if device.startswith("npu"):
        import torch_npu  # noqa: F401

        soc = torch.npu.get_device_name(device)
        torch.npu.matmul.allow_hf32 = False
    with open("plan.txt", encoding="utf-8") as file:
        version, *lines = file.read().splitlines()
    recorded = 0
    for line in lines:
        name, kind, what, source, target, count, split, _, *inputs = line.split()
        result = answer(kind, what, source, target, int(count), int(split), inputs, device)
        if result is not None:
            result = result.cpu().contiguous()
            result = result.view(torch.int16) if target == "bfloat16_t" else result
            result.numpy().tofile("outputs/" + name)
            recorded += 1
    with open("board.txt", "w", encoding="utf-8") as file:
        file.write(f"kind torch_npu\nsoc {soc}\nprobes {version[2:]}\ntorch {torch.__version__}\n")
    print("soc", soc, "recorded", recorded, "of", len(lines))


if __name__ == "__main__":
    main()
