// SPDX-License-Identifier: Apache-2.0
// Whom the modes of CrossCoreSetFlag join.
#include "runtime/cores/counters.h"

#include <algorithm>

namespace sfumato::runtime {

namespace {

template <class Wanted>
std::vector<uint64_t> Those(uint64_t first, uint64_t end, const Wanted& wanted) {
    std::vector<uint64_t> cores;
    for (uint64_t core = first; core < end; ++core) {
        if (wanted(core)) cores.push_back(core);
    }
    return cores;
}

}  // namespace

std::vector<uint64_t> Counters::Setters(uint64_t core, uint8_t mode) const {
    const uint64_t first = mode == 0 ? 0 : Block(core) * shape_.cores();
    const uint64_t end = mode == 0 ? cores_ : first + shape_.cores();
    return Those(first, end, [&](uint64_t other) { return IsCube(other) == IsCube(core); });
}

std::vector<uint64_t> Counters::Receivers(uint64_t core, uint8_t mode) const {
    if (mode != 2) return Setters(core, mode);
    const uint64_t first = Block(core) * shape_.cores();
    return Those(first, first + shape_.cores(), [&](uint64_t other) { return IsCube(other) != IsCube(core); });
}

std::vector<uint64_t> Counters::BlockMates(uint64_t core) const {
    const uint64_t first = Block(core) * shape_.cores();
    return Those(first, first + shape_.cores(), [core](uint64_t other) { return other != core; });
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
