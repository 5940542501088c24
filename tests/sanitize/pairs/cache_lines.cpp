// SPDX-License-Identifier: Apache-2.0
// The data cache of the scalar unit: lines of 64 bytes that two cores share, that moves read before they are cleaned,
// or that hold what memory no longer does (framework.md 2.8).
#include "sanitize/pairs/blocks.h"

namespace sfumato::pairs {
namespace {

constexpr uint32_t kLine = 16;  // elements of 4 bytes

std::vector<Memory> Counts() { return {Zeroed(InOut<int32_t>("counts", 8 * kLine)), Output<int32_t>("z", kLine)}; }

}  // namespace

std::vector<Pair> CacheLinePairs() {
    // Cores that clean a line that is not theirs alone.
    const std::vector<Pair> cleaned = {
        Pair("counters_in_one_line_each_cleaned", "cache-lost-write",
             [](GM_ADDR* gm, bool wrong) {
                 auto counts = Gm<int32_t>(gm[0], 8 * kLine);
                 const auto at = static_cast<uint32_t>(GetBlockIdx()) * (wrong ? 1 : kLine);
                 counts.SetValue(at, 5);
                 Clean(counts[at / kLine * kLine]);
             },
             {.gm = {Zeroed(InOut<int32_t>("counts", 8 * kLine))}, .blocks = 2}),
        Pair("store_beside_a_line_that_another_block_cleans", "cache-lost-write",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto counts = Gm<int32_t>(gm[0], 8 * kLine);
                 if (b.index == 0) DataCopy(counts[wrong ? 8 : kLine], b.Filled<int32_t>(6, 8), 8);
                 if (b.index == 0) return;
                 counts.SetValue(0, 5);
                 Clean(counts);
             },
             {.gm = {Zeroed(InOut<int32_t>("counts", 8 * kLine))}, .blocks = 2}),
    };
    const std::vector<Pair> others = {
        Pair("line_cleaned_behind_the_barrier", "cache-lost-write",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto counts = Gm<int32_t>(gm[0], 8 * kLine);
                 if (b.index == 0) counts.SetValue(0, 5);
                 if (b.index == 0 && !wrong) Clean(counts);
                 SyncAll();
                 if (b.index == 0 && wrong) Clean(counts);
                 if (b.index == 1) counts.SetValue(1, 6);
                 if (b.index == 1) Clean(counts);
             },
             {.gm = {Zeroed(InOut<int32_t>("counts", 8 * kLine))}, .blocks = 2}),
        Pair("counters_of_two_blocks_side_by_side", "cache-lost-write",
             [](GM_ADDR* gm, bool wrong) {
                 auto counts = Gm<int32_t>(gm[0], 8 * kLine);
                 const auto block = static_cast<uint32_t>(GetBlockIdx());
                 counts.SetValue(block * (wrong ? 1 : kLine), static_cast<int32_t>(block + 5));
             },
             {.gm = {Zeroed(InOut<int32_t>("counts", 8 * kLine))}, .blocks = 2}),
        Pair("counters_32_bytes_apart", "cache-lost-write",
             [](GM_ADDR* gm, bool wrong) {
                 auto counts = Gm<int32_t>(gm[0], 8 * kLine);
                 const auto block = static_cast<uint32_t>(GetBlockIdx());
                 counts.SetValue(block * (wrong ? kLine / 2 : kLine), static_cast<int32_t>(block + 5));
             },
             {.gm = {Zeroed(InOut<int32_t>("counts", 8 * kLine))}, .blocks = 2}),
        Pair("shares_that_end_inside_a_line", "cache-lost-write",
             [](GM_ADDR* gm, bool wrong) {
                 auto counts = Gm<int32_t>(gm[0], 8 * kLine);
                 const auto block = static_cast<uint32_t>(GetBlockIdx());
                 const uint32_t share = wrong ? 24 : 32;
                 for (uint32_t i = 0; i < 24; ++i) counts.SetValue(block * share + i, static_cast<int32_t>(i));
             },
             {.gm = {Zeroed(InOut<int32_t>("counts", 8 * kLine))}, .blocks = 2}),
        Pair("one_blocks_store_in_the_line_of_anothers_scalar", "cache-lost-write",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto counts = Gm<int32_t>(gm[0], 8 * kLine);
                 if (b.index == 0) {
                     counts.SetValue(0, 5);
                 } else {
                     DataCopy(counts[wrong ? 8 : kLine], b.Filled<int32_t>(6, 8), 8);
                 }
             },
             {.gm = {Zeroed(InOut<int32_t>("counts", 8 * kLine))}, .blocks = 2}),
        Pair("scalar_store_loaded_before_it_is_cleaned", "cache-not-cleaned",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto counts = Gm<int32_t>(gm[0], 8 * kLine);
                 counts.SetValue(0, 5);
                 if (!wrong) Clean(counts);
                 b.Order<HardEvent::S_MTE2>();
                 DataCopy(Gm<int32_t>(gm[1], kLine), b.Plus(counts, kLine, 1.0f), kLine);
             },
             Counts()),
        Pair("one_line_cleaned_of_two", "cache-not-cleaned",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto counts = Gm<int32_t>(gm[0], 8 * kLine);
                 counts.SetValue(0, 5);
                 counts.SetValue(kLine, 6);
                 Clean(counts);
                 if (!wrong) Clean(counts[kLine]);
                 b.Order<HardEvent::S_MTE2>();
                 DataCopy(Gm<int32_t>(gm[1], 2 * kLine), b.Plus(counts, 2 * kLine, 1.0f), 2 * kLine);
             },
             {Zeroed(InOut<int32_t>("counts", 8 * kLine)), Output<int32_t>("z", 2 * kLine)}),
        Pair("cleaned_before_the_last_store", "cache-not-cleaned",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto counts = Gm<int32_t>(gm[0], 8 * kLine);
                 counts.SetValue(0, 5);
                 if (wrong) Clean(counts);
                 counts.SetValue(1, 6);
                 if (!wrong) Clean(counts);
                 b.Order<HardEvent::S_MTE2>();
                 DataCopy(Gm<int32_t>(gm[1], kLine), b.Plus(counts, kLine, 1.0f), kLine);
             },
             Counts()),
        Pair("cleaned_from_the_middle_of_a_line", "cache-line",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto counts = Gm<int32_t>(gm[0], 8 * kLine);
                 for (uint32_t i = 0; i < kLine; ++i) counts.SetValue(i, 5);
                 Clean(counts[wrong ? 4 : 0]);
                 b.Order<HardEvent::S_MTE2>();
                 DataCopy(Gm<int32_t>(gm[1], kLine), b.Plus(counts, kLine, 1.0f), kLine);
             },
             Counts()),
        Pair("store_into_a_line_with_a_scalar_store", "cache-lost-write",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto counts = Gm<int32_t>(gm[0], 8 * kLine);
                 auto tile = b.Filled<int32_t>(6, 8);
                 counts.SetValue(0, 5);
                 if (!wrong) Clean(counts);
                 b.Order<HardEvent::S_MTE3>();
                 DataCopy(counts[8], tile, 8);
             },
             {Zeroed(InOut<int32_t>("counts", 8 * kLine))}),
        Pair("handed_over_by_sync_all_without_a_clean", "cache-not-cleaned",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto counts = Gm<int32_t>(gm[0], 8 * kLine);
                 if (b.index == 0) {
                     counts.SetValue(0, 5);
                     if (!wrong) Clean(counts);
                 }
                 SyncAll();
                 if (b.index == 1) DataCopy(Gm<int32_t>(gm[1], kLine), b.Plus(counts, kLine, 1.0f), kLine);
             },
             {.gm = Counts(), .blocks = 2}),
        Pair("cleaned_by_the_reader_alone", "cache-not-cleaned",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto counts = Gm<int32_t>(gm[0], 8 * kLine);
                 if (b.index == 0) {
                     counts.SetValue(0, 5);
                     if (!wrong) Clean(counts);
                 }
                 SyncAll();
                 if (b.index == 0) return;
                 Clean(counts);
                 const int32_t value = counts.GetValue(0);
                 DataCopy(Gm<int32_t>(gm[1], kLine), b.Filled<int32_t>(value, kLine), kLine);
             },
             {.gm = Counts(), .blocks = 2}),
        Pair("line_read_again_after_another_block_stored", "cache-stale",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto counts = Gm<int32_t>(gm[0], 8 * kLine);
                 const int32_t before = b.index == 1 ? counts.GetValue(0) : 0;
                 SyncAll();
                 if (b.index == 0) DataCopy(counts, b.Filled<int32_t>(7, 8), 8);
                 SyncAll();
                 if (b.index == 0) return;
                 if (!wrong) Clean(counts);
                 const int32_t after = counts.GetValue(0);
                 DataCopy(Gm<int32_t>(gm[1], kLine), b.Filled<int32_t>(after - before, kLine), kLine);
             },
             {.gm = Counts(), .blocks = 2}),
        // Nothing orders the first load and the store: in this run or in another the line is the old one.
        Pair("line_loaded_in_no_order_with_a_store", "cache-stale",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto counts = Gm<int32_t>(gm[0], 8 * kLine);
                 const int32_t before = b.index == 1 ? counts.GetValue(wrong ? 12 : kLine) : 0;
                 if (b.index == 0) DataCopy(counts, b.Filled<int32_t>(7, 8), 8);
                 SyncAll();
                 if (b.index == 0) return;
                 const int32_t after = counts.GetValue(0);
                 DataCopy(Gm<int32_t>(gm[1], kLine), b.Filled<int32_t>(after - before, kLine), kLine);
             },
             {.gm = Counts(), .blocks = 2}),
        Pair("line_loaded_early_and_written_back", "cache-lost-write",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto counts = Gm<int32_t>(gm[0], 8 * kLine);
                 const int32_t before = b.index == 1 ? counts.GetValue(wrong ? 12 : kLine) : 0;
                 if (b.index == 0) DataCopy(counts, b.Filled<int32_t>(7, 8), 8);
                 SyncAll();
                 if (b.index == 0) return;
                 counts.SetValue(8, 5 + before);
                 Clean(counts);
             },
             {.gm = {Zeroed(InOut<int32_t>("counts", 8 * kLine))}, .blocks = 2}),
        Pair("line_read_again_after_its_own_store", "cache-stale",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto counts = Gm<int32_t>(gm[0], 8 * kLine);
                 const int32_t before = counts.GetValue(0);
                 auto tile = b.Filled<int32_t>(before + 7, 8);
                 DataCopy(counts, tile, 8);
                 b.Order<HardEvent::MTE3_S>();
                 if (!wrong) Clean(counts);
                 const int32_t after = counts.GetValue(0);
                 DataCopy(Gm<int32_t>(gm[1], kLine), b.Filled<int32_t>(after, kLine), kLine);
             },
             Counts()),
    };
    return Together({cleaned, On("Ascend310P3", cleaned), others});
}

}  // namespace sfumato::pairs
