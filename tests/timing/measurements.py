# SPDX-License-Identifier: Apache-2.0
"""The kernels of tests/timing/kernels with what they are launched with, and the published measurements each stands for."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import sfumato


@dataclass(frozen=True)
class Row:
    """A row of tests/timing/timing_fit.csv and its kernel. measures: (name, column or number of us, what of the estimate, part)."""

    id: str
    source: str
    kernel: str
    blocks: int
    defines: dict[str, object]
    arrays: tuple[tuple[str, int] | np.ndarray, ...]
    measures: tuple[tuple[str, object, str, str], ...]
    options: dict[str, object] = field(default_factory=dict)
    chip: str = "Ascend910B1"
    values: tuple[object, ...] = ()  # behind the arrays
    like: str = ""  # of the published row, where another kernel of ours has its name
    part: int = 1  # the kernel does one part of so many, and the estimate is multiplied


def _square(n, *types):
    return tuple((t, n * n) for t in types)


ADD = _square(8192, "float16", "float16", "float16")


def _add(row, tile, buffers, blocks, measures, **more):
    defines = {"TILE": tile, "BUFFERS": buffers, **more}
    return Row(row, "add.cpp", "add", blocks, defines, ADD, measures)


def _copies(row, kernel, m, n, tile, blocks, measure, passes=1, **more):
    defines = {"ROWS": m, "COLUMNS": n, "TILE_ROWS": tile[0], "TILE_COLUMNS": tile[1], "PASSES": passes, **more}
    return Row(row, f"{kernel}.cpp", kernel, blocks, defines, (("float16", m * n),), (measure,))


def _bank(row, src0, src1, dst, ticks):
    # 1000 Adds in ticks of 20 ns.
    measure = (("V", ticks * 0.02, "V", "vector"),)
    return Row(row, "bank.cpp", "bank", 1, {"SRC0": src0, "SRC1": src1, "DST": dst}, (), measure, chip="Ascend910B2")


def _reduce(row, kernel, us):
    return Row(row, "reduce.cpp", kernel, 1, {}, (), (("core", us, "core", UNSCORED),))


def _elementwise(row, operator, type, total, measures, tile=8192, chip="Ascend910B2", **options):
    dtype = {"half": "float16", "bfloat16": "uint16", "float": "float32"}[type]
    arrays = ((dtype, total), (dtype, total if operator == "add" else 8), (dtype, total))
    values = (np.uint32(total), np.uint32(tile))
    kernel = f"{operator}_{type}"
    return Row(row, "elementwise.cpp", kernel, 48, {}, arrays, measures, options, chip=chip, values=values)


def _vendor(row, operator, type, total, **more):
    """An operator whose kernel is not published, run again and again."""
    measure = (("task", "task_us", "task", "vendor operators, L2 warm"),)
    return _elementwise(row, operator, type, total, measure, l2="warm", **more)


UNSCORED = "not scored by the specification"
STORES = "stores of elementwise kernels"
_MTE2 = ("MTE2", "mte2_us", "MTE2", "copies")
_SHARED = ("MTE2", "mte2_us", "MTE2", "copies, cores read the same data")
_CORE = ("core", "core_us", "core", "copies")
_V = ("V", "vec_us", "V", "vector")
_MTE3 = ("MTE3", "mte3_us", "MTE3", STORES)
_KERNEL = ("core", "core_us", "core", "elementwise kernels")


# Bits of Cut::flags.
TRANSPOSED_B, UNIT, ONE_BUFFER, STAGGER, FRACTAL_B, LOAD_3D_B = (1 << bit for bit in range(6))
# Of S5 to S7: said of S6, and what the others were scored with.
B_BY_LOAD_3D = TRANSPOSED_B | LOAD_3D_B


def cut(m, n, k, base, step, cores_n, single, flags=0, passes=1):
    """Cut of tests/timing/kernels/cube.h."""
    words = {"m": m, "n": n, "k": k, "base_m": base[0], "base_n": base[1], "base_k": base[2], "step_a": step[0]}
    words |= {"step_b": step[1], "cores_n": cores_n, "single_m": single[0], "single_n": single[1], "passes": passes}
    return sfumato.Struct(**{name: np.uint32(word) for name, word in words.items()}, flags=np.uint32(flags))


def matmul(row, kernel, size, base, step, cores, single, measures, flags=0, chip="Ascend910B1", part=1, **more):
    """cores: rows and columns of the grid."""
    (m, n, k), (a, c) = size, kernel.split("_to_")
    a = {"bfloat16": "uint16", "half": "float16", "float": "float32"}[a]
    arrays = ((a, m * k), (a, k * n), ({"half": "float16", "float": "float32"}[c], m * n))
    values = (cut(m, n, k, base, step, cores[1], single, flags, **more),)
    return Row(
        row, "matmul.cpp", kernel, cores[0] * cores[1], {}, arrays, measures, chip=chip, values=values, part=part
    )


_M = ("M", "mac_us", "M", "Mmad")
_MTE1 = ("MTE1", "mte1_us", "MTE1", "L1 to L0")
_L1 = ("MTE2", "mte2_us", "MTE2", "GM and L2 to L1 in matmuls")
_WHOLE = ("core", "core_us", "core", "whole matmuls")
_TASK = ("task", "task_us", "task", "whole matmuls")
BASE = (128, 256, 64)


def high_tiling(size, base, step, single, blocks, b="half transposed"):
    """TCubeTiling with two buffers of step base blocks in L1 and, where it fits, in L0C."""
    (m, n, k), (base_m, base_n, base_k) = size, base
    tiling = sfumato.tiling.Matmul(chip="Ascend910B1", m=m, n=n, k=k, a="half", b=b, c="float", cores=blocks).copy()
    words = {"usedCoreNum": blocks, "singleCoreM": single[0], "singleCoreN": single[1], "singleCoreK": k}
    words |= {"baseM": base_m, "baseN": base_n, "baseK": base_k, "stepM": 1, "stepN": 1, "iterateOrder": 0}
    words |= {"stepKa": step[0], "stepKb": step[1], "depthA1": 2 * step[0], "depthB1": 2 * step[1]}
    words |= {"dbL0A": 2, "dbL0B": 2, "dbL0C": 2 if base_m * base_n * 4 <= 65536 else 1}
    for name, word in words.items():
        tiling[name] = word
    return tiling


def high(row, like, kernel, size, base, step, cores, single, measures, passes=1):
    """A row of matmul by the high-level Matmul: B transposed, to half."""
    blocks = cores[0] * cores[1]
    m, n, k = size
    arrays = (("float16", m * k), ("float16", k * n), ("float16", m * n))
    values = (high_tiling(size, base, step, single, blocks), cut(m, n, k, base, step, cores[1], single, passes=passes))
    return Row(row, "matmul_high.cpp", kernel, blocks, {}, arrays, measures, values=values, like=like)


def _large(row, size, step, out, measures, flags=B_BY_LOAD_3D, **more):
    """A square product on 4 x 6 cores, B transposed."""
    single = (size // 4, -(-size // 6 // 256) * 256)
    single = more.pop("single", single)
    return matmul(row, f"half_to_{out}", (size,) * 3, BASE, step, (4, 6), single, measures, flags, **more)


_SLOWEST = ("core", "core_us", "slowest", UNSCORED)
_UNSCORED_COPIES = ("MTE2", "mte2_us", "MTE2", UNSCORED)
_UNSCORED_TASK = ("task", "task_us", "task", UNSCORED)


_GROUPED = (
    _M,
    ("V", "vec_us", "V", UNSCORED),
    ("MTE1", "mte1_us", "MTE1", UNSCORED),
    ("MTE2", "mte2_us", "aic MTE2", UNSCORED),
    ("core", "core_us", "core", UNSCORED),
)


def _small(row, size, base, step, cores, single, measures, flags=0, out="half"):
    """Tuning of the high-level Matmul: B as it is, the time of the slowest core."""
    return matmul(row, f"half_to_{out}", size, base, step, cores, single, measures, flags)


def _decode(row, n, columns, base):
    step = (128 // base[2],) * 2
    measure = (("block", "core_us", "block", "decode matmuls"),)
    cores = (1, n // columns)
    return matmul(
        row, "bfloat16_to_float", (16, n, 5120), base, step, cores, (16, columns), measure, chip="Ascend910_9391"
    )


def _torch(row, size, type, base, single):
    """The vendor's kernel is not published: base blocks, as even as they go on 3 x 8 cores."""
    flags, kernel = TRANSPOSED_B, f"{type}_to_{type}"
    return matmul(row, kernel, (size,) * 3, base, (4, 4), (3, 8), single, (_UNSCORED_TASK,), flags, chip="Ascend910B2")


