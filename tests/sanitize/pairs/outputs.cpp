// SPDX-License-Identifier: Apache-2.0
// Outputs that a launch leaves partly unwritten, atomic stores onto memory nobody initialised, data loaded for nothing.
#include "sanitize/pairs/blocks.h"
#include "sanitize/pairs/cube_tiles.h"

namespace sfumato::pairs {
namespace {

constexpr uint32_t kCount = 100;  // not a multiple of a tile

// Tiles of 32 elements.
__aicore__ inline void CopyTiles(GM_ADDR* gm, uint32_t tiles) {
    Block b;
    auto all = b.Plus(Gm<float>(gm[0], 2 * kShare), 2 * kShare, 1.0f);
    for (uint32_t i = 0; i < tiles; ++i) DataCopy(Gm<float>(gm[1], 2 * kShare)[i * 32], all[i * 32], 32);
}

}  // namespace

std::vector<Pair> OutputPairs() {
    return {
        Pair("tiles_rounded_down", "output-unwritten",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto x = Gm<float>(gm[0], 2 * kShare), z = Gm<float>(gm[1], kCount);
                 auto tile = b.Plus(x, 2 * kShare, 1.0f);
                 for (uint32_t i = 0; i < kCount / 32; ++i) DataCopy(z[i * 32], tile[i * 32], 32);
                 if (!wrong) DataCopyPad(z[96], tile[96], DataCopyExtParams(1, 4 * sizeof(float), 0, 0, 0));
             },
             {Input<float>("x", 2 * kShare), Output<float>("z", kCount)}),
        Pair(
            "last_tile_forgotten", "output-unwritten", [](GM_ADDR* gm, bool wrong) { CopyTiles(gm, wrong ? 3 : 4); },
            OneEach(2)),
        Pair("block_without_work_returns_without_its_zeros", "output-unwritten",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 if (wrong && b.index == 1) return;
                 const uint32_t mine = b.index * kShare;
                 auto tile = b.index == 1 ? b.Filled(0.0f, kShare) : b.Plus(Gm<float>(gm[0], 2 * kShare), kShare, 1.0f);
                 DataCopy(Gm<float>(gm[1], 2 * kShare)[mine], tile, kShare);
             },
             {.gm = OneEach(2), .blocks = 2}),
        Pair("stride_leaves_gaps", "output-unwritten",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;  // 8 rows of a block each: every second one
                 auto tile = b.Plus(Gm<float>(gm[0], 2 * kShare)[b.index * kShare], kShare, 1.0f);
                 DataCopyParams rows(8, 1, 0, 1);
                 if (wrong) rows = DataCopyParams(4, 1, 0, 3);
                 DataCopy(Gm<float>(gm[1], 2 * kShare)[b.index * 8], tile, rows);
             },
             {.gm = OneEach(2), .blocks = 2}),
        Pair("bytes_given_for_elements", "output-unwritten",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto tile = b.Plus(Gm<float>(gm[0], kShare), kShare, 1.0f);
                 const uint32_t bytes = wrong ? kShare : kShare * sizeof(float);
                 DataCopyPad(Gm<float>(gm[1], kShare), tile, DataCopyExtParams(1, bytes, 0, 0, 0));
             }),
        Pair("count_rounded_down_to_blocks", "output-unwritten",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto z = Gm<float>(gm[1], kCount - 2);
                 auto tile = b.Plus(Gm<float>(gm[0], 2 * kShare), 2 * kShare, 1.0f);
                 if (wrong) {
                     DataCopy(z, tile, kCount - 2);
                 } else {
                     DataCopyPad(z, tile, DataCopyExtParams(1, (kCount - 2) * sizeof(float), 0, 0, 0));
                 }
             },
             {.gm = {Input<float>("x", 2 * kShare), Output<float>("z", kCount - 2)}, .others = {"copy-tail"}}),
        Pair("second_output_never_written", "output-unwritten",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto tile = b.Plus(Gm<float>(gm[0], kShare), kShare, 1.0f);
                 DataCopy(Gm<float>(gm[1], kShare), tile, kShare);
                 if (!wrong) DataCopy(Gm<float>(gm[2], kShare), tile, kShare);
             },
             {Input<float>("x", kShare), Output<float>("z", kShare), Output<float>("copy", kShare)}),
        Pair("one_vector_core_does_nothing", "output-unwritten",
             [](GM_ADDR* gm, bool wrong) {
                 if ASCEND_IS_AIC
                     return;
                 if (wrong && GetSubBlockIdx() == 1) return;
                 Block v;
                 const uint32_t at = v.index * kShare;
                 DataCopy(Gm<float>(gm[1], 2 * kShare)[at], v.Plus(Gm<float>(gm[0], 2 * kShare)[at], kShare, 1.0f),
                          kShare);
             },
             {.gm = OneEach(2), .core = CoreChoice::kMix}),
        Pair("fixpipe_of_half_the_columns", "output-unwritten",
             [](GM_ADDR* gm, bool wrong) {
                 CubeTiles q(gm);
                 q.Multiply();
                 Fixpipe(Gm<float>(gm[2], kFractal), q.c,
                         FixpipeParamsV220(wrong ? 8 : kSide, kSide, kSide, kSide, false));
             },
             {.gm = Matrices(), .core = CoreChoice::kCube}),
        Pair("loop_over_tiles_of_the_other_kernel", "output-unwritten",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto z = Gm<int32_t>(gm[1], 4 * kShare);
                 auto tile = b.Plus(Gm<int32_t>(gm[0], kShare), kShare, 1.0f);
                 const uint32_t tiles = wrong ? 4 / b.blocks / b.blocks : 4 / b.blocks;
                 for (uint32_t i = 0; i < tiles; ++i) DataCopy(z[(b.index * 2 + i) * kShare], tile, kShare);
             },
             {.gm = {Input<int32_t>("x", kShare), Output<int32_t>("z", 4 * kShare)}, .blocks = 2}),
        Pair("sum_never_initialised", "atomic-uninitialised",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto sum = Gm<float>(gm[0], kShare);
                 auto mine = b.Filled(1.0f + b.index, kShare);
                 if (!wrong && b.index == 0) DataCopy(sum, b.Filled(0.0f, kShare), kShare);
                 SyncAll();
                 SetAtomicAdd<float>();
                 DataCopy(sum, mine, kShare);
                 SetAtomicNone();
             },
             {.gm = {Output<float>("sum", kShare)}, .blocks = 2}),
        Pair("half_of_the_sum_initialised", "atomic-uninitialised",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto sum = Gm<float>(gm[0], kShare);
                 InitGlobalMemory(sum, wrong ? kShare / 2 : kShare, 0.0f);
                 PipeBarrier<PIPE_ALL>();
                 SetAtomicAdd<float>();
                 DataCopy(sum, b.Filled(1.0f, kShare), kShare);
                 SetAtomicNone();
             },
             {Output<float>("sum", kShare)}),
        Pair(
            "largest_of_the_workspace_never_initialised", "atomic-uninitialised",
            [](GM_ADDR* gm, bool wrong) {
                Block b;
                auto largest = Gm<float>(gm[2], kShare);
                auto tile = b.Plus(Gm<float>(gm[0], kShare), kShare, 1.0f);
                if (!wrong) DataCopy(largest, b.Filled(-1000.0f, kShare), kShare);
                PipeBarrier<PIPE_ALL>();
                SetAtomicMax<float>();
                DataCopy(largest, tile, kShare);
                SetAtomicNone();
                DataCopy(Gm<float>(gm[1], kShare), tile, kShare);
            },
            WithWorkspace(1)),
        Pair("product_added_to_an_uninitialised_output", "atomic-uninitialised",
             [](GM_ADDR* gm, bool wrong) {
                 CubeTiles q(gm);
                 q.Multiply();
                 if (!wrong) Fixpipe(Gm<float>(gm[2], kFractal), q.c, kToRows);
                 PipeBarrier<PIPE_ALL>();
                 SetAtomicAdd<float>();
                 Fixpipe(Gm<float>(gm[2], kFractal), q.c, kToRows);
                 SetAtomicNone();
             },
             {.gm = Matrices(), .core = CoreChoice::kCube}),
        Pair("operand_loaded_and_forgotten", "load-unused",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto x = b.Loaded(Gm<float>(gm[0], kShare), kShare), y = b.Loaded(Gm<float>(gm[1], kShare), kShare);
                 Add(x, x, wrong ? x : y, kShare);
                 b.Order<HardEvent::V_MTE3>();
                 DataCopy(Gm<float>(gm[2], kShare), x, kShare);
             },
             {Input<float>("x", kShare), Input<float>("y", kShare), Output<float>("z", kShare)}),
        Pair("twice_as_much_loaded_as_used", "load-unused",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto both = b.New<float>(2 * kShare);
                 DataCopy(both, Gm<float>(gm[0], 2 * kShare), kShare);
                 if (wrong) DataCopy(both[kShare], Gm<float>(gm[0], 2 * kShare)[kShare], kShare);
                 b.Order<HardEvent::MTE2_V>();
                 Adds(both, both, 1.0f, kShare);
                 b.Order<HardEvent::V_MTE3>();
                 DataCopy(Gm<float>(gm[1], kShare), both, kShare);
             },
             {Input<float>("x", 2 * kShare), Output<float>("z", kShare)}),
        Pair("bias_in_l1_never_used", "load-unused",
             [](GM_ADDR* gm, bool wrong) {
                 CubeTiles q(gm);
                 TBuf<TPosition::C1> c1_buffer;
                 q.pipe.InitBuffer(c1_buffer, kSide * sizeof(float));
                 if (wrong) DataCopy(c1_buffer.Get<float>(), Gm<float>(gm[3], kSide), kSide);
                 q.Multiply();
                 Fixpipe(Gm<float>(gm[2], kFractal), q.c, kToRows);
             },
             {.gm = {Input<half>("a", kFractal), Input<half>("b", kFractal), Output<float>("z", kFractal),
                     Input<float>("bias", kSide)},
              .core = CoreChoice::kCube}),
    };
}

}  // namespace sfumato::pairs
