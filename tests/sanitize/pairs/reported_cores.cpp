// SPDX-License-Identifier: Apache-2.0
// Shapes of public bug reports between cores, and of what they leave in memory, in our own words: signals that overtake
// data, lines that are not cleaned, cores that never come to a barrier, tails, overflows.
#include "sanitize/pairs/blocks.h"
#include "sanitize/pairs/cube_tiles.h"

namespace sfumato::pairs {
namespace {

std::vector<Memory> Signalled() {
    return {Input<float>("x", kShare), Output<float>("z", kShare), Workspace<float>("window", kShare),
            Zeroed(InOut<int32_t>("signal", 16))};
}
std::vector<Memory> Crossed() {
    return {Input<half>("a", kFractal), Input<half>("b", kFractal), Workspace<float>("work", kFractal),
            Output<float>("z", kFractal)};
}

}  // namespace

std::vector<Pair> ReportedCorePairs() {
    return {
        Pair("signal_of_the_scalar_unit_overtakes_the_store", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto window = Gm<float>(gm[2], kShare);
                 auto signal = Gm<int32_t>(gm[3], 16);
                 if (b.index == 0) {
                     DataCopy(window, b.Plus(Gm<float>(gm[0], kShare), kShare, 1.0f), kShare);
                     if (!wrong) PipeBarrier<PIPE_ALL>();
                     signal.SetValue(0, 1);
                     Clean(signal);
                 } else {
                     Poll(b, signal);
                     DataCopy(Gm<float>(gm[1], kShare), b.Plus(window, kShare, 1.0f), kShare);
                 }
             },
             {.gm = Signalled(), .blocks = 2, .source = "hw-native-sys/PTOAS#711"}),
        Pair("signal_overtakes_a_store_of_its_own_pipe", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto window = Gm<float>(gm[2], kShare);
                 auto signal = Gm<int32_t>(gm[3], 16);
                 auto one = b.Filled<int32_t>(1, 8);
                 if (b.index == 0) {
                     DataCopy(window, b.Plus(Gm<float>(gm[0], kShare), kShare, 1.0f), kShare);
                     if (!wrong) PipeBarrier<PIPE_MTE3>();
                     SetAtomicAdd<int32_t>();
                     DataCopy(signal, one, 8);
                     SetAtomicNone();
                 } else {
                     Poll(b, signal);
                     DataCopy(Gm<float>(gm[1], kShare), b.Plus(window, kShare, 1.0f), kShare);
                 }
             },
             {.gm = Signalled(), .blocks = 2, .source = "hw-native-sys/pypto#1561"}),
        Pair("last_chunk_not_drained_before_the_signal", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto window = Gm<float>(gm[2], kShare);
                 auto signal = Gm<int32_t>(gm[3], 16);
                 auto one = b.Filled<int32_t>(1, 8);
                 if (b.index == 0) {
                     auto tile = b.Plus(Gm<float>(gm[0], kShare), kShare, 1.0f);
                     DataCopy(window, tile, kShare / 2);
                     if (wrong) PipeBarrier<PIPE_MTE3>();
                     DataCopy(window[kShare / 2], tile[kShare / 2], kShare / 2);
                     if (!wrong) PipeBarrier<PIPE_MTE3>();
                     DataCopy(signal, one, 8);
                 } else {
                     Poll(b, signal);
                     DataCopy(Gm<float>(gm[1], kShare), b.Plus(window, kShare, 1.0f), kShare);
                 }
             },
             {.gm = Signalled(), .blocks = 2, .source = "hw-native-sys/PTOAS#872"}),
        Pair("signal_waits_for_every_pipe_but_fix", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 auto work = Gm<float>(gm[2], kFractal);
                 if ASCEND_IS_AIC {
                     CubeTiles q(gm);
                     q.Multiply();
                     Fixpipe(work, q.c, kToRows);
                     PipeBarrier<PIPE_MTE2>();
                     PipeBarrier<PIPE_MTE3>();
                     wrong ? CrossCoreSetFlag<2, PIPE_MTE3>(3) : CrossCoreSetFlag<2, PIPE_FIX>(3);
                 }
                 if ASCEND_IS_AIV {
                     Block v;
                     const uint32_t half_square = kFractal / 2,
                                    at = static_cast<uint32_t>(GetSubBlockIdx()) * half_square;
                     CrossCoreWaitFlag(3);
                     DataCopy(Gm<float>(gm[3], kFractal)[at], v.Plus(work[at], half_square, 1.0f), half_square);
                 }
             },
             {.gm = Crossed(), .core = CoreChoice::kMix, .source = "hw-native-sys/PTOAS#722"}),
        // The consumer finds zeros in the tail: the producer's last burst is still under way.
        Pair("producer_done_before_its_last_burst", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 auto right = Gm<half>(gm[2], kFractal);
                 if ASCEND_IS_AIV {
                     if (GetSubBlockIdx() != 0) {
                         CrossCoreSetFlag<2, PIPE_MTE3>(3);
                         return;
                     }
                     Block v;
                     auto tile = v.Plus(Gm<half>(gm[1], kFractal), kFractal, 1.0f);
                     DataCopy(right, tile, kFractal / 2);
                     if (wrong) CrossCoreSetFlag<2, PIPE_MTE3>(3);
                     DataCopy(right[kFractal / 2], tile[kFractal / 2], kFractal / 2);
                     if (!wrong) CrossCoreSetFlag<2, PIPE_MTE3>(3);
                 }
                 if ASCEND_IS_AIC {
                     CubeTiles q(gm);
                     CrossCoreWaitFlag(3);
                     q.y = right;
                     q.Multiply();
                     Fixpipe(Gm<float>(gm[3], kFractal), q.c, kToRows);
                 }
             },
             {.gm = {Input<half>("a", kFractal), Input<half>("b", kFractal), Workspace<half>("right", kFractal),
                     Output<float>("z", kFractal)},
              .core = CoreChoice::kMix,
              .source = "hw-native-sys/simpler#982"}),
        // Counts that the scalar unit writes; barriers order pipes, and clean no line.
        Pair("routes_left_in_the_cache", "cache-not-cleaned",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto routes = Gm<int32_t>(gm[0], 16);
                 if (b.index == 0) {
                     for (uint32_t i = 0; i < 8; ++i) routes.SetValue(i, static_cast<int32_t>(i + 1));
                     if (!wrong) Clean(routes);
                     PipeBarrier<PIPE_ALL>();
                 }
                 SyncAll();
                 if (b.index == 1) DataCopy(Gm<int32_t>(gm[1], 8), b.Plus(routes, 8, 1.0f), 8);
             },
             {.gm = {Zeroed(InOut<int32_t>("routes", 16)), Output<int32_t>("z", 8)},
              .blocks = 2,
              .source = "hw-native-sys/PTOAS#696"}),
        // A line read by the scalar unit, stored whole by a move, and changed in part by the scalar unit again.
        Pair("scalar_and_move_share_a_line_of_the_output", "cache-lost-write",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto line = Gm<int32_t>(gm[0], 16);
                 const int32_t last = line.GetValue(15);
                 auto tile = b.Filled<int32_t>(last - 1, 16);
                 DataCopy(line, tile, 16);
                 b.Order<HardEvent::MTE3_S>();
                 if (!wrong) Clean(line);
                 for (uint32_t i = 0; i < 4; ++i) line.SetValue(i, static_cast<int32_t>(i));
                 Clean(line);
             },
             {.gm = {Zeroed(InOut<int32_t>("line", 16))}, .source = "hw-native-sys/pypto#2005"}),
        Pair("ready_word_read_from_the_cache_again_and_again", "stale-poll",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto ready = Gm<int32_t>(gm[1], 16);
                 if (b.index == 1) {
                     DataCopy(ready, b.Filled<int32_t>(1, 8), 8);
                     return;
                 }
                 while (ready.GetValue(0) == 0) {
                     if (!wrong) Clean(ready);
                 }
                 DataCopy(Gm<float>(gm[0], kShare), b.Filled(1.0f, kShare), kShare);
             },
             {.gm = {Output<float>("z", kShare), Zeroed(InOut<int32_t>("ready", 16))},
              .blocks = 2,
              .source = "hw-native-sys/simpler#203"}),
        Pair("barrier_of_cores_that_have_no_work", "deadlock",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 const bool works = b.index < 2;  // of four
                 auto work = Gm<float>(gm[2], 2 * kShare);
                 auto x = Gm<float>(gm[0], 2 * kShare), z = Gm<float>(gm[1], 2 * kShare);
                 const uint32_t mine = b.index % 2 * kShare, other = kShare - mine;
                 if (works) DataCopy(work[mine], b.Plus(x[mine], kShare, 1.0f), kShare);
                 if (works || !wrong) SyncAll();
                 if (works) DataCopy(z[mine], b.Plus(work[other], kShare, 1.0f), kShare);
             },
             {.gm = WithWorkspace(2), .blocks = 4, .source = "hw-native-sys/pypto#1935"}),
        Pair("empty_row_returns_before_the_barrier", "deadlock",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto work = Gm<float>(gm[2], 2 * kShare);
                 auto z = Gm<float>(gm[1], 2 * kShare);
                 const uint32_t mine = b.index * kShare, rows = b.index == 0 ? 1 : 0;
                 if (wrong && rows == 0) {
                     PipeBarrier<PIPE_ALL>();
                     return;
                 }
                 if (rows != 0) DataCopy(work, b.Plus(Gm<float>(gm[0], 2 * kShare), kShare, 1.0f), kShare);
                 SyncAll();
                 if (rows != 0) return DataCopy(z[mine], b.Filled(1.0f, kShare), kShare);
                 DataCopy(z[mine], b.Plus(work, kShare, 1.0f), kShare);
             },
             {.gm = WithWorkspace(2), .blocks = 2, .source = "hw-native-sys/pypto#1997"}),
        Pair("blocks_of_a_later_wave_meet_those_of_the_first", "deadlock",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 DataCopy(Gm<float>(gm[0], 64 * 8)[b.index * 8], b.Filled(1.0f + b.index, 8), 8);
                 if (wrong) SyncAll();
             },
             {.gm = {Output<float>("z", 64 * 8)},
              .blocks = 64,
              .others = {"blocks-exceed-cores"},
              .source = "hw-native-sys/pypto#1990"}),
        Pair("half_of_a_pair_of_cores_has_ended", "deadlock",
             [](GM_ADDR* gm, bool wrong) {
                 auto work = Gm<float>(gm[2], kFractal);
                 const bool paired = !wrong;
                 if ASCEND_IS_AIC {
                     if (!paired) return;  // it was not given its part
                     CubeTiles q(gm);
                     q.Multiply();
                     Fixpipe(work, q.c, kToRows);
                     CrossCoreSetFlag<2, PIPE_FIX>(3);
                 }
                 if ASCEND_IS_AIV {
                     Block v;
                     const uint32_t half_square = kFractal / 2,
                                    at = static_cast<uint32_t>(GetSubBlockIdx()) * half_square;
                     CrossCoreWaitFlag(3);
                     DataCopy(Gm<float>(gm[3], kFractal)[at], v.Plus(work[at], half_square, 1.0f), half_square);
                 }
             },
             {.gm = Crossed(), .core = CoreChoice::kMix, .source = "hw-native-sys/pypto#2097"}),
        // A flag by hand beside the one that a tool has put there.
        Pair("two_protocols_on_one_flag", "cross-flag-left",
             [](GM_ADDR* gm, bool wrong) {
                 auto work = Gm<float>(gm[2], kFractal);
                 if ASCEND_IS_AIC {
                     CubeTiles q(gm);
                     q.Multiply();
                     Fixpipe(work, q.c, kToRows);
                     CrossCoreSetFlag<2, PIPE_FIX>(3);
                     if (wrong) CrossCoreSetFlag<2, PIPE_FIX>(3);
                 }
                 if ASCEND_IS_AIV {
                     Block v;
                     const uint32_t half_square = kFractal / 2,
                                    at = static_cast<uint32_t>(GetSubBlockIdx()) * half_square;
                     CrossCoreWaitFlag(3);
                     DataCopy(Gm<float>(gm[3], kFractal)[at], v.Plus(work[at], half_square, 1.0f), half_square);
                 }
             },
             {.gm = Crossed(), .core = CoreChoice::kMix, .source = "tile-ai/tilelang-ascend#1825"}),
        Pair("rows_past_the_valid_ones_not_filled", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 constexpr uint32_t kValid = 3, kRows = 4, kColumns = 16;
                 Block b;
                 auto tile = b.New<float>(kRows * kColumns);
                 DataCopy(tile, Gm<float>(gm[0], kShare), kValid * kColumns);
                 const uint32_t filled = wrong ? kValid * kColumns : 0;  // rows of the destination, not of the source
                 if (filled == 0) Duplicate(tile[kValid * kColumns], 0.0f, kColumns);
                 b.Order<HardEvent::V_MTE3>();
                 b.Order<HardEvent::MTE2_MTE3>();
                 DataCopy(Gm<float>(gm[1], kShare), tile, kRows * kColumns);
             },
             {.source = "hw-native-sys/PTOAS#939"}),
        // Each row's sum is one element; a store of one element a row takes the first of each 32 bytes.
        Pair("sums_stored_a_row_each_from_packed_lanes", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 constexpr uint16_t kRows = 4;
                 Block b;
                 auto x = b.Loaded(Gm<half>(gm[0], kRows * 128), kRows * 128);
                 auto sums = b.New<half>(kRows * 16);
                 WholeReduceSum(sums, x, 128, kRows, wrong ? 1 : 16, 1, 8);
                 b.Order<HardEvent::V_MTE3>();
                 DataCopyPad(Gm<half>(gm[1], kRows), sums, DataCopyExtParams(kRows, sizeof(half), 0, 0, 0));
             },
             {.gm = {Input<half>("x", 512), Output<half>("z", 4)}, .source = "tile-ai/tilelang-ascend#1682"}),
        Pair("rows_divided_by_the_chunk_without_a_rest", "output-unwritten",
             [](GM_ADDR* gm, bool wrong) {
                 constexpr uint32_t kRows = 7, kChunk = 2, kColumns = 8;
                 Block b;
                 auto tile = b.Plus(Gm<float>(gm[0], kShare), kShare, 1.0f);
                 const uint32_t chunks = wrong ? kRows / kChunk : (kRows + kChunk - 1) / kChunk;
                 for (uint32_t i = 0; i < chunks; ++i) {
                     const uint32_t row = i * kChunk, rows = row + kChunk > kRows ? kRows - row : kChunk;
                     DataCopy(Gm<float>(gm[1], kRows * kColumns)[row * kColumns], tile[row * kColumns],
                              rows * kColumns);
                 }
             },
             {.gm = {Input<float>("x", kShare), Output<float>("z", 56)}, .source = "hw-native-sys/pypto-lib#475"}),
        Pair("chunk_of_a_sequence_left_out", "output-unwritten",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;  // a sequence of three chunks on two cores
                 auto z = Gm<float>(gm[1], 3 * kShare);
                 auto tile = b.Plus(Gm<float>(gm[0], kShare), kShare, 1.0f);
                 const uint32_t chunks = wrong ? 2 : 3;
                 for (uint32_t i = b.index; i < chunks; i += b.blocks) DataCopy(z[i * kShare], tile, kShare);
             },
             {.gm = {Input<float>("x", kShare), Output<float>("z", 3 * kShare)},
              .blocks = 2,
              .source = "vllm-project/vllm-ascend#17009"}),
        Pair("sum_from_nothing_that_was_cleared", "atomic-uninitialised",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto sum = Gm<float>(gm[1], kShare);
                 if (!wrong) {
                     DataCopy(sum, b.Filled(0.0f, kShare), kShare);
                     PipeBarrier<PIPE_MTE3>();
                 }
                 auto tile = b.Plus(Gm<float>(gm[0], kShare), kShare, 1.0f);
                 SetAtomicAdd<float>();
                 DataCopy(sum, tile, kShare);
                 SetAtomicNone();
             },
             {.source = "tile-ai/tilelang-ascend#932"}),
        Pair("half_reduction_past_its_range", "inf-born",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 SetCtrlSpr<48, 48>(1);
                 auto x = b.Loaded(Gm<half>(gm[0], 128), 128), sum = b.New<half>(16);
                 Muls(x, x, half(wrong ? 1000 : 10), 128);
                 Duplicate(sum, half(0), 16);
                 WholeReduceSum(sum, x, 128, 1, 1, 1, 8);
                 b.Order<HardEvent::V_MTE3>();
                 DataCopy(Gm<half>(gm[1], 16), sum, 16);
             },
             {.gm = {Input<half>("x", 128), Output<half>("z", 16)}, .source = "tile-ai/tilelang-ascend#1531"}),
    };
}

}  // namespace sfumato::pairs
