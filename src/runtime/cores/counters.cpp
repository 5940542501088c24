// SPDX-License-Identifier: Apache-2.0
// Whom the modes of CrossCoreSetFlag join.
#include "runtime/cores/counters.h"

#include <algorithm>

namespace sfumato::runtime {

std::vector<uint64_t> Counters::Setters(uint64_t core, uint8_t mode) const {
    const uint64_t per_block = shape_.cores(), first = Block(core) * per_block;
    std::vector<uint64_t> cores;
    if (mode == 0) {
        for (uint64_t other = 0; other < cores_; ++other) {
            if (IsCube(other) == IsCube(core)) cores.push_back(other);
        }
    } else {
        for (uint64_t other = first; other < first + per_block; ++other) {
            if (IsCube(other) == IsCube(core)) cores.push_back(other);
        }
    }
    return cores;
}

std::vector<uint64_t> Counters::Receivers(uint64_t core, uint8_t mode) const {
    if (mode != 2) return Setters(core, mode);
    const uint64_t per_block = shape_.cores(), first = Block(core) * per_block;
    std::vector<uint64_t> cores;
    for (uint64_t other = first; other < first + per_block; ++other) {
        if (IsCube(other) != IsCube(core)) cores.push_back(other);
    }
    return cores;
}

std::vector<uint64_t> Counters::BlockMates(uint64_t core) const {
    std::vector<uint64_t> cores;
    for (uint64_t other = Block(core) * shape_.cores(); other < (Block(core) + 1) * shape_.cores(); ++other) {
        if (other != core) cores.push_back(other);
    }
    return cores;
}

uint64_t Counters::GroupKey(uint64_t core, uint8_t mode, uint32_t id) const {
    const uint64_t group = (mode == 0 ? 0 : Block(core) + 1) * 2 + IsCube(core);
    return group << 8 | uint64_t{mode} << 4 | id;
}

Counters::Raised Counters::Set(uint64_t core, uint8_t mode, uint32_t id) {
    const uint64_t kind = IsCube(core) ? shape_.cube : shape_.cores() - shape_.cube;
    const uint64_t members = mode == 0 ? cores_ / shape_.cores() * kind : kind;
    uint64_t& present = present_[GroupKey(core, mode, id)];
    if (arrived_[ArrivalKey(core, mode, id)]++ == 0) ++present;
    Raised raised;
    if (present < members) return raised;
    for (const uint64_t member : Setters(core, mode)) {
        if (--arrived_[ArrivalKey(member, mode, id)] == 0) --present;
    }
    for (const uint64_t receiver : Receivers(core, mode)) {
        const uint64_t count = ++counts_[FlagCounter(receiver, id)];
        if (count > raised.count) raised = {receiver, count};
    }
    return raised;
}

}  // namespace sfumato::runtime