def _grouped(row, m, cores, vectors, slots, measures):
    k, n, groups = 1024, 8192, 8
    kernel = "one_vector_core" if vectors == 1 else "two_vector_cores"
    arrays = (("int8", m * k), ("int8", groups * k * n), ("float32", groups * n), ("float32", m))
    arrays += (("int32", cores * slots * 128 * 256), ("float16", m * n))
    grid = cut(m, n, k, (128, 256, 128), (4, 4), 1, (128, 1024), FRACTAL_B)
    words = sfumato.Struct(group_rows=np.uint32(m // groups), slots=np.uint32(slots))
    return Row(row, "grouped.cpp", kernel, cores, {}, arrays, measures, values=(grid, words))


FLASH_BYTES = 4 * 128 * (256 * 6 + 128 * 4)  # of workspace a block, Slots of attention.cpp


def _flash(row, queries, keys, cores, chip):
    arrays = (("float16", queries * 128), ("float16", keys * 128), ("float16", keys * 128), ("float16", queries * 128))
    blocks = min(cores, queries // 128)
    arrays += (("uint8", blocks * FLASH_BYTES),)
    words = sfumato.Struct(queries=np.uint32(queries), keys=np.uint32(keys))
    return Row(row, "attention.cpp", "flash", blocks, {}, arrays, (_UNSCORED_TASK,), chip=chip, values=(words,))


_PAGES = np.random.default_rng(0).permutation(24 * 64).astype(np.int32)

# The scalar unit reads what was copied: with data, and of a part.
_ADD_SCALAR = Row(
    "add_c0",
    "add.cpp",
    "add",
    1,
    {"TILE": 4096, "BUFFERS": 1, "SCALAR": 1, "PART": 64},
    (("float16", 8192 * 8192 // 64),) * 3,
    (("S", "scalar_us", "S", "scalar loop"), ("MTE2", "mte2_us", "MTE2", "copies"), _MTE3, _KERNEL),
    {"skip_data": False},
    part=64,
)


ROWS = (
    _ADD_SCALAR,
    _add("add_c1", 4096, 1, 1, (_V, _MTE2, _MTE3, _KERNEL), OVERLAP=1),
    _add("add_c3", 16384, 1, 48, (_V, _MTE2, _MTE3, _KERNEL)),
    _add("add_c5", 16384, 2, 48, (_V, _MTE2, _MTE3, _KERNEL), UNCACHED=1),
    _copies("dcub_s1", "copy_ub", 12288, 12288, (1, 64), 48, _MTE2),
    _copies("dcub_s3", "copy_ub", 12288, 12288, (64, 1024), 48, _MTE2),
    _copies("dcub_s4", "copy_ub", 12288, 12287, (64, 1024), 48, _MTE2),
    _copies("dcub_s6", "copy_ub", 12288, 12288, (64, 1024), 48, _CORE, passes=4),
    _copies("dcub_s8", "copy_ub", 6144, 512, (128, 64), 48, _SHARED, SHARED=1),
    _copies("dcl1_s1", "copy_l1", 12288, 12288, (64, 64), 24, _MTE2),
    _copies("dcl1_s2", "copy_l1", 12288, 12288, (64, 256), 24, _MTE2),
    _copies("dcl1_s5", "copy_l1", 12288, 12288, (64, 1024), 24, _CORE, passes=4),
    _copies("dcl1_s6", "copy_l1", 6144, 512, (256, 64), 24, _SHARED, SHARED=1),
    _bank("bank_s1", 0, 0x10100, 0x20000, 2390),
    _bank("bank_s2", 0, 0x4000, 0x10000, 4167),
    _bank("bank_s3", 0, 0x10000, 0x14100, 4167),
    _bank("bank_s5", 0, 0x10100, 0x4020, 3751),
    Row(
        "nd2nz_s1",
        "nd_to_nz.cpp",
        "nd_to_nz",
        48,
        {"STRIDE": 144},
        _square(8192, "float16", "float16"),
        (_V, _MTE3, _KERNEL),
    ),
    _large("mmb_s1", 8192, (8, 4), "half", (_M, _MTE1, _L1, _WHOLE), B_BY_LOAD_3D | UNIT),
    _large("pto_gemm_1536", 1536, (4, 4), "float", (_TASK,), TRANSPOSED_B),
    _large("pto_gemm_6144", 6144, (4, 4), "float", (_TASK,), TRANSPOSED_B),
    _elementwise(
        "gelu",
        "gelu",
        "float",
        8192 * 8192,
        (("V", "vec_us", "V", "GELU alone"), _UNSCORED_COPIES, _MTE3, _KERNEL),
        chip="Ascend910B1",
    ),
    _vendor("cb_sqrt_0", "sqrt", "half", 1024 * 1024),
    _vendor("cb_sqrt_2", "sqrt", "half", 1023 * 1023),
    _vendor("cb_add_4", "add", "half", 1024 * 1024),
    _vendor("cb_add_6", "add", "bfloat16", 1023 * 1023),
    _vendor("cb_add_8", "add", "half", 2049 * 513),
    _vendor("cb_sigmoid_9", "sigmoid", "half", 1024 * 1024),
    _vendor("cb_sigmoid_11", "sigmoid", "bfloat16", 4096 * 4096),
    _vendor("cb_sigmoid_13", "sigmoid", "float", 8192 * 8192),
    _vendor("cb_sigmoid_15", "sigmoid", "half", 1009 * 1021),
    _vendor("cb_sigmoid_17", "sigmoid", "bfloat16", 363 * 367 * 373),
    _vendor("sb_0", "relu", "float", 16 * 16384),
    _vendor("sb_2", "tanh", "float", 16 * 16384),
    _vendor("sb_4", "gelu", "float", 16 * 16384),
    _reduce("g_red_rr", "whole_whole", 13.0),
    _reduce("g_red_br", "block_whole", 8.44),
    _reduce("g_red_rep", "whole_until_one", 242 * 0.02),
    # A sixteenth of the columns and rows of C: what a base block costs does not depend on their number.
    matmul(
        "mmh_c0",
        "half_to_half",
        (2048, 2048, 8192),
        (64, 64, 64),
        (1, 1),
        (1, 1),
        (2048, 2048),
        (_M, _MTE1, _L1, _WHOLE),
        B_BY_LOAD_3D | ONE_BUFFER,
        part=16,
    ),
    matmul(
        "mmh_c2",
        "half_to_half",
        (8192,) * 3,
        BASE,
        (1, 1),
        (2, 12),
        (4096, 683),
        (_M, _MTE1, _L1, _WHOLE),
        B_BY_LOAD_3D | ONE_BUFFER,
    ),
    _large("mmh_c4", 8192, (2, 2), "half", (_M, _MTE1, _L1, _WHOLE)),
    _large("mmh_c6", 8192, (8, 4), "half", (_M, _MTE1, _L1, _WHOLE), single=(1024, 1536), passes=2),
    _large(
        "mmh_c8", 8192, (8, 4), "half", (_M, _MTE1, _L1, _WHOLE), B_BY_LOAD_3D | UNIT, single=(1024, 1536), passes=2
    ),
    Row(
        "mmg_mix",
        "matmul_gelu.cpp",
        "matmul_gelu",
        24,
        {},
        _square(8192, "float16", "float16", "float32"),
        (
            ("V", "vec_us", "V", "vector"),
            _M,
            _MTE1,
            ("MTE2", "mte2_us", "aic MTE2", "GM and L2 to L1 in matmuls"),
            ("core", "core_us", "core", UNSCORED),
        ),
        values=(cut(8192, 8192, 8192, BASE, (8, 4), 6, (2048, 1536), B_BY_LOAD_3D | UNIT),),
    ),
    _grouped("qgmm_s0", 8192, 24, 1, 1, _GROUPED),
    _grouped("qgmm_s2", 8192, 24, 2, 4, _GROUPED),
    _grouped("g_gmm_1", 1024, 8, 1, 1, (_UNSCORED_TASK,)),
    _grouped("g_gmm_3", 1024, 8, 2, 4, (_UNSCORED_TASK,)),
    # Decode shapes: one block's time, while the others run.
    _decode("qw_q", 5120, 256, (16, 256, 64)),
    _decode("qw_v", 1024, 128, (16, 128, 64)),
    _decode("qw_gate", 17408, 512, (16, 512, 32)),
    Row(
        "qw_pa_qk",
        "attention.cpp",
        "paged_scores",
        24,
        {},
        (("uint16", 24 * 16 * 128), ("uint16", 24 * 64 * 128 * 128), _PAGES, ("float32", 24 * 64 * 16 * 128)),
        (("core", "core_us", "core", UNSCORED),),
        chip="Ascend910_9391",
        values=(sfumato.Struct(queries=np.uint32(16), keys=np.uint32(64 * 128)),),
    ),
    _flash("pto_fa_1024", 1024, 1024, 24, "Ascend910B2"),
    _flash("pto_fa_4096", 4096, 4096, 24, "Ascend910B2"),
    _flash("pto_fa_16384", 16384, 16384, 24, "Ascend910B2"),
    _flash("pto_fa_c1_1024", 128, 1024, 1, "Ascend910_9391"),
    _flash("pto_fa_c1_4096", 128, 4096, 1, "Ascend910_9391"),
    _flash("pto_fa_c2_2048", 256, 2048, 2, "Ascend910_9391"),
    _flash("pto_fa_c2_8192", 256, 8192, 2, "Ascend910_9391"),
    _flash("pto_fa_c4_1024", 512, 1024, 4, "Ascend910_9391"),
    _flash("pto_fa_c4_4096", 512, 4096, 4, "Ascend910_9391"),
    _flash("pto_fa_c8_2048", 1024, 2048, 8, "Ascend910_9391"),
    _flash("pto_fa_c8_8192", 1024, 8192, 8, "Ascend910_9391"),
    # The published kernels of mmh are of the high-level API: the same tilings by it.
    high(
        "mmh_c4 high",
        "mmh_c4",
        "mdl_to_half",
        (8192,) * 3,
        BASE,
        (2, 2),
        (4, 6),
        (2048, 1536),
        (_M, _MTE1, _L1, _WHOLE),
    ),
    high(
        "mmh_c6 high",
        "mmh_c6",
        "mdl_to_half",
        (8192,) * 3,
        BASE,
        (8, 4),
        (4, 6),
        (1024, 1536),
        (_M, _MTE1, _L1, _WHOLE),
        passes=2,
    ),
    high(
        "g_mdl_off high",
        "g_mdl_off",
        "norm_to_half",
        (128, 30720, 1024),
        BASE,
        (4, 4),
        (1, 24),
        (128, 1280),
        (_SLOWEST, _UNSCORED_COPIES),
    ),
    _small("g_mdl_off", (128, 30720, 1024), BASE, (1, 1), (1, 24), (128, 1280), (_SLOWEST, _UNSCORED_COPIES)),
    _small("g_const_off", (128, 30720, 64), BASE, (1, 1), (1, 24), (128, 1280), (_SLOWEST,)),
    _small("g_cube_mode", (128, 30720, 64), BASE, (1, 1), (1, 24), (128, 1280), (_SLOWEST,)),
    _small("g_unit_off", (128, 30720, 64), BASE, (1, 1), (1, 20), (128, 1536), (_SLOWEST,)),
    _small("g_l2_off", (30720, 4096, 1024), BASE, (4, 4), (24, 1), (1280, 4096), (_SLOWEST, _L1)),
    _small("g_korder_on", (768, 2048, 6144), BASE, (4, 4), (6, 4), (128, 512), (_UNSCORED_TASK, _L1), STAGGER),
    _small("g_nd2nz_cube", (1024, 4095, 1024), BASE, (4, 4), (8, 3), (128, 1408), (_SLOWEST, _UNSCORED_COPIES)),
    _small("g_preload_off", (128, 24576, 512), (128, 128, 64), (8, 8), (1, 24), (128, 1024), (_SLOWEST,)),
    _small("g_nbuf_on", (256, 512, 192), BASE, (3, 3), (1, 2), (256, 256), (_SLOWEST,)),
    _small("g_splitk_1", (16, 16, 1024), (16, 16, 64), (1, 1), (1, 1), (16, 16), (_SLOWEST, _UNSCORED_COPIES)),
    _small("g_ibshare_off", (64, 256, 384), (32, 256, 64), (1, 1), (1, 1), (64, 256), (_SLOWEST, _UNSCORED_COPIES)),
    _small("g_ibab_on", (128, 256, 384), BASE, (1, 1), (1, 1), (128, 256), (_SLOWEST,)),
    _small("g_tile_20", (4096, 5120, 4096), (64, 64, 256), (1, 1), (4, 5), (1024, 1024), (_SLOWEST, _L1), out="float"),
    _small("g_tile_mdl", (4096, 5120, 4096), BASE, (4, 4), (4, 5), (1024, 1024), (_L1,), out="float"),
    _torch("tp_half_1024", 1024, "half", (128, 128, 64), (384, 128)),
    _torch("tp_half_4096", 4096, "half", BASE, (1408, 512)),
    _torch("tp_half_10240", 10240, "half", BASE, (3456, 1280)),
    _torch("tp_float_2048", 2048, "float", (128, 256, 32), (768, 256)),
    _torch("tp_float_8192", 8192, "float", (128, 256, 32), (2816, 1024)),
)
