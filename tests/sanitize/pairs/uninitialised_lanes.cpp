// SPDX-License-Identifier: Apache-2.0
// Lanes of UB that nobody wrote and a result depends on: tails, masks, bits, tables.
#include "sanitize/pairs/tiles.h"

namespace sfumato::pairs {
namespace {

constexpr uint32_t kTail = 48;  // elements of a short tile
constexpr uint8_t kPacked = 8;  // blocks between repeats

// Half, where what nobody wrote is no number, so that no sum of it overflows.
std::vector<Memory> OneValue() { return {Input<half>("x", kTile), Output<half>("z", 16)}; }
template <class T>
std::vector<Memory> OneTile() {
    return {Input<T>("x", kTile), Output<T>("z", kTile)};
}

// The first element of a tile to the output.
__aicore__ inline void StoreValue(Tiles<half>& t, const LocalTensor<half>& tile) {
    Duplicate(t.c, half(0), 16);
    Adds(t.c, tile, half(0), 1);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, 16);
}

}  // namespace

std::vector<Pair> UninitialisedLanePairs() {
    // Of a burst, more than its last block; whole results with nothing between them.
    const std::vector<Pair> gaps = {
        Pair("sums_a_block_apart_stored_whole", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 Tiles<float> t(gm);
                 DataCopy(t.a, t.x, kTile);
                 Sync<HardEvent::MTE2_V>();
                 // 8 rows of 8; with a stride of 8 each sum has a block of its own
                 WholeReduceSum(t.b, t.a, 8, 8, wrong ? 8 : 1, 1, 1);
                 Adds(t.c, t.b, 0.0f, wrong ? kTile : 8);
                 Sync<HardEvent::V_MTE3>();
                 DataCopy(Gm<float>(gm[1], kTile), t.c, wrong ? kTile : 8);
             },
             {Input<float>("x", kTile), InOut<float>("z", kTile)}),
        Pair(
            "one_result_in_a_block_of_the_output", "uninitialised-read",
            [](GM_ADDR* gm, bool wrong) {
                Tiles<half> t(gm);
                DataCopy(t.a, t.x, kTile);
                Sync<HardEvent::MTE2_V>();
                if (!wrong) Duplicate(t.b, half(0), 16);
                ReduceMax(t.b, t.a, t.c, kTile, false);
                Sync<HardEvent::V_MTE3>();
                DataCopy(t.z, t.b, 16);
            },
            OneValue()),
    };
    const std::vector<Pair> others = {
        Pair(
            "sum_of_more_than_was_loaded", "uninitialised-read",
            [](GM_ADDR* gm, bool wrong) {
                Tiles<half> t(gm);
                DataCopy(t.a, t.x, kTail);
                Sync<HardEvent::MTE2_V>();
                ReduceSum(t.b, t.a, t.c, static_cast<int32_t>(wrong ? kTile : kTail));
                StoreValue(t, t.b);
            },
            OneValue()),
        Pair(
            "largest_of_more_than_was_loaded", "uninitialised-read",
            [](GM_ADDR* gm, bool wrong) {
                Tiles<half> t(gm);
                if (!wrong) Duplicate(t.a, half(-1000), kTile);
                Sync<HardEvent::V_MTE2>();
                DataCopy(t.a, t.x, kTail);
                Sync<HardEvent::MTE2_V>();
                ReduceMax(t.b, t.a, t.c, kTile, false);
                StoreValue(t, t.b);
            },
            OneValue()),
        Pair(
            "tail_of_data_copy_pad_summed", "uninitialised-read",
            [](GM_ADDR* gm, bool wrong) {
                Tiles<half> t(gm);
                if (!wrong) Duplicate(t.a, half(0), kTile);
                Sync<HardEvent::V_MTE2>();
                DataCopyPad(t.a, t.x, DataCopyExtParams(1, 42 * sizeof(half), 0, 0, 0),
                            DataCopyPadExtParams<half>(true, 0, 6, half(0)));
                Sync<HardEvent::MTE2_V>();
                ReduceSum(t.b, t.a, t.c, kTile);
                StoreValue(t, t.b);
            },
            OneValue()),
        Pair(
            "gaps_between_padded_rows_summed", "uninitialised-read",
            [](GM_ADDR* gm, bool wrong) {
                Tiles<half> t(gm);
                // 2 rows of 12 elements; each takes a block of 16, and with a gap two
                DataCopyPad(t.a, t.x, DataCopyExtParams(2, 12 * sizeof(half), 0, wrong ? 1 : 0, 0),
                            DataCopyPadExtParams<half>(true, 0, 4, half(0)));
                Sync<HardEvent::MTE2_V>();
                ReduceSum(t.b, t.a, t.c, 32);
                StoreValue(t, t.b);
            },
            OneValue()),
        Pair("lanes_past_the_tail_stored", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 Tiles t(gm);
                 DataCopy(t.a, t.x, wrong ? kTail : kTile);
                 Sync<HardEvent::MTE2_V>();
                 Adds(t.b, t.a, 1.0f, kTile);
                 Sync<HardEvent::V_MTE3>();
                 DataCopy(t.z, t.b, kTile);
             }),
        // What is computed past the tail does not matter as long as nobody stores it.
        Pair("whole_tile_stored_for_its_tail", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 Tiles t(gm);
                 auto z = Gm<float>(gm[1], kTile);
                 DataCopy(t.a, t.x, kTail);
                 Sync<HardEvent::MTE2_V>();
                 Adds(t.b, t.a, 1.0f, kTile);
                 Sync<HardEvent::V_MTE3>();
                 DataCopy(z, t.b, wrong ? kTile : kTail);
             },
             {Input<float>("x", kTile), InOut<float>("z", kTile)}),
        Pair("operand_never_loaded", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 Tiles t(gm, 3);
                 DataCopy(t.a, t.x, kTile);
                 if (!wrong) DataCopy(t.b, t.y, kTile);
                 Sync<HardEvent::MTE2_V>();
                 Add(t.c, t.a, t.b, kTile);
                 Sync<HardEvent::V_MTE3>();
                 DataCopy(t.z, t.c, kTile);
             },
             {Input<float>("x", kTile), Input<float>("y", kTile), Output<float>("z", kTile)}),
        Pair("accumulator_never_cleared", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 Tiles t(gm);
                 if (!wrong) Duplicate(t.b, 0.0f, kTile);
                 DataCopy(t.a, t.x, kTile);
                 Sync<HardEvent::MTE2_V>();
                 Add(t.b, t.b, t.a, kTile);
                 Sync<HardEvent::V_MTE3>();
                 DataCopy(t.z, t.b, kTile);
             }),
        Pair("mul_add_onto_nothing", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 Tiles t(gm);
                 if (!wrong) Duplicate(t.b, 1.0f, kTile);
                 DataCopy(t.a, t.x, kTile);
                 Sync<HardEvent::MTE2_V>();
                 Axpy(t.b, t.a, 2.0f, kTile);
                 Sync<HardEvent::V_MTE3>();
                 DataCopy(t.z, t.b, kTile);
             }),
        Pair("cleared_under_a_mask", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 Tiles t(gm);
                 Duplicate(t.b, 0.0f, uint64_t{wrong ? 32u : 64u}, 1, 1, kPacked);
                 DataCopy(t.a, t.x, kTile);
                 Sync<HardEvent::MTE2_V>();
                 Add(t.b, t.b, t.a, kTile);
                 Sync<HardEvent::V_MTE3>();
                 DataCopy(t.z, t.b, kTile);
             }),
        Pair(
            "mask_of_the_sum_wider_than_the_tail", "uninitialised-read",
            [](GM_ADDR* gm, bool wrong) {
                Tiles<half> t(gm);
                DataCopy(t.a, t.x, kTail);
                Sync<HardEvent::MTE2_V>();
                WholeReduceSum(t.b, t.a, static_cast<int32_t>(wrong ? kTile : kTail), 1, 1, 1, kPacked);
                StoreValue(t, t.b);
            },
            OneValue()),
        Pair(
            "exp_of_the_tail_and_sum_of_the_tile", "uninitialised-read",
            [](GM_ADDR* gm, bool wrong) {
                Tiles<half> t(gm);
                DataCopy(t.a, t.x, kTile);
                Sync<HardEvent::MTE2_V>();
                Exp(t.b, t.a, static_cast<int32_t>(wrong ? kTail : kTile));
                ReduceSum(t.b, t.b, t.c, kTile);
                StoreValue(t, t.b);
            },
            OneValue()),
        Pair("cast_of_fewer_than_are_stored", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 Tiles t(gm);
                 LocalTensor<int32_t> whole = t.b.ReinterpretCast<int32_t>();
                 DataCopy(t.a, t.x, kTile);
                 Sync<HardEvent::MTE2_V>();
                 Cast(whole, t.a, RoundMode::CAST_RINT, wrong ? kTail : kTile);
                 Sync<HardEvent::V_MTE3>();
                 DataCopy(Gm<int32_t>(gm[1], kTile), whole, kTile);
             },
             {Input<float>("x", kTile), Output<int32_t>("z", kTile)}),
        Pair("gaps_of_a_strided_load_added", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 Tiles t(gm);
                 DataCopy(t.a, t.x, DataCopyParams(4, 1, 0, wrong ? 1 : 0));
                 Sync<HardEvent::MTE2_V>();
                 Adds(t.b, t.a, 1.0f, 32);
                 Sync<HardEvent::V_MTE3>();
                 DataCopy(Gm<float>(gm[1], 32), t.b, 32);
             },
             {Input<float>("x", kTile), Output<float>("z", 32)}),
        Pair("second_row_of_a_transposed_tile_never_loaded", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 TPipe pipe;
                 TBuf<> in_buffer, out_buffer;
                 pipe.InitBuffer(in_buffer, 512);
                 pipe.InitBuffer(out_buffer, 512);
                 LocalTensor<half> in = in_buffer.Get<half>(), out = out_buffer.Get<half>();
                 DataCopy(in, Gm<half>(gm[0], 256), wrong ? 240 : 256);
                 Sync<HardEvent::MTE2_V>();
                 Transpose(out, in);
                 Sync<HardEvent::V_MTE3>();
                 DataCopy(Gm<half>(gm[1], 256), out, 256);
             },
             {Input<half>("x", 256), Output<half>("z", 256)}),
        Pair("bits_of_half_the_lanes", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 TPipe pipe;
                 TBuf<> buffers[4];
                 for (auto& buffer : buffers) pipe.InitBuffer(buffer, 2 * kTile * sizeof(float));
                 LocalTensor<float> a = buffers[0].Get<float>(), b = buffers[1].Get<float>(),
                                    c = buffers[2].Get<float>();
                 LocalTensor<uint8_t> bits = buffers[3].Get<uint8_t>();
                 DataCopy(a, Gm<float>(gm[0], 2 * kTile), 2 * kTile);
                 Duplicate(b, 2.0f, 2 * kTile);
                 Sync<HardEvent::MTE2_V>();
                 CompareScalar(bits, a, 2.0f, CMPMODE::GT, wrong ? kTile : 2 * kTile);
                 Select(c, bits, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, 2 * kTile);
                 Sync<HardEvent::V_MTE3>();
                 DataCopy(Gm<float>(gm[1], 2 * kTile), c, 2 * kTile);
             },
             {Input<float>("x", 2 * kTile), Output<float>("z", 2 * kTile)}),
        Pair("selection_bits_never_made", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 Tiles t(gm);
                 TBuf<> bit_buffer;
                 t.pipe.InitBuffer(bit_buffer, 32);
                 LocalTensor<uint8_t> bits = bit_buffer.Get<uint8_t>();
                 DataCopy(t.a, t.x, kTile);
                 Sync<HardEvent::MTE2_V>();
                 if (!wrong) CompareScalar(bits, t.a, 2.0f, CMPMODE::GT, kTile);
                 Select(t.b, bits, t.a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, kTile);
                 Sync<HardEvent::V_MTE3>();
                 DataCopy(t.z, t.b, kTile);
             }),
        Pair(
            "int4_of_half_the_tile", "uninitialised-read",
            [](GM_ADDR* gm, bool wrong) {
                Tiles<half> t(gm);
                TBuf<> nibble_buffer;
                t.pipe.InitBuffer(nibble_buffer, 32);
                LocalTensor<int4b_t> nibbles = nibble_buffer.Get<int4b_t>();
                DataCopy(t.a, t.x, kTile);
                Sync<HardEvent::MTE2_V>();
                Cast(nibbles, t.a, RoundMode::CAST_RINT, wrong ? kTile - 2 : kTile);
                Cast(t.b, nibbles, RoundMode::CAST_NONE, kTile);
                Sync<HardEvent::V_MTE3>();
                DataCopy(t.z, t.b, kTile);
            },
            OneTile<half>()),
        Pair("lanes_gathered_from_past_the_tail", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 Tiles t(gm);
                 LocalTensor<int32_t> offsets = t.c.ReinterpretCast<int32_t>();
                 DataCopy(t.a, t.x, kTail);
                 Duplicate(offsets, static_cast<int32_t>((wrong ? kTail : kTail - 1) * sizeof(float)), kTile);
                 Sync<HardEvent::MTE2_V>();
                 Gather(t.b, t.a, offsets.ReinterpretCast<uint32_t>(), 0u, kTile);
                 Sync<HardEvent::V_MTE3>();
                 DataCopy(t.z, t.b, kTile);
             }),
        Pair("indices_of_a_sort_never_made", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 Tiles t(gm);
                 LocalTensor<int32_t> indices = t.b.ReinterpretCast<int32_t>();
                 DataCopy(t.a, t.x, 32);
                 if (!wrong) ArithProgression<int32_t>(indices, 0, 1, 32);
                 Sync<HardEvent::MTE2_V>();
                 Sort32(t.c, t.a, indices.ReinterpretCast<uint32_t>(), 1);
                 Sync<HardEvent::V_MTE3>();
                 DataCopy(t.z, t.c, kTile);
             }),
        Pair("rows_broadcast_of_fewer_values", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 Tiles t(gm);
                 DataCopy(t.a, t.x, kTile);
                 Sync<HardEvent::MTE2_V>();
                 Adds(t.c, t.a, 1.0f, wrong ? 4 : 8);
                 Brcb(t.b, t.c, 1, {1, 8});
                 Sync<HardEvent::V_MTE3>();
                 DataCopy(t.z, t.b, kTile);
             }),
    };
    return Together({gaps, On("Ascend310P3", gaps), others});
}

}  // namespace sfumato::pairs
