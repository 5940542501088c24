// SPDX-License-Identifier: Apache-2.0
// Instructions that nothing orders, on bytes that interleave: the wrong half shares some of them, the corrected half
// touches neighbours only.
#include "sanitize/pairs/cube_tiles.h"
#include "sanitize/pairs/tiles.h"

namespace sfumato::pairs {
namespace {

// Even blocks come in while the odd ones are filled.
__aicore__ void fill_between_loaded_blocks(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    Duplicate(t.a, 0.0f, kTile);
    Sync<HardEvent::V_MTE2>();
    PipeBarrier<PIPE_V>();
    DataCopy(t.a, t.x, DataCopyParams(4, 1, 0, 1));
    Duplicate(t.a[wrong ? 0 : 8], 9.0f, 32, 1, 2, 8);
    Sync<HardEvent::MTE2_MTE3>();
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.a, kTile);
}

__aicore__ void add_between_loaded_blocks(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    Duplicate(t.a, 1.0f, kTile);
    Sync<HardEvent::V_MTE2>();
    PipeBarrier<PIPE_V>();
    DataCopy(t.a, t.x, DataCopyParams(4, 1, 0, 1));
    Adds(t.b, t.a[wrong ? 0 : 8], 1.0f, 32, 1, {1, 2, 8, 8});
    Sync<HardEvent::MTE2_MTE3>();
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.a, kTile);
    DataCopy(t.z[kTile], t.b, kTile / 2);
}

