// SPDX-License-Identifier: Apache-2.0
// Written bytes against an array with the site of each byte.
#include "sanitize/outputs_written.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace sfumato::sanitize {
namespace {

TEST(Written, IsAnArrayOfBytes) {
    std::mt19937 random(5);
    for (int launch = 0; launch < 60; ++launch) {
        // Groups of 4096 bytes, and what is left at the end.
        const uint64_t bytes = 1 + random() % 20000;
        Written written(bytes);
        std::vector<bool> expected(bytes);
        std::vector<uint16_t> sites(bytes);
        for (uint16_t site = 1; site <= 40; ++site) {
            const uint64_t unit = uint64_t{1} << random() % 13;  // a byte to 4096
            const uint64_t begin = random() % bytes / unit * unit;
            const isa::Span run{begin, std::min(bytes, begin + random() % (9000 / unit + 1) * unit)};
            if (random() % 3) {
                written.Write(run, site);
                for (uint64_t i = run.begin; i < run.end; ++i) {
                    expected[i] = true;
                    sites[i] = site;
                }
            }
            const uint64_t end = std::min(bytes, begin + random() % 5000);
            const bool has = std::all_of(expected.begin() + static_cast<std::ptrdiff_t>(begin),
                                         expected.begin() + static_cast<std::ptrdiff_t>(end), [](bool b) { return b; });
            ASSERT_EQ(written.Has({begin, end}), has) << launch << ' ' << site;
            for (const bool wanted : {false, true}) {
                uint64_t next = begin;
                while (next < bytes && expected[next] != wanted) ++next;
                ASSERT_EQ(written.Next(begin, wanted), next) << launch << ' ' << site << ' ' << begin;
            }
            if (expected[begin]) {
                ASSERT_EQ(written.SiteAt(begin), sites[begin]) << launch << ' ' << site << ' ' << begin;
            }
        }
    }
}

}  // namespace
}  // namespace sfumato::sanitize
