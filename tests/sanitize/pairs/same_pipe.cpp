// SPDX-License-Identifier: Apache-2.0
// Two instructions of one pipe that touch the same bytes, without the PipeBarrier between them (framework.md 2.1, 2.3).
#include "sanitize/pairs/cube_tiles.h"
#include "sanitize/pairs/tiles.h"

namespace sfumato::pairs {
namespace {

// MTE2

__aicore__ void loads_that_overlap(GM_ADDR* gm, bool wrong) {
    Tiles t(gm, 3);
    DataCopy(t.a, t.x, kTile);
    if (!wrong) PipeBarrier<PIPE_MTE2>();
    DataCopy(t.a[kTile / 2], t.y, kTile / 2);
    Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

// Each row is padded up to 32 bytes, and the next begins inside the padding of the last.
__aicore__ void rows_loaded_over_padding(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopyPad(t.a, t.x, {1, 36 * sizeof(float), 0, 0}, {true, 0, 4, 0});
    if (!wrong) PipeBarrier<PIPE_MTE2>();
    DataCopy(t.a[32], t.x[32], 32);
    Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void load_over_a_fill_of_l1(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Right();
    Fill(t.a1, {1, 32, 0, half(0)});
    if (!wrong) PipeBarrier<PIPE_MTE2>();
    DataCopy(t.a1, t.x, kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    LoadData(t.a2, t.a1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    PipeBarrier<PIPE_M>();
    Mmad(t.c, t.a2[kFractal], t.b2, kSum);
    t.Out();
}

// MTE3

template <class T>
__aicore__ void stores_that_overlap(GM_ADDR* gm, bool wrong) {
    Tiles<T> t(gm, 3);
    DataCopy(t.a, t.x, kTile);
    DataCopy(t.b, t.y, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(t.z, t.a, kTile);
    if (!wrong) PipeBarrier<PIPE_MTE3>();
    DataCopy(t.z[kTile / 2], t.b, kTile / 2);
    Sync<HardEvent::MTE3_V>();
    Add(t.c, t.a, t.b, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(Gm<T>(gm[2] + kTile * sizeof(T), kTile), t.c, kTile);
}

// Zeros for an accumulator, and the sum added to them.
__aicore__ void atomic_store_onto_zeros(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Duplicate(t.b, 0.0f, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
    if (!wrong) PipeBarrier<PIPE_MTE3>();
    SetAtomicAdd<float>();
    DataCopy(t.z, t.a, kTile);
    SetAtomicNone();
}

// Whole blocks, the last of which reaches back over what was stored.
__aicore__ void tail_stored_over_the_body(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    auto z = Gm<float>(gm[1], 60);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(z, t.a, 40);
    if (!wrong) PipeBarrier<PIPE_MTE3>();
    DataCopyPad(z[37], t.a[40], {1, 23 * sizeof(float), 0, 0});
}

__aicore__ void ub_to_l1_twice(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    TBuf<> buffer;
    t.pipe.InitBuffer(buffer, 2 * kFractal * sizeof(half));
    LocalTensor<half> ub = buffer.Get<half>();
    DataCopy(ub, t.x, kFractal);
    Duplicate(ub[kFractal], half(0), kFractal);
    Sync<HardEvent::MTE2_MTE3>();
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.a1, ub, 2 * kFractal);
    if (!wrong) PipeBarrier<PIPE_MTE3>();
    DataCopy(t.a1[kFractal], ub, kFractal);
    Sync<HardEvent::MTE3_MTE1>();
    DataCopy(ub, t.a1, 2 * kFractal);
    Sync<HardEvent::MTE1_MTE3>();
    DataCopy(Gm<half>(gm[2], 2 * kFractal), ub, 2 * kFractal);
}

// V, when the compiler is told to insert nothing

template <class T>
__aicore__ void product_of_a_sum(GM_ADDR* gm, bool wrong) {
    Tiles<T> t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, static_cast<T>(1), kTile);
    if (!wrong) PipeBarrier<PIPE_V>();
    Muls(t.c, t.b, static_cast<T>(2), kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, kTile);
}

template <class T>
__aicore__ void fill_of_what_the_sum_reads(GM_ADDR* gm, bool wrong) {
    Tiles<T> t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, static_cast<T>(1), kTile);
    if (!wrong) PipeBarrier<PIPE_V>();
    Duplicate(t.a, static_cast<T>(2), kTile);
    PipeBarrier<PIPE_V>();
    Add(t.c, t.a, t.b, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, kTile);
}

template <class T>
__aicore__ void sum_over_a_fill(GM_ADDR* gm, bool wrong) {
    Tiles<T> t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Duplicate(t.b, static_cast<T>(2), kTile);
    if (!wrong) PipeBarrier<PIPE_V>();
    Adds(t.b, t.a, static_cast<T>(1), kTile / 2);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void select_by_an_unfinished_compare(GM_ADDR* gm, bool wrong) {
    Tiles t(gm, 3);
    TBuf<> buffer;
    t.pipe.InitBuffer(buffer, 32);
    LocalTensor<uint8_t> bits = buffer.Get<uint8_t>();
    DataCopy(t.a, t.x, kTile);
    DataCopy(t.b, t.y, kTile);
    Sync<HardEvent::MTE2_V>();
    Compare(bits, t.a, t.b, CMPMODE::LT, kTile);
    if (!wrong) PipeBarrier<PIPE_V>();
    Select(t.c, bits, t.a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, kTile);
}

__aicore__ void scaled_by_an_unfinished_sum(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    BlockReduceSum(t.b, t.a, 1, kTile, 1, 1, 8);
    if (!wrong) PipeBarrier<PIPE_V>();
    Brcb(t.c, t.b, 1, {1, 8});
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, kTile);
}

// A sum in place over the rows of a tile: each step reads what the last wrote.
__aicore__ void folded_sum(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    for (uint32_t half_of = kTile / 2; half_of >= 16; half_of /= 2) {
        Add(t.a, t.a, t.a[half_of], half_of);
        if (!wrong) PipeBarrier<PIPE_V>();
    }
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.a, 16);
}

// M, MTE1 and FIX

__aicore__ void sum_of_two_products(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Both();
    Mmad(t.c, t.a2, t.b2, kProduct);
    if (!wrong) PipeBarrier<PIPE_M>();
    Mmad(t.c, t.a2, t.b2, kSum);
    t.Out();
}

__aicore__ void product_over_a_product(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Both();
    Mmad(t.c, t.a2, t.b2, kProduct);
    if (!wrong) PipeBarrier<PIPE_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    t.Out();
}

// 9 fractals of C: one too few for the unit to keep two of them in order.
template <uint16_t n>
__aicore__ void sum_over_k(GM_ADDR* gm, bool wrong) {
    TPipe pipe;
    TBuf<TPosition::A2> left;
    TBuf<TPosition::B2> right;
    TBuf<TPosition::CO1> sum;
    pipe.InitBuffer(left, kFractal * sizeof(half));
    pipe.InitBuffer(right, n * kSide * sizeof(half));
    pipe.InitBuffer(sum, n * kSide * sizeof(float));
    LocalTensor<half> a2 = left.Get<half>(), b2 = right.Get<half>();
    LocalTensor<float> c = sum.Get<float>();
    LoadData(a2, Gm<half>(gm[0], kFractal), kOneFractal);
    LoadData(b2, Gm<half>(gm[1], n * kSide), LoadData2DParams(0, n / kSide, 1, 0, 0, false, 0));
    Sync<HardEvent::MTE2_M>();
    Mmad(c, a2, b2, MmadParams(kSide, n, kSide, 0, false, true));
    if (!wrong) PipeBarrier<PIPE_M>();
    Mmad(c, a2, b2, MmadParams(kSide, n, kSide, 0, false, false));
    Sync<HardEvent::M_FIX>();
    Fixpipe(Gm<float>(gm[2], n * kSide), c, FixpipeParamsV220(n, kSide, kSide, n, false));
}

__aicore__ void fractal_over_a_fill_of_l0(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Right();
    DataCopy(t.a1, t.x, kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    Fill(t.a2, {1, 2, 0, half(0)});
    if (!wrong) PipeBarrier<PIPE_MTE1>();
    LoadData(t.a2, t.a1, kOneFractal);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    PipeBarrier<PIPE_M>();
    Mmad(t.c, t.a2[kFractal], t.b2, kSum);
    t.Out();
}

__aicore__ void results_that_overlap(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Both();
    Mmad(t.c, t.a2, t.b2, kProduct);
    Mmad(t.c[kFractal], t.a2, t.b2, kHalfProduct);
    t.Out();
    if (!wrong) PipeBarrier<PIPE_FIX>();
    Fixpipe(t.z[8 * kSide], t.c[kFractal], kToRows);
}

__aicore__ void atomic_result_onto_a_result(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Both();
    Mmad(t.c, t.a2, t.b2, kProduct);
    Mmad(t.c[kFractal], t.a2, t.b2, kProduct);
    t.Out();
    if (!wrong) PipeBarrier<PIPE_FIX>();
    SetAtomicAdd<float>();
    Fixpipe(t.z, t.c[kFractal], kToRows);
    SetAtomicNone();
}

template <class T>
std::vector<Pair> Vector() {
    const Memory x = Input<T>("x", kTile), z = Output<T>("z", kTile);
    return WithoutAutoSync({
        {"product_of_a_sum", "race", product_of_a_sum<T>, {x, z}},
        {"fill_of_what_the_sum_reads", "race", fill_of_what_the_sum_reads<T>, {x, z}},
        {"sum_over_a_fill", "race", sum_over_a_fill<T>, {x, z}},
    });
}
template <class T>
Pair Overlap() {
    return {"stores_that_overlap",
            "race",
            stores_that_overlap<T>,
            {Input<T>("x", kTile), Zeroed(Input<T>("y", kTile)), Output<T>("z", 2 * kTile)}};
}

}  // namespace

std::vector<Pair> SamePipePairs() {
    const Memory x = Input<float>("x", kTile), y = Input<float>("y", kTile), z = Output<float>("z", kTile);
    const Memory left = Input<half>("x", kFractal), right = Input<half>("y", kFractal);
    const auto wide = [&](uint32_t n) {
        return std::vector<Memory>{left, Input<half>("y", n * kSide), Output<float>("z", n * kSide)};
    };
    return Together({
        {
            {"loads_that_overlap", "race", loads_that_overlap, {x, y, z}},
            {"rows_loaded_over_padding", "race", rows_loaded_over_padding},
            {"atomic_store_onto_zeros", "race", atomic_store_onto_zeros},
            {"tail_stored_over_the_body", "race", tail_stored_over_the_body, {x, Output<float>("z", 60)}},
            Overlap<float>(),
        },
        On("Ascend310P3", {Overlap<half>()}),
        On("Ascend910A", {Overlap<half>()}),
        On("Ascend310B1", {Overlap<half>()}),
        On("Ascend310P3", {{"ub_to_l1_twice", "race", ub_to_l1_twice, {left, right, Output<half>("z", 2 * kFractal)}}}),
        Vector<float>(),
        WithoutAutoSync({
            {"select_by_an_unfinished_compare", "race", select_by_an_unfinished_compare, {x, y, z}},
            {"scaled_by_an_unfinished_sum", "race", scaled_by_an_unfinished_sum},
            {"folded_sum", "race", folded_sum, {x, Output<float>("z", 16)}},
        }),
        On("Ascend310P3", Vector<half>()),
        On("Ascend910A", Vector<half>()),
        On("Ascend310B1", Vector<half>()),
        OnCube({
            {"load_over_a_fill_of_l1", "race", load_over_a_fill_of_l1, Matrices()},
            {"sum_of_two_products", "race", sum_of_two_products, Matrices()},
            {"product_over_a_product", "race", product_over_a_product, Matrices()},
            {"sum_of_nine_fractals", "race", sum_over_k<9 * kSide>, wide(9 * kSide)},
            {"fractal_over_a_fill_of_l0", "race", fractal_over_a_fill_of_l0, Matrices()},
            {"results_that_overlap", "race", results_that_overlap, {left, right, Output<float>("z", 24 * kSide)}},
            {"atomic_result_onto_a_result", "race", atomic_result_onto_a_result, Matrices()},
        }),
    });
}

}  // namespace sfumato::pairs