// A count one too large.
__aicore__ void count_reaches_the_part_that_is_loaded(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, 32);
    Sync<HardEvent::MTE2_V>();
    DataCopy(t.a[32], t.x[32], 32);
    Adds(t.b, t.a, 1.0f, wrong ? 33 : 32);
    Sync<HardEvent::MTE2_V>(1);
    Adds(t.b[32], t.a[32], 1.0f, 32);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void count_of_halves_reaches_the_part_that_is_loaded(GM_ADDR* gm, bool wrong) {
    Tiles<half> t(gm);
    DataCopy(t.a, t.x, 32);
    Sync<HardEvent::MTE2_V>();
    DataCopy(t.a[32], t.x[32], 32);
    Adds(t.b, t.a, half(1), wrong ? 33 : 32);
    Sync<HardEvent::MTE2_V>(1);
    Adds(t.b[32], t.a[32], half(1), 32);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

// Two repeats with a gap of eight blocks, which are loaded meanwhile.
__aicore__ void repeats_around_a_load(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    TBuf<> buffer;
    t.pipe.InitBuffer(buffer, 4 * kTile * sizeof(float));
    LocalTensor<float> rows = buffer.Get<float>();
    auto z = Gm<float>(gm[1], 3 * kTile);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    DataCopy(rows[kTile], t.x, kTile);
    Adds(rows, t.a, 1.0f, kTile, 2, {1, 1, static_cast<uint8_t>(wrong ? 8 : 16), 0});
    if (wrong) Duplicate(rows[2 * kTile], 0.0f, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    Sync<HardEvent::V_MTE3>();
    DataCopy(z, rows, 3 * kTile);
}

// A mask that leaves the upper half of the tile to the load.
__aicore__ void mask_beside_a_load(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    Duplicate(t.c, 2.0f, kTile);
    DataCopy(t.a[32], t.x[32], 32);
    Adds(t.a, t.c, 1.0f, wrong ? 40 : 32, 1, {1, 1, 8, 8});
    Sync<HardEvent::MTE2_MTE3>();
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.a, kTile);
}

// Bits of a mask: every second element; the scalar unit sets one between.
__aicore__ void set_between_the_bits_of_a_mask(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Duplicate(t.b, 0.0f, kTile);
    Sync<HardEvent::MTE2_V>();
    Sync<HardEvent::V_S>();
    PipeBarrier<PIPE_V>();
    uint64_t mask[2] = {0x5555555555555555, 0};
    Adds(t.b, t.a, 1.0f, mask, 1, {1, 1, 8, 8});
    t.b.SetValue(wrong ? 2 : 3, 9.0f);
    Sync<HardEvent::V_MTE3>();
    Sync<HardEvent::S_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void set_beside_a_sum(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    WholeReduceSum(t.b, t.a, kTile, 1, 1, 1, 8);
    if (wrong) t.b.SetValue(0, 9.0f);
    for (uint32_t i = 1; i < 8; ++i) t.b.SetValue(i, 9.0f);
    Sync<HardEvent::V_MTE3>();
    Sync<HardEvent::S_MTE3>();
    DataCopy(t.z, t.b, 8);
}

__aicore__ void set_beside_sums_of_blocks(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    BlockReduceSum(t.b, t.a, 1, kTile, 1, 1, 8);
    if (wrong) t.b.SetValue(7, 9.0f);
    for (uint32_t i = 8; i < 16; ++i) t.b.SetValue(i, 9.0f);
    Sync<HardEvent::V_MTE3>();
    Sync<HardEvent::S_MTE3>();
    DataCopy(t.z, t.b, 16);
}

// 64 comparisons are 8 bytes.
__aicore__ void set_beside_the_bits_of_a_compare(GM_ADDR* gm, bool wrong) {
    Tiles t(gm, 3);
    TBuf<> buffer;
    t.pipe.InitBuffer(buffer, 32);
    LocalTensor<uint8_t> bits = buffer.Get<uint8_t>();
    DataCopy(t.a, t.x, kTile);
    DataCopy(t.b, t.y, kTile);
    Sync<HardEvent::MTE2_V>();
    Compare(bits, t.a, t.b, CMPMODE::LT, kTile);
    if (wrong) bits.SetValue(7, 9);
    for (uint32_t i = 8; i < 32; ++i) bits.SetValue(i, 9);
    Sync<HardEvent::V_MTE3>();
    Sync<HardEvent::S_MTE3>();
    DataCopy(Gm<uint8_t>(gm[2], 32), bits, 32);
}

// The offsets lead to the half that is there, or into the half that is on its way.
__aicore__ void gather_beside_a_load(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    TBuf<> buffer;
    t.pipe.InitBuffer(buffer, 32 * sizeof(uint32_t));
    LocalTensor<uint32_t> offsets = buffer.Get<uint32_t>();
    for (uint32_t i = 0; i < 32; ++i) offsets.SetValue(i, (31 - i + (wrong ? 1 : 0)) * sizeof(float));
    Sync<HardEvent::S_V>();
    DataCopy(t.a, t.x, 32);
    Sync<HardEvent::MTE2_V>();
    DataCopy(t.a[32], t.x[32], 32);
    Gather(t.b, t.a, offsets, 0, 32);
    Sync<HardEvent::MTE2_MTE3>();
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.a, kTile);
    DataCopy(t.z[kTile], t.b, 32);
}

// Padding counts as written.
__aicore__ void set_behind_a_padded_load(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopyPad(t.a, t.x, {1, 5 * sizeof(float), 0, 0}, {true, 0, 3, 0});
    if (wrong) t.a.SetValue(7, 9.0f);
    for (uint32_t i = 8; i < 16; ++i) t.a.SetValue(i, 9.0f);
    Sync<HardEvent::MTE2_MTE3>();
    Sync<HardEvent::S_MTE3>();
    DataCopy(t.z, t.a, 16);
}

// Rows of global memory: the even ones are stored while the odd ones are loaded.
__aicore__ void rows_loaded_between_rows_stored(GM_ADDR* gm, bool wrong) {
    Tiles t(gm, 3);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(t.y, t.a, DataCopyParams(2, 2, 0, 2));
    DataCopy(t.b, t.y[wrong ? 0 : 16], DataCopyParams(2, 2, 2, 0));
    Sync<HardEvent::MTE2_V>();
    Add(t.c, t.a, t.b, 32);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, 32);
}

