// SPDX-License-Identifier: Apache-2.0
// What kernels find behind the context of a group: the same fields at the same offsets as on a board (ranks.md 6.2,
// 6.3), made from a table.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace sfumato::runtime {

// Which structure: it goes by the chip.
enum class ContextLayout : uint8_t {
    kOperationResource,  // Ascend910_93xx (A3): HcclOpResParam
    kCombinedParameter   // Ascend910B (A2): HcclA2CombineOpParam
};
// Throws UnsupportedError for a chip, family or product, without contexts of groups.
ContextLayout LayoutOf(const std::string& chip);

// Addresses of one rank's windows.
struct RankWindows {
    uint32_t world_rank;
    uint64_t in, out, exp;
};
// What the fields say.
struct ContextValues {
    uint32_t place;  // of the rank whose context it is
    std::span<const RankWindows> ranks;
    uint64_t window_bytes, exp_bytes;
    uint64_t workspace, workspace_bytes;
    std::string name;  // of the group
};

// Bytes of a context with all that its pointers point at.
uint64_t ContextBytes(ContextLayout layout);
// The most ranks that it has room for.
uint32_t MostRanks(ContextLayout layout);
// The longest name that it has room for.
constexpr uint64_t kMostGroupName = 127;
// Fills a context that holds zeros.
void WriteContext(ContextLayout layout, const ContextValues& values, uint8_t* context);

}  // namespace sfumato::runtime
