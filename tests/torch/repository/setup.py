# SPDX-License-Identifier: Apache-2.0
"""A package of operators as repositories for boards have it."""

from setuptools import setup
from torch_npu.utils.cpp_extension import BuildExtension, NpuExtension

setup(
    name="gated",
    version="1.0",
    packages=["gated"],
    install_requires=["torch_npu>=2.1"],
    ext_modules=[NpuExtension("gated._C", ["csrc/gate.asc"])],
    cmdclass={"build_ext": BuildExtension},
)