__aicore__ void rows_stored_between_rows(GM_ADDR* gm, bool wrong) {
    Tiles t(gm, 3);
    DataCopy(t.a, t.x, kTile);
    DataCopy(t.b, t.y, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    auto z = Gm<float>(gm[2], 2 * kTile);
    DataCopy(z, t.a, DataCopyParams(4, 2, 0, 2));
    DataCopy(z[wrong ? 8 : 16], t.b, DataCopyParams(4, 2, 0, 2));
}

__aicore__ void stores_side_by_side(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopyPad(t.z, t.a, {1, 6 * sizeof(float), 0, 0});
    DataCopyPad(t.z[wrong ? 5 : 6], t.a[8], {1, 56 * sizeof(float), 0, 0});
}

__aicore__ void loads_side_by_side(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopyPad(t.a, t.x, {1, 13 * sizeof(float), 0, 0}, {true, 0, 3, 0});
    DataCopy(t.a[wrong ? 8 : 16], t.x[16], 40);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(t.z, t.a, wrong ? 48 : 56);
    if (wrong) DataCopy(t.z[48], t.a, 8);
}

// Two buffers cut out of one by hand.
__aicore__ void pong_overlaps_ping(GM_ADDR* gm, bool wrong) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 2 * kTile * sizeof(float));
    auto x = Gm<float>(gm[0], 2 * kTile), z = Gm<float>(gm[1], 2 * kTile);
    LocalTensor<float> ping = buffer.GetWithOffset<float>(kTile, 0);
    LocalTensor<float> pong = buffer.GetWithOffset<float>(kTile, (wrong ? 56 : kTile) * sizeof(float));
    DataCopy(ping, x, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(z, ping, kTile);
    DataCopy(pong, x[kTile], kTile);
    Sync<HardEvent::MTE2_MTE3>(1);
    DataCopy(z[kTile], pong, kTile);
}

// Fractals of L1, L0 and L0C

