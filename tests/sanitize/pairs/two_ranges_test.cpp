// SPDX-License-Identifier: Apache-2.0
// Where one line is wrong about two ranges of bytes, its report names both.
#include <gtest/gtest.h>

#include "sanitize/pairs/blocks.h"
#include "sanitize/pairs/runner.h"

namespace sfumato::pairs {
namespace {

constexpr uint32_t kPart = 16;  // elements

// Rows of two blocks, of which those of the second begin where rows of the first end: wrong, a block too early.
__aicore__ void RowsOfTwoBlocks(GM_ADDR* gm, bool wrong) {
    Block b;
    auto z = Gm<float>(gm[1], 4 * kPart);
    auto tile = b.Filled(1.0f + static_cast<float>(b.index), kPart);
    const uint32_t at = b.index * (wrong ? kPart - 8 : kPart);
    for (uint32_t row = 0; row < 2; ++row) DataCopy(z[row * 2 * kPart + at], tile, kPart);
}
// Two parts of an output that no row reaches.
__aicore__ void RowsWithGaps(GM_ADDR* gm, bool wrong) {
    Block b;
    auto z = Gm<float>(gm[1], 4 * kPart);
    auto tile = b.Filled(1.0f, kPart);
    for (uint32_t row = 0; row < 4; row += wrong ? 2 : 1) DataCopy(z[row * kPart], tile, kPart);
}
// Two parts of a tile that nobody wrote, stored at once.
__aicore__ void TileWithGaps(GM_ADDR* gm, bool wrong) {
    Block b;
    auto tile = b.New<float>(4 * kPart);
    for (uint32_t part = 0; part < 4; part += wrong ? 2 : 1)
        Duplicate(tile[part * kPart], 1.0f, static_cast<int32_t>(kPart));
    b.Order<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(gm[1], 4 * kPart), tile, 4 * kPart);
}

struct Case {
    const char* rule;
    void (*program)(GM_ADDR*, bool);
    uint32_t blocks;
    const char *first, *second;
};

TEST(TwoRanges, AreBothTold) {
    for (const Case& c : {Case{"race-cores", RowsOfTwoBlocks, 2, "bytes 32 to 63", "160 to 191"},
                          Case{"output-unwritten", RowsWithGaps, 1, "bytes 64 to 127", "bytes 192 to 255"},
                          Case{"uninitialised-read", TileWithGaps, 1, "bytes 64 to 127", "192 to 255"}}) {
        const Pair pair(c.rule, c.rule, c.program,
                        {.gm = {Input<float>("x", 8), Output<float>("z", 4 * kPart)}, .blocks = c.blocks});
        EXPECT_TRUE(RunHalf(pair, false, "all").findings.empty()) << c.rule;
        bool told = false;
        for (const Report& report : RunHalf(pair, true, "all").findings) {
            if (report.rule != c.rule) continue;
            told = true;
            EXPECT_NE(report.found.find(c.first), std::string::npos) << report.Text();
            EXPECT_NE(report.found.find(c.second), std::string::npos) << report.Text();
        }
        EXPECT_TRUE(told) << c.rule;
    }
}

}  // namespace
}  // namespace sfumato::pairs
