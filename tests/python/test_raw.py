# SPDX-License-Identifier: Apache-2.0
"""check="raw": the kernels of a process that goes on after a null pointer."""

import numpy as np
import pytest

import sfumato

SOURCE = """
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void fill(__gm__ int32_t* x, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i) x[i] = int32_t(i);
}
extern "C" __global__ __aicore__ void last(__gm__ int32_t* x, uint32_t n) {
    x[0] = x[n];
}
extern "C" __global__ __aicore__ void null(__gm__ int32_t* x, uint32_t n) {
    x[0] = *(__gm__ int32_t*)(uint64_t(n) - 16);
}
"""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    source = tmp_path_factory.mktemp("raw") / "raw.cpp"
    source.write_text(SOURCE)
    return sfumato.compile(source, chip="Ascend910B1")


def test_a_right_kernel_is_silent(kernels):
    x = np.zeros(16, np.int32)
    result = kernels.fill[1].options(check="raw")(x, 16)
    assert not result.findings
    assert x.tolist() == list(range(16))


def test_a_read_past_the_end_is_a_warning_and_keeps_the_outputs(kernels):
    x = np.arange(16, dtype=np.int32)
    assert not kernels.last[1](x.copy(), 16).findings
    for _ in range(2):  # compiled once
        (finding,) = kernels.last[1].options(check="raw")(x, 16).findings
        assert (finding.severity, finding.rule, finding.line) == ("warning", "raw-out-of-bounds", 7)
        assert finding.message == "a raw pointer reads 4 bytes outside every allocation"
        assert (finding.operand, finding.found) == ("x", "at its end: bytes 64 to 67 of 64")
    assert x[0] == np.frombuffer(b"\xfd" * 4, np.int32)[0]


def test_a_null_pointer_is_a_report(kernels):
    x = np.zeros(16, np.int32)
    for _ in range(3):
        with pytest.raises(sfumato.KernelError) as error:
            kernels.null[2].options(check="raw")(x, 16)
        report = error.value.report
        assert (report.rule, report.line, report.found) == ("raw-out-of-bounds", 10, "address 0x0")
    assert not kernels.fill[1].options(check="raw")(x, 16).findings
