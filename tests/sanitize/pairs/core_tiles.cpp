// SPDX-License-Identifier: Apache-2.0
// Blocks that do not keep to their own tiles of global memory.
#include "sanitize/pairs/blocks.h"

namespace sfumato::pairs {

std::vector<Pair> CoreTilePairs() {
    return {
        Pair("tile_longer_than_its_share", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 const uint32_t count = wrong && b.index == 0 ? kShare + 8 : kShare, at = b.index * kShare;
                 auto tile = b.Plus(Gm<float>(gm[0], 2 * kShare)[at], count, 1.0f + b.index);
                 DataCopy(Gm<float>(gm[1], 2 * kShare)[at], tile, count);
             },
             {.gm = OneEach(2), .blocks = 2}),
        Pair("tile_starts_a_block_early", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 const uint32_t early = wrong && b.index != 0 ? 8 : 0, at = b.index * kShare - early;
                 auto tile = b.Plus(Gm<float>(gm[0], 2 * kShare)[at], kShare + early, 1.0f + b.index);
                 DataCopy(Gm<float>(gm[1], 2 * kShare)[at], tile, kShare + early);
             },
             {.gm = OneEach(2), .blocks = 2}),
        Pair("tail_rounded_up_into_the_next_share", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 constexpr uint32_t kCount = 50, kRounded = 56;  // 200 bytes, 224
                 Block b;
                 auto tile = b.Plus(Gm<float>(gm[0], 2 * kShare)[b.index * kShare], kRounded, 1.0f + b.index);
                 auto z = Gm<float>(gm[1], 2 * kCount)[b.index * kCount];
                 if (wrong && b.index == 0) {
                     DataCopy(z, tile, kRounded);
                 } else {
                     DataCopyPad(z, tile, DataCopyExtParams(1, kCount * sizeof(float), 0, 0, 0));
                 }
             },
             {.gm = {Input<float>("x", 2 * kShare), Output<float>("z", 100)}, .blocks = 2}),
        Pair("block_index_forgotten", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 const uint32_t at = b.index * kShare;
                 auto tile = b.Plus(Gm<float>(gm[0], 2 * kShare)[at], kShare, 1.0f + b.index);
                 DataCopy(Gm<float>(gm[1], 2 * kShare)[wrong ? 0 : at], tile, kShare);
             },
             {.gm = OneEach(2), .blocks = 2, .others = {"output-unwritten"}}),
        Pair("every_block_writes_the_header", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 const uint32_t at = 8 + b.index * kShare;
                 auto z = Gm<float>(gm[1], 8 + 2 * kShare);
                 auto header = b.Filled(10.0f + b.index, 8);
                 if (wrong || b.index == 0) DataCopy(z, header, 8);
                 auto tile = b.Plus(Gm<float>(gm[0], 2 * kShare)[b.index * kShare], kShare, 1.0f);
                 DataCopy(z[at], tile, kShare);
             },
             {.gm = {Input<float>("x", 2 * kShare), Output<float>("z", 8 + 2 * kShare)}, .blocks = 2}),
        Pair("every_block_writes_the_same_header", "equal-bytes",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 const uint32_t at = 8 + b.index * kShare;
                 auto z = Gm<float>(gm[1], 8 + 2 * kShare);
                 auto header = b.Filled(10.0f, 8);
                 if (wrong || b.index == 0) DataCopy(z, header, 8);
                 auto tile = b.Plus(Gm<float>(gm[0], 2 * kShare)[b.index * kShare], kShare, 1.0f);
                 DataCopy(z[at], tile, kShare);
             },
             {.gm = {Input<float>("x", 2 * kShare), Output<float>("z", 8 + 2 * kShare)}, .blocks = 2}),
        Pair("every_block_copies_the_whole_table", "equal-bytes",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 const uint32_t at = wrong ? 0 : b.index * kShare, count = wrong ? 2 * kShare : kShare;
                 auto tile = b.Loaded(Gm<float>(gm[0], 2 * kShare)[at], count);
                 DataCopy(Gm<float>(gm[1], 2 * kShare)[at], tile, count);
             },
             {.gm = OneEach(2), .blocks = 2}),
        // Each block has a column of 8 elements in rows of 16.
        Pair("column_wider_than_its_block", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto tile = b.Plus(Gm<float>(gm[0], 2 * kShare), 2 * kShare, 1.0f + b.index);
                 const bool wide = wrong && b.index == 0;
                 DataCopyParams column(8, wide ? 2 : 1, wide ? 0 : 1, wide ? 0 : 1);
                 DataCopy(Gm<float>(gm[1], 2 * kShare)[b.index * 8], tile, column);
             },
             {.gm = OneEach(2), .blocks = 2}),
        // Rows in turn: row r belongs to block r % 2.
        Pair("rows_not_dealt_out", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto tile = b.Plus(Gm<float>(gm[0], 2 * kShare), 8, 1.0f + b.index);
                 auto z = Gm<float>(gm[1], 2 * kShare);
                 for (uint32_t row = b.index; row < 16; row += wrong ? 1 : b.blocks) DataCopy(z[row * 8], tile, 8);
             },
             {.gm = OneEach(2), .blocks = 2}),
        // Three tiles on two blocks.
        Pair("first_tile_of_a_block_not_rounded", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 constexpr uint32_t kTiles = 3, kEach = 2;
                 Block b;
                 auto z = Gm<float>(gm[1], kTiles * kShare);
                 auto tile = b.Plus(Gm<float>(gm[0], kShare), kShare, 1.0f + b.index);
                 const uint32_t first = wrong ? b.index * kTiles / b.blocks : b.index * kEach;
                 for (uint32_t i = first; i < first + kEach && i < kTiles; ++i) DataCopy(z[i * kShare], tile, kShare);
             },
             {.gm = {Input<float>("x", kShare), Output<float>("z", 3 * kShare)}, .blocks = 2}),
        Pair("row_stride_of_another_shape", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;  // 8 rows of 16, four of a block
                 auto tile = b.Plus(Gm<float>(gm[0], 2 * kShare)[b.index * kShare], kShare, 1.0f + b.index);
                 auto z = Gm<float>(gm[1], 2 * kShare);
                 for (uint32_t row = 0; row < 4; ++row) {
                     DataCopy(z[(b.index * (wrong ? 3 : 4) + row) * 16], tile[row * 16], 16);
                 }
             },
             {.gm = OneEach(2), .blocks = 2, .others = {"output-unwritten"}}),
        Pair("halves_of_310p_overlap", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 const uint32_t count = wrong && b.index == 0 ? 80 : kShare, at = b.index * kShare;
                 auto tile = b.Plus(Gm<half>(gm[0], 2 * kShare)[at], count, 1.0f + b.index);
                 DataCopy(Gm<half>(gm[1], 2 * kShare)[at], tile, count);
             },
             {.gm = {Input<half>("x", 2 * kShare), Output<half>("z", 2 * kShare)}, .chip = "Ascend310P3", .blocks = 2}),
        Pair("input_updated_where_a_neighbour_reads", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;  // needs the last half of the share before its own
                 constexpr uint32_t kHalf = kShare / 2;
                 auto field = Gm<float>(gm[0], 2 * kShare);
                 const uint32_t mine = b.index * kShare;
                 auto tile = b.Loaded(field[mine == 0 ? kHalf : mine - kHalf], kHalf);
                 if (!wrong) SyncAll();
                 Adds(tile, tile, 1.0f, kHalf);
                 b.Order<HardEvent::V_MTE3>();
                 DataCopy(field[mine + kHalf], tile, kHalf);
             },
             {.gm = {InOut<float>("field", 2 * kShare)}, .blocks = 2}),
        Pair("scalar_results_at_one_element", "race-cores",
             [](GM_ADDR* gm, bool wrong) {
                 auto count = Gm<int32_t>(gm[0], 32);
                 const auto block = static_cast<uint32_t>(GetBlockIdx());
                 count.SetValue(wrong ? 0 : block * 16, static_cast<int32_t>(block + 1));
             },
             {.gm = {Zeroed(InOut<int32_t>("count", 32))}, .blocks = 2}),
    };
}

}  // namespace sfumato::pairs
