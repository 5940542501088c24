// SPDX-License-Identifier: Apache-2.0
// Contexts of groups as bytes: a row for each field that is not zero.
#include "runtime/world/context_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sfumato/report.h"
#include "soc/chip.h"

namespace sfumato::runtime {
namespace {

enum class Holds : uint8_t {
    kNumber,  // `number`
    kHere,    // the address of byte `number` of the context, for each rank `number_step` further
    kWorkspace,
    kWorkspaceBytes,
    kPlace,
    kRanks,
    kName,
    kWindowBytes,
    kExpBytes,
    kOwnIn,
    kOwnOut,
    kOwnExp,
    kOwnDevice,
    // Of the rank of the row.
    kEachPlace,
    kEachWorldRank,
    kEachIn,
    kEachOut,
    kEachExp
};

struct Row {
    uint64_t offset;
    uint8_t bytes;
    Holds holds;
    uint64_t number = 0, number_step = 0;
    uint64_t step = 0;  // not 0: a row for each rank, one so many bytes behind the other
};

// Where lies what the pointers point at: behind all that versions of the structure have.
constexpr uint64_t kRelations = 2101248;                // 64 bytes for each rank: HcclRankRelationResV2
constexpr uint64_t kCapability = 9216, kRma = 9280;     // dataplaneModeBitmap; aiRMAInfo
constexpr uint64_t kMemories = 9344, kDetails = 10368;  // by rank: 16 bytes, then four times 24
constexpr uint64_t kOfRank = 16, kOfDetails = 4 * 24;
constexpr uint64_t kMostRelations = 64, kMostCombined = 32;  // ranks.md 14, 6.3

// ranks.md 6.2.
constexpr Row kOperationResource[] = {
    {0, 8, Holds::kWorkspace},
    {8, 8, Holds::kWorkspaceBytes},
    {16, 4, Holds::kPlace},
    {20, 4, Holds::kRanks},
    {24, 8, Holds::kWindowBytes},
    {32, 8, Holds::kOwnIn},
    {40, 8, Holds::kOwnOut},
    {48, 128, Holds::kName},
    {176, 8, Holds::kExpBytes},
    {184, 8, Holds::kOwnExp},
    {196, 4, Holds::kNumber, 16},  // rWinOffset
    {2680, 4, Holds::kPlace},
    {2684, 4, Holds::kRanks},
    {2688, 4, Holds::kOwnDevice},
    {2700, 4, Holds::kNumber, 1},     // superPodNum
    {2716, 4, Holds::kNumber, 1},     // serverNum
    {2840, 1, Holds::kNumber, 1},     // deterministic
    {2856, 8, Holds::kNumber, 1836},  // notifyWaitTime
    {2980, 4, Holds::kRanks},
    {2992, 8, Holds::kHere, kRelations, 64, 16},
    {kRelations + 0, 4, Holds::kEachPlace, 0, 0, 64},
    {kRelations + 4, 4, Holds::kEachWorldRank, 0, 0, 64},
    {kRelations + 8, 8, Holds::kEachIn, 0, 0, 64},
    {kRelations + 16, 8, Holds::kEachOut, 0, 0, 64},
    {kRelations + 24, 8, Holds::kEachExp, 0, 0, 64},
};

// ranks.md 6.3.
constexpr Row kCombinedParameter[] = {
    {0, 8, Holds::kWorkspace},
    {8, 8, Holds::kWorkspaceBytes},
    {16, 4, Holds::kPlace},
    {20, 4, Holds::kRanks},
    {24, 8, Holds::kWindowBytes},
    {32, 8, Holds::kEachIn, 0, 0, 8},
    {288, 8, Holds::kEachOut, 0, 0, 8},
    {8896, 8, Holds::kNumber, 64},  // sizeOfAiRMAInfo
    {8904, 8, Holds::kHere, kRma},
    {8912, 8, Holds::kHere, kCapability},
    {8920, 8, Holds::kNumber, 8},         // capabilitySize
    {kCapability, 8, Holds::kNumber, 4},  // the data plane is AIV
    {kRma + 0, 4, Holds::kPlace},
    {kRma + 4, 4, Holds::kRanks},
    {kRma + 12, 4, Holds::kNumber, 64},
    {kRma + 16, 4, Holds::kNumber, 56},
    {kRma + 20, 4, Holds::kNumber, 16},
    {kRma + 56, 8, Holds::kHere, kMemories},
    {kMemories + 0, 4, Holds::kNumber, 4, 0, kOfRank},
    {kMemories + 4, 4, Holds::kNumber, 24, 0, kOfRank},
    {kMemories + 8, 8, Holds::kHere, kDetails, kOfDetails, kOfRank},
    {kDetails + 0, 8, Holds::kWindowBytes, 0, 0, kOfDetails},
    {kDetails + 8, 8, Holds::kOwnIn, 0, 0, kOfDetails},
    {kDetails + 24, 8, Holds::kWindowBytes, 0, 0, kOfDetails},
    {kDetails + 32, 8, Holds::kEachIn, 0, 0, kOfDetails},
    {kDetails + 48, 8, Holds::kWindowBytes, 0, 0, kOfDetails},
    {kDetails + 56, 8, Holds::kOwnOut, 0, 0, kOfDetails},
    {kDetails + 72, 8, Holds::kWindowBytes, 0, 0, kOfDetails},
    {kDetails + 80, 8, Holds::kEachOut, 0, 0, kOfDetails},
};

std::span<const Row> RowsOf(ContextLayout layout) {
    return layout == ContextLayout::kOperationResource ? std::span<const Row>(kOperationResource) : kCombinedParameter;
}

uint64_t NumberOf(const Row& row, const ContextValues& v, uint64_t each, const uint8_t* context) {
    const RankWindows &own = v.ranks[v.place], &of = v.ranks[each];
    switch (row.holds) {
        case Holds::kNumber: return row.number;
        case Holds::kHere: return reinterpret_cast<uintptr_t>(context) + row.number + each * row.number_step;
        case Holds::kWorkspace: return v.workspace;
        case Holds::kWorkspaceBytes: return v.workspace_bytes;
        case Holds::kPlace: return v.place;
        case Holds::kRanks: return v.ranks.size();
        case Holds::kWindowBytes: return v.window_bytes;
        case Holds::kExpBytes: return v.exp_bytes;
        case Holds::kOwnIn: return own.in;
        case Holds::kOwnOut: return own.out;
        case Holds::kOwnExp: return own.exp;
        case Holds::kOwnDevice: return own.world_rank;
        case Holds::kEachPlace: return each;
        case Holds::kEachWorldRank: return of.world_rank;
        case Holds::kEachIn: return of.in;
        case Holds::kEachOut: return of.out;
        case Holds::kEachExp: return of.exp;
        case Holds::kName: break;  // no number
    }
    return 0;
}

}  // namespace

ContextLayout LayoutOf(const std::string& name) {
    const soc::Chip& chip = soc::FindChip(name);
    if (chip.name == "Ascend910B") {
        return chip.product.starts_with("Ascend910_93") ? ContextLayout::kOperationResource
                                                        : ContextLayout::kCombinedParameter;
    }
    throw UnsupportedError(fmt::format(
        "{}: the context of a group is known for Ascend910B1 and its sisters (A2) and for Ascend910_9392 and its "
        "sisters (A3): run the kernel on one of these",
        chip.product));
}

uint64_t ContextBytes(ContextLayout layout) {
    return layout == ContextLayout::kOperationResource ? kRelations + kMostRelations * 64
                                                       : kDetails + kMostCombined * kOfDetails;
}

uint32_t MostRanks(ContextLayout layout) {
    return layout == ContextLayout::kOperationResource ? kMostRelations : kMostCombined;
}

void WriteContext(ContextLayout layout, const ContextValues& values, uint8_t* context) {
    for (const Row& row : RowsOf(layout)) {
        if (row.holds == Holds::kName) {
            std::memcpy(context + row.offset, values.name.data(), std::min<size_t>(values.name.size(), kMostGroupName));
            continue;
        }
        for (uint64_t each = 0; each < (row.step ? values.ranks.size() : 1); ++each) {
            const uint64_t number = NumberOf(row, values, each, context);
            std::memcpy(context + row.offset + each * row.step, &number, row.bytes);
        }
    }
}

}  // namespace sfumato::runtime
