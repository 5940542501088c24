# SPDX-License-Identifier: Apache-2.0
"""unittest's TestCase with a comparison of arrays."""

import unittest

import numpy as np
import torch


def _array(value):
    return value.detach().cpu().float().numpy() if isinstance(value, torch.Tensor) else np.asarray(value)


class TestCase(unittest.TestCase):
    def assertRtolEqual(self, x, y, prec=1e-4, prec16=1e-3, auto_trans_dtype=False, message=None):
        """Same shape, and no element further apart than the tolerance times the larger of 1 and its magnitude in y.

        x, y: tensors or arrays. prec16 is the tolerance where one of them holds half or bfloat16.
        """
        narrow = any(str(v.dtype).split(".")[-1] in ("float16", "bfloat16") for v in (x, y) if hasattr(v, "dtype"))
        if not auto_trans_dtype and isinstance(x, torch.Tensor) and isinstance(y, torch.Tensor):
            self.assertEqual(x.dtype, y.dtype, message)
        x, y = _array(x), _array(y)
        self.assertEqual(x.shape, y.shape, message)
        far = ~np.isclose(x, y, rtol=0, atol=(prec16 if narrow else prec) * np.maximum(1, np.abs(y)), equal_nan=True)
        if far.any():
            first = tuple(int(i) for i in np.argwhere(far)[0])
            self.fail(
                message
                or f"{int(far.sum())} of {far.size} elements differ, the first at {first}: {x[first]} and {y[first]}"
            )


def run_tests():
    unittest.main()
