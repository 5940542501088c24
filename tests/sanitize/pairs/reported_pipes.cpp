// SPDX-License-Identifier: Apache-2.0
// Shapes of public bug reports inside a core, in our own words: waits that a loop or a branch skips, buffers used
// again, flags from the wrong pipe.
#include "sanitize/pairs/blocks.h"

namespace sfumato::pairs {
namespace {

std::vector<Memory> Tiles2() { return {Input<float>("x", 2 * kShare), Output<float>("z", 2 * kShare)}; }
// And a count that the host gives: 0.
std::vector<Memory> Counted() {
    return {Input<float>("x", kShare), Output<float>("z", kShare), Zeroed(Input<int32_t>("count", 8))};
}
__aicore__ inline int32_t CountOf(GM_ADDR* gm) { return Gm<int32_t>(gm[2], 8).GetValue(0); }

}  // namespace

std::vector<Pair> ReportedPipePairs() {
    return {
        // The wait for what was loaded before the loop stands in its body.
        Pair("loop_of_no_trips_skips_the_wait", "race",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto tile = b.New<float>(kShare);
                 const int32_t rounds = CountOf(gm);
                 DataCopy(tile, Gm<float>(gm[0], kShare), kShare);
                 SetFlag<HardEvent::MTE2_V>(0);
                 if (!wrong) WaitFlag<HardEvent::MTE2_V>(0);
                 for (int32_t i = 0; i < rounds; ++i) {
                     if (wrong && i == 0) WaitFlag<HardEvent::MTE2_V>(0);
                     Muls(tile, tile, 2.0f, kShare);
                 }
                 Adds(tile, tile, 1.0f, kShare);
                 b.Order<HardEvent::V_MTE3>();
                 DataCopy(Gm<float>(gm[1], kShare), tile, kShare);
             },
             {.gm = Counted(), .others = {"flag-left-set"}, .source = "hw-native-sys/PTOAS#533"}),
        Pair("branch_not_taken_skips_the_barrier", "race",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto first = b.New<float>(kShare), second = b.New<float>(kShare);
                 Duplicate(first, 1.0f, kShare);
                 if (CountOf(gm) > 0) {
                     Duplicate(second, 2.0f, kShare);
                     PipeBarrier<PIPE_V>();
                 }
                 if (!wrong) PipeBarrier<PIPE_V>();
                 Add(second, first, first, kShare);
                 b.Order<HardEvent::V_MTE3>();
                 DataCopy(Gm<float>(gm[1], kShare), second, kShare);
             },
             {.gm = Counted(), .auto_sync = false, .source = "tile-ai/tilelang-ascend#1824"}),
        // The store's flag is waited for, but behind the load that needs it.
        Pair("wait_behind_the_load_of_what_was_stored", "race",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto z = Gm<float>(gm[1], kShare), copy = Gm<float>(gm[2], kShare);
                 auto tile = b.Plus(Gm<float>(gm[0], kShare), kShare, 1.0f), staged = b.New<float>(kShare);
                 DataCopy(z, tile, kShare);
                 SetFlag<HardEvent::MTE3_MTE2>(0);
                 if (!wrong) WaitFlag<HardEvent::MTE3_MTE2>(0);
                 DataCopy(staged, z, kShare);
                 if (wrong) WaitFlag<HardEvent::MTE3_MTE2>(0);
                 b.Order<HardEvent::MTE2_MTE3>();
                 DataCopy(copy, staged, kShare);
             },
             {.gm = {Input<float>("x", kShare), Output<float>("z", kShare), Output<float>("copy", kShare)},
              .source = "hw-native-sys/PTOAS#706"}),
        // Weights are stored, taken back from the output, and stored normalised.
        Pair("output_taken_back_in_the_same_program", "race",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto z = Gm<float>(gm[1], kShare);
                 auto weights = b.Plus(Gm<float>(gm[0], kShare), kShare, 1.0f), again = b.New<float>(kShare);
                 DataCopy(z, weights, kShare);
                 if (!wrong) b.Order<HardEvent::MTE3_MTE2>();
                 DataCopy(again, z, kShare);
                 b.Order<HardEvent::MTE2_V>();
                 Muls(again, again, 0.5f, kShare);
                 b.Order<HardEvent::V_MTE3>();
                 PipeBarrier<PIPE_MTE3>();
                 DataCopy(z, again, kShare);
             },
             {.source = "triton-lang/triton-ascend#1416"}),
        Pair("next_round_writes_a_tile_that_is_being_stored", "race",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto z = Gm<float>(gm[1], 2 * kShare);
                 auto in = b.Loaded(Gm<float>(gm[0], 2 * kShare), 2 * kShare), out = b.New<float>(kShare);
                 for (uint32_t i = 0; i < 2; ++i) {
                     Adds(out, in[i * kShare], 1.0f, kShare);
                     b.Order<HardEvent::V_MTE3>();
                     DataCopy(z[i * kShare], out, kShare);
                     if (!wrong) b.Order<HardEvent::MTE3_V>();
                 }
             },
             {.gm = Tiles2(), .source = "hw-native-sys/PTOAS#844"}),
        // The squares of a norm go where a tile waits for its store.
        Pair("scratch_on_a_tile_that_is_being_stored", "race",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto x = b.Loaded(Gm<float>(gm[0], kShare), kShare);
                 auto tile = b.Plus(Gm<float>(gm[0], kShare), kShare, 1.0f), sum = b.New<float>(8);
                 auto squares = wrong ? tile : b.New<float>(kShare);
                 Duplicate(sum, 0.0f, 8);
                 DataCopy(Gm<float>(gm[1], kShare), tile, kShare);
                 Mul(squares, x, x, kShare);
                 WholeReduceSum(sum, squares, kShare, 1, 1, 1, 8);
                 b.Order<HardEvent::V_MTE3>();
                 DataCopy(Gm<float>(gm[2], 8), sum, 8);
             },
             {.gm = {Input<float>("x", kShare), Output<float>("z", kShare), Output<float>("sum", 8)},
              .source = "hw-native-sys/PTOAS#934"}),
        // Two slots are filled in each round; the flag back guards the first.
        Pair("second_slot_of_a_round_not_guarded", "race",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto x = Gm<float>(gm[0], 4 * kShare), z = Gm<float>(gm[1], 2 * kShare);
                 auto left = b.New<float>(kShare), right = b.New<float>(kShare), out = b.New<float>(2 * kShare);
                 SetFlag<HardEvent::V_MTE2>(0);
                 SetFlag<HardEvent::V_MTE2>(1);
                 for (uint32_t i = 0; i < 2; ++i) {
                     WaitFlag<HardEvent::V_MTE2>(0);
                     DataCopy(left, x[2 * i * kShare], kShare);
                     if (!wrong) WaitFlag<HardEvent::V_MTE2>(1);
                     DataCopy(right, x[(2 * i + 1) * kShare], kShare);
                     b.Order<HardEvent::MTE2_V>();
                     Adds(out[i * kShare], left, 1.0f, kShare);
                     SetFlag<HardEvent::V_MTE2>(0);
                     Add(out[i * kShare], out[i * kShare], right, kShare);
                     if (wrong) WaitFlag<HardEvent::V_MTE2>(1);
                     SetFlag<HardEvent::V_MTE2>(1);
                 }
                 WaitFlag<HardEvent::V_MTE2>(0);
                 WaitFlag<HardEvent::V_MTE2>(1);
                 b.Order<HardEvent::V_MTE3>();
                 DataCopy(z, out, 2 * kShare);
             },
             {.gm = {Input<float>("x", 4 * kShare), Output<float>("z", 2 * kShare)},
              .others = {"flag-set-twice"},
              .source = "hw-native-sys/PTOAS#1118"}),
        // A loop that loads ahead; the flags of both slots are set before it, one of them for a slot nobody has filled.
        Pair("slot_declared_full_before_the_loop", "flag-set-twice",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto x = Gm<float>(gm[0], 2 * kShare), z = Gm<float>(gm[1], 2 * kShare);
                 auto slots = b.New<float>(2 * kShare), out = b.New<float>(2 * kShare);
                 DataCopy(slots, x, kShare);
                 SetFlag<HardEvent::MTE2_V>(0);
                 if (wrong) SetFlag<HardEvent::MTE2_V>(1);
                 for (uint32_t i = 0; i < 2; ++i) {
                     if (i == 0) {
                         DataCopy(slots[kShare], x[kShare], kShare);
                         SetFlag<HardEvent::MTE2_V>(1);
                     }
                     WaitFlag<HardEvent::MTE2_V>(static_cast<int32_t>(i));
                     Adds(out[i * kShare], slots[i * kShare], 1.0f, kShare);
                 }
                 b.Order<HardEvent::V_MTE3>();
                 DataCopy(z, out, 2 * kShare);
             },
             {.gm = Tiles2(), .source = "hw-native-sys/PTOAS#1519"}),
        Pair("wait_hoisted_out_of_its_branch", "wait-never-satisfied",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 const int32_t remaining = CountOf(gm) + 1;
                 auto x = Gm<float>(gm[0], 2 * kShare), z = Gm<float>(gm[1], 2 * kShare);
                 auto in = b.New<float>(2 * kShare);
                 for (int32_t i = 0; i < 2; ++i) {
                     const uint32_t at = static_cast<uint32_t>(i) * kShare;
                     if (i < remaining) {
                         DataCopy(in[at], x[at], kShare);
                         SetFlag<HardEvent::MTE2_V>(i);
                     }
                     if (wrong || i < remaining) WaitFlag<HardEvent::MTE2_V>(i);
                     i < remaining ? Adds(in[at], in[at], 1.0f, kShare) : Duplicate(in[at], 0.0f, kShare);
                 }
                 b.Order<HardEvent::V_MTE3>();
                 DataCopy(z, in, 2 * kShare);
             },
             {.gm = {Input<float>("x", 2 * kShare), Output<float>("z", 2 * kShare), Zeroed(Input<int32_t>("count", 8))},
              .source = "hw-native-sys/PTOAS#1149"}),
        Pair("flags_of_a_loop_set_outside_its_branch", "flag-left-set",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 const bool taken = CountOf(gm) > 0;
                 auto tile = b.Plus(Gm<float>(gm[0], kShare), kShare, 1.0f);
                 if (wrong || taken) SetFlag<HardEvent::MTE3_MTE2>(5);
                 if (taken) {
                     WaitFlag<HardEvent::MTE3_MTE2>(5);
                     DataCopy(tile, Gm<float>(gm[0], kShare), kShare);
                     b.Order<HardEvent::MTE2_MTE3>();
                 }
                 DataCopy(Gm<float>(gm[1], kShare), tile, kShare);
             },
             {.gm = Counted(), .source = "hw-native-sys/PTOAS#514"}),
        Pair("wait_twice_for_one_set_in_a_branch", "wait-never-satisfied",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto tile = b.New<float>(kShare);
                 DataCopy(tile, Gm<float>(gm[0], kShare), kShare);
                 SetFlag<HardEvent::MTE2_V>(0);
                 if (CountOf(gm) == 0) {
                     WaitFlag<HardEvent::MTE2_V>(0);
                     Adds(tile, tile, 1.0f, kShare);
                 } else {
                     WaitFlag<HardEvent::MTE2_V>(0);
                 }
                 if (wrong) WaitFlag<HardEvent::MTE2_V>(0);
                 Muls(tile, tile, 2.0f, kShare);
                 b.Order<HardEvent::V_MTE3>();
                 DataCopy(Gm<float>(gm[1], kShare), tile, kShare);
             },
             {.gm = Counted(), .source = "hw-native-sys/PTOAS#126"}),
        // Where a chip keeps a flag by the pipe that sets it and its id, the inner wait takes the outer set.
        Pair("id_used_again_inside_its_own_range", "flag-identity",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto x = Gm<float>(gm[0], 2 * kShare), z = Gm<float>(gm[1], 2 * kShare);
                 auto tile = b.Plus(x, kShare, 1.0f), next = b.New<float>(kShare);
                 const int32_t inner = wrong ? 2 : 3;
                 DataCopy(z, tile, kShare);
                 SetFlag<HardEvent::MTE3_V>(2);
                 SetFlag<HardEvent::MTE3_MTE2>(inner);
                 WaitFlag<HardEvent::MTE3_MTE2>(inner);
                 DataCopy(next, x[kShare], kShare);
                 WaitFlag<HardEvent::MTE3_V>(2);
                 b.Order<HardEvent::MTE2_V>();
                 Adds(tile, next, 2.0f, kShare);
                 b.Order<HardEvent::V_MTE3>();
                 DataCopy(z[kShare], tile, kShare);
             },
             {.gm = Tiles2(), .source = "hw-native-sys/PTOAS#823"}),
        // Indices come from the vector unit; the flag before their store is that of the scalar unit.
        Pair("flag_of_the_scalar_unit_for_a_vector_result", "race",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto indices = b.New<int32_t>(kShare);
                 ArithProgression<int32_t>(indices, 31, -1, kShare);
                 wrong ? b.Order<HardEvent::S_MTE3>() : b.Order<HardEvent::V_MTE3>();
                 DataCopy(Gm<int32_t>(gm[0], kShare), indices, kShare);
             },
             {.gm = {Output<int32_t>("z", kShare)}, .source = "hw-native-sys/PTOAS#1499"}),
        Pair("index_read_before_its_load", "race",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto indices = b.New<int32_t>(8);
                 auto tile = b.New<float>(8);
                 DataCopy(indices, Gm<int32_t>(gm[2], 8), 8);
                 if (!wrong) b.Order<HardEvent::MTE2_S>();
                 const auto row = static_cast<uint32_t>(indices.GetValue(0));
                 b.Order<HardEvent::S_MTE2>();
                 DataCopy(tile, Gm<float>(gm[0], kShare)[row * 8], 8);
                 b.Order<HardEvent::MTE2_MTE3>();
                 DataCopy(Gm<float>(gm[1], 8), tile, 8);
             },
             {.gm = {Input<float>("x", kShare), Output<float>("z", 8), Input<int32_t>("indices", 8)},
              .auto_sync = false,
              .source = "hw-native-sys/PTOAS#861"}),
        Pair("element_set_while_vector_reads_it", "race",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto tile = b.Loaded(Gm<float>(gm[0], kShare), kShare), out = b.New<float>(kShare);
                 b.Order<HardEvent::MTE2_S>();
                 tile.SetValue(0, 9.0f);
                 if (!wrong) b.Order<HardEvent::S_V>();
                 Adds(out, tile, 1.0f, kShare);
                 b.Order<HardEvent::V_MTE3>();
                 DataCopy(Gm<float>(gm[1], kShare), out, kShare);
             },
             {.auto_sync = false, .source = "tile-ai/tilelang-ascend#1346"}),
        Pair("scalar_read_of_memory_that_is_being_stored", "race",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto z = Gm<float>(gm[1], kShare);
                 DataCopy(z, b.Plus(Gm<float>(gm[0], kShare), kShare, 1.0f), kShare);
                 if (!wrong) b.Order<HardEvent::MTE3_S>();
                 Clean(z);
                 const float first = z.GetValue(0);
                 DataCopy(Gm<float>(gm[2], 8), b.Filled(first, 8), 8);
             },
             {.gm = {Input<float>("x", kShare), Output<float>("z", kShare), Output<float>("first", 8)},
              .auto_sync = false,
              .source = "hw-native-sys/PTOAS#951"}),
        Pair("barrier_of_a_pipe_that_vector_cores_lack", "pipe-unsupported",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 DataCopy(Gm<float>(gm[1], kShare), b.Plus(Gm<float>(gm[0], kShare), kShare, 1.0f), kShare);
                 wrong ? PipeBarrier<PIPE_FIX>() : PipeBarrier<PIPE_MTE3>();
             },
             {.source = "hw-native-sys/PTOAS#1026"}),
    };
}

}  // namespace sfumato::pairs
