// SPDX-License-Identifier: Apache-2.0
// Owners of stretches of blocks against an array with the owner of each block.
#include "sanitize/outputs_owners.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace sfumato::sanitize {
namespace {

using Blocks = std::vector<uint32_t>;

uint32_t FirstIn(const Blocks& blocks, isa::Span span) {
    for (uint64_t i = span.begin; i < span.end; ++i) {
        if (blocks[i] != BlockOwners::kNobody) return blocks[i];
    }
    return BlockOwners::kNobody;
}

TEST(BlockOwners, AreThoseOfAnArrayOfBlocks) {
    std::mt19937 random(3);
    for (int launch = 0; launch < 50; ++launch) {
        const uint64_t count = 20 + random() % 300;
        Blocks expected(count);
        BlockOwners owners;
        BlockRuns runs;
        for (uint32_t step = 1; step <= 400; ++step) {
            const uint64_t begin = random() % count;
            const isa::Span look{begin, begin + 1 + random() % (count - begin)};
            ASSERT_EQ(owners.FirstIn(look), FirstIn(expected, look)) << launch << ' ' << step;
            if (const uint32_t removed = FirstIn(expected, look); removed != BlockOwners::kNobody && random() % 2) {
                owners.RemoveOwner(removed);
                std::replace(expected.begin(), expected.end(), removed, BlockOwners::kNobody);
            }
            // A record that touches pieces in some order, some of them twice: a fresh owner, or nobody.
            const uint32_t owner = random() % 3 == 0 ? BlockOwners::kNobody : step;
            std::map<uint32_t, uint64_t> lost, told;
            runs.Clear();
            std::vector<bool> touched(count);
            for (uint64_t pieces = random() % 8, at = random() % count; pieces > 0; --pieces) {
                const isa::Span piece{at, std::min(count, at + random() % 12)};
                runs.Add(piece);
                for (uint64_t i = piece.begin; i < piece.end; ++i) touched[i] = true;
                at = random() % 2 ? std::min(count - 1, piece.end + random() % 4) : random() % count;
            }
            for (uint64_t i = 0; i < count; ++i) {
                if (!touched[i]) continue;
                if (expected[i] != BlockOwners::kNobody) ++lost[expected[i]];
                expected[i] = owner;
            }
            owners.Give(runs.Ordered(), owner, [&](uint32_t of, uint64_t blocks) { told[of] += blocks; });
            ASSERT_EQ(told, lost) << launch << ' ' << step;
            for (uint64_t i = 0; i < count; ++i)
                ASSERT_EQ(owners.FirstIn({i, i + 1}), expected[i]) << launch << ' ' << step << " block " << i;
        }
        ASSERT_EQ(owners.empty(), FirstIn(expected, {0, count}) == BlockOwners::kNobody);
    }
}

}  // namespace
}  // namespace sfumato::sanitize
