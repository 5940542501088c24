# SPDX-License-Identifier: Apache-2.0
"""An extension of a C++ file and a kernel file, built by setup.py."""

from setuptools import setup
from torch_npu.utils.cpp_extension import BuildExtension, NpuExtension

setup(
    name="leaky",
    ext_modules=[NpuExtension("leaky", ["leaky.cpp", "leaky_kernel.asc"])],
    cmdclass={"build_ext": BuildExtension},
)