__aicore__ void fractal_beside_a_load(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Right();
    DataCopy(t.a1, t.x, kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    PipeBarrier<PIPE_MTE2>();
    DataCopy(t.a1[wrong ? kFractal / 2 : kFractal], t.x[kFractal], kFractal);
    LoadData(t.a2, t.a1, kOneFractal);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    Sync<HardEvent::MTE2_MTE1>(3);
    LoadData(t.a2[kFractal], t.a1[wrong ? kFractal / 2 : kFractal], kOneFractal);
    Sync<HardEvent::MTE1_M>(3);
    PipeBarrier<PIPE_M>();
    Mmad(t.c, t.a2[kFractal], t.b2, kSum);
    t.Out();
}

__aicore__ void next_fractal_beside_the_product(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Right();
    DataCopy(t.a1, t.x, 2 * kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    LoadData(t.a2, t.a1, kOneFractal);
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    LoadData(t.a2[wrong ? 0 : kFractal], t.a1[kFractal], kOneFractal);
    Sync<HardEvent::MTE1_M>(3);
    PipeBarrier<PIPE_M>();
    Mmad(t.c, t.a2[wrong ? 0 : kFractal], t.b2, kSum);
    t.Out();
}

__aicore__ void next_product_beside_the_result(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Both();
    Mmad(t.c, t.a2, t.b2, kProduct);
    t.Out();
    if (wrong) PipeBarrier<PIPE_M>();
    Mmad(t.c[wrong ? 0 : kFractal], t.a2, t.b2, kProduct);
    Sync<HardEvent::M_FIX>();
    Fixpipe(t.z[kFractal], t.c[wrong ? 0 : kFractal], kToRows);
}

// Two results side by side in rows of 32.
__aicore__ void columns_side_by_side(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    t.Both();
    Mmad(t.c, t.a2, t.b2, kProduct);
    Mmad(t.c[kFractal], t.a2, t.b2, kHalfProduct);
    Sync<HardEvent::M_FIX>();
    const FixpipeParamsV220 rows(kSide, kSide, kSide, 2 * kSide, false);
    Fixpipe(t.z, t.c, rows);
    Fixpipe(t.z[wrong ? 8 : kSide], t.c[kFractal], rows);
}

// Fractals 0 and 2 go to L0A while the one between them is loaded.
__aicore__ void fractals_around_a_load(GM_ADDR* gm, bool wrong) {
    CubeTiles t(gm);
    TBuf<TPosition::A1> buffer;
    t.pipe.InitBuffer(buffer, 3 * kFractal * sizeof(half));
    LocalTensor<half> l1 = buffer.Get<half>();
    auto x = Gm<half>(gm[0], 3 * kFractal);
    t.Right();
    DataCopy(l1, x, DataCopyParams(2, 16, 16, 16));
    Sync<HardEvent::MTE2_MTE1>();
    DataCopy(l1[kFractal], x[kFractal], kFractal);
    LoadData(t.a2, l1, LoadData2DParams(0, 2, wrong ? 1 : 2, 0, 0, false, 0));
    Sync<HardEvent::MTE1_M>();
    Mmad(t.c, t.a2, t.b2, kProduct);
    PipeBarrier<PIPE_M>();
    Mmad(t.c, t.a2[kFractal], t.b2, kSum);
    Sync<HardEvent::MTE2_MTE1>(3);
    Sync<HardEvent::M_MTE1>();
    LoadData(t.a2, l1[kFractal], LoadData2DParams(0, wrong ? 2 : 1, 1, 0, 0, false, 0));
    Sync<HardEvent::MTE1_M>();
    PipeBarrier<PIPE_M>();
    Mmad(t.c, t.a2, t.b2, kSum);
    t.Out();
}

}  // namespace

std::vector<Pair> ExactPairs() {
    const Memory x = Input<float>("x", kTile), y = Input<float>("y", kTile), z = Output<float>("z", kTile);
    const auto floats = [](uint32_t count) { return Output<float>("z", count); };
    return Together({
        {
            {"fill_between_loaded_blocks", "race", fill_between_loaded_blocks, {Input<float>("x", 32), z}},
            {"add_between_loaded_blocks", "race", add_between_loaded_blocks, {Input<float>("x", 32), floats(96)}},
            {"count_reaches_the_part_that_is_loaded", "race", count_reaches_the_part_that_is_loaded},
            {"count_of_halves_reaches_the_part_that_is_loaded",
             "race",
             count_of_halves_reaches_the_part_that_is_loaded,
             {Input<half>("x", kTile), Output<half>("z", kTile)}},
            {"repeats_around_a_load", "race", repeats_around_a_load, {x, floats(3 * kTile)}},
            {"mask_beside_a_load", "race", mask_beside_a_load},
            {"gather_beside_a_load", "race", gather_beside_a_load, {x, floats(96)}},
            {"rows_loaded_between_rows_stored",
             "race",
             rows_loaded_between_rows_stored,
             {x, InOut<float>("y", kTile), floats(32)}},
            {"rows_stored_between_rows",
             "race",
             rows_stored_between_rows,
             {x, Zeroed(y), InOut<float>("z", 2 * kTile)}},
            {"stores_side_by_side", "race", stores_side_by_side, {x, InOut<float>("z", kTile)}},
            {"loads_side_by_side", "race", loads_side_by_side, {x, floats(56)}},
            {"pong_overlaps_ping", "race", pong_overlaps_ping, {Input<float>("x", 2 * kTile), floats(2 * kTile)}},
        },
        WithoutAutoSync({
            {"set_between_the_bits_of_a_mask", "race", set_between_the_bits_of_a_mask},
            {"set_beside_a_sum", "race", set_beside_a_sum, {x, floats(8)}},
            {"set_beside_sums_of_blocks", "race", set_beside_sums_of_blocks, {x, floats(16)}},
            {"set_beside_the_bits_of_a_compare",
             "race",
             set_beside_the_bits_of_a_compare,
             {x, y, Output<uint8_t>("z", 32)}},
            {"set_behind_a_padded_load", "race", set_behind_a_padded_load, {x, floats(16)}},
        }),
        OnCube({
            {"fractal_beside_a_load", "race", fractal_beside_a_load, Matrices(2)},
            {"next_fractal_beside_the_product", "race", next_fractal_beside_the_product, Matrices(2)},
            {"next_product_beside_the_result", "race", next_product_beside_the_result, Matrices(1, 2)},
            {"columns_side_by_side",
             "race",
             columns_side_by_side,
             {Input<half>("x", kFractal), Input<half>("y", kFractal), InOut<float>("z", 2 * kFractal)}},
            {"fractals_around_a_load", "race", fractals_around_a_load, Matrices(3)},
        }),
    });
}

}  // namespace sfumato::pairs
