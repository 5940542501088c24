// SPDX-License-Identifier: Apache-2.0
// Mc2CcTilings among tiling data: they begin with a word that nothing else does, at a multiple of 8 bytes.
#include "op/mc2.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string.h>

#include <algorithm>

#include "report/finding.h"
#include "sfumato/tiling/mc2_tiling.h"
#include "soc/chip.h"

namespace sfumato::op {
namespace {

constexpr const char* kAlgorithms[] = {"AllReduce=level0:doublering", "AllGather=level0:doublering",
                                       "ReduceScatter=level0:doublering", "AlltoAll=level0:fullmesh;level1:pairwise",
                                       "BatchWrite=level0:fullmesh"};

std::string TextIn(const char (&field)[128]) { return {field, strnlen(field, sizeof field)}; }

std::vector<tiling::Mc2Cc> CcTilings(const std::string& data) {
    std::vector<tiling::Mc2Cc> all;
    for (size_t at = 0; at + sizeof(Mc2CcTiling) <= data.size(); at += alignof(Mc2CcTiling)) {
        tiling::Mc2Cc words;
        if (tiling::ReadMc2(data.data() + at, &words)) all.push_back(words);
    }
    return all;
}

}  // namespace

std::vector<Report> AlgorithmsOfTiling(const std::string& data, const std::string& product, const std::string& op) {
    std::vector<Report> wrong;
    if (!product.starts_with("Ascend910_93")) return wrong;  // others take any
    for (const tiling::Mc2Cc& words : CcTilings(data)) {
        const std::string algorithm = TextIn(words.algorithm);
        if (algorithm.empty() || std::ranges::count(kAlgorithms, algorithm) > 0) continue;
        wrong.push_back(
            Stamped(ToReport({Rule::kCallIgnored, "algConfig", "the chip has no such algorithm of communication",
                              fmt::format("\"{}\"", algorithm), fmt::format("{}", fmt::join(kAlgorithms, ", ")),
                              "results do not depend on it here"},
                             op, {}),
                    soc::FindChip(product).name));
    }
    return wrong;
}

}  // namespace sfumato::op
