# SPDX-License-Identifier: Apache-2.0
"""What docs/truth.md says that no other table has: instructions that `sfumato ulp` does not run, what would settle a call,
and why a number of a board is not reproduced. A figure over many inputs without a row here is an error."""

# The questions of `sfumato record digest`. What is assumed or decided of a call, and is not here, no probe of the kit asks.
PROBES = {
    **{(call, name): f"{call} {name}" for call in "Exp Ln Sqrt Rsqrt Reciprocal".split() for name in ("half", "float")},
    ("Log", "half"): "Ln half",
    ("Log", "float"): "Ln float",
    ("Div", "float"): "Div float",
}
NO_PROBE = "no probe"
# Instructions whose results a step passes on, and whose bits no page gives.
OPEN_STEPS = {"Exp": "Exp", "Ln": "Ln", "Log10": "", "Sqrt": "Sqrt", "Div": "Div float", "Mmad": "Mmad order"}

# (instructions, real types, tag, what the tag is about, what would settle it); chips are those of docs/support.md.
INSTRUCTIONS = (
    ("Cast", "half, bfloat16_t, float", "documented", "one rounding by the mode; the zero of float to float on Ascend310B is decided", "Cast"),
    ("MulAddDst, Axpy", "half, float", "decided", "two roundings: of the product, then of the sum", NO_PROBE),
    ("FusedMulAdd, FusedMulAddRelu", "half, float", "decided", "two roundings: of the product, then of the sum", NO_PROBE),
    ("WholeReduceSum, BlockReduceSum, PairReduceSum, ReduceSum", "half, float", "documented", "the tree of sums", "WholeReduceSum, BlockReduceSum, ReduceSum"),
    ("WholeReduceMax, WholeReduceMin, BlockReduceMax, BlockReduceMin, ReduceMax, ReduceMin", "half, float", "documented", "exact", "nothing is open"),
    ("Mmad", "half, bfloat16_t, float to float; half to half", "assumed", "one product after another along k, each sum rounded", "Mmad order, Mmad subnormals, Mmad overflow"),
    ("Fixpipe", "float to half, bfloat16_t", "documented", "one rounding", "nothing is open"),
    ("SetAtomicAdd", "half, bfloat16_t, float", "decided", "one rounding of each sum", "SetAtomicAdd"),
    ("AddDeqRelu, CastDeq, MulCast, AddReluCast, SubReluCast", "half, float", "documented", "the product or sum, then the conversion", "Cast"),
    ("Power with a scalar", "half, float", "decided", "as Power", NO_PROBE),
    ("vec_expm1, vec_rec_high_preci, vec_rsqrt_high_preci of TIK", "half, float", "decided", "correctly rounded", NO_PROBE),
    ("BilinearInterpolation", "half", "documented", "products added one after another", NO_PROBE),
)  # fmt: skip

# Of each figure over many inputs: reproduced, not, or cannot be asked; and why.
FIGURES = {
    "agg-rsqrt-trap": ("reproduced", "to its three digits"),
    "agg-sqrtdiv-trap": ("not reproduced", "Sqrt and Div are correctly rounded here, which gives 7.51e-8: a board's Sqrt or Div is not"),
    "agg-newton-trap": ("cannot be asked", "which inputs is not said"),
    "agg-rsqrt-r360": ("reproduced", "within 2 % of the largest error of the table; the inputs are not kept"),
    "agg-rec-r360": ("reproduced", "within 2 % of the largest error of the table; the inputs are not kept"),
    "agg-rsqrt2-r360": ("cannot be asked", "the inputs are not kept"),
    "agg-rec2-r360": ("cannot be asked", "the inputs are not kept"),
    "agg-div-r360": ("not reproduced", "Div is correctly rounded here: at most 0.5 ulp. `--div` moves quotients by as much"),
    "agg-div-pypto": ("not reproduced", "which 244 nobody published; `--div seed:N` moves 6 % of quotients, others than a board"),
    "agg-scalardiv-pypto": ("reproduced", "C++ divides"),
    "agg-div-r355": ("not reproduced", "the pairs are not kept; Div is correctly rounded here"),
    "agg-rsqrt-tl": ("reproduced", "the largest error of the table is 3.28e-3"),
    "agg-1sqrt-tl": ("cannot be asked", "the inputs are not kept"),
    "agg-cast-r360": ("reproduced", "the same rule, documented on Ascend910B"),
    "agg-cmp-r195": ("reproduced", "the same rule"),
    "agg-asin": ("cannot be asked", "an operator of the vendor's library, not the call Asin"),
    "agg-as4449": ("cannot be asked", "a polynomial of its author"),
    "agg-cos": ("cannot be asked", "a program of another compiler; the cosine rounds to 1 here, too"),
    "agg-softmax-1348": ("cannot be asked", "a program of another compiler, whose order of sums is not known"),
    "agg-mad-280": ("reproduced", "C starts the sum"),
    "agg-matmul-jittor": ("cannot be asked", "the matrices are not kept"),
}  # fmt: skip

# Points of a board or a page that do not come out, by id: why. One without a row here is an error; goldens need none.
POINTS: dict[str, str] = {}
GOLDEN = "[a CPU's result, no device's](last-bits.md#printed-examples-that-are-no-boards)"
