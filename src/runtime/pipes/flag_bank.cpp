// SPDX-License-Identifier: Apache-2.0
// Flags set, taken and left.
#include "runtime/pipes/flag_bank.h"

#include <algorithm>

namespace sfumato::runtime {

void FlagBank::Set(const isa::Record& set) {
    const auto& flag = set.As<isa::Flag>();
    if (flag.token) {
        tokens_[flag.token] = 1;
        return;
    }
    bits_[Slot(flag)] |= static_cast<uint16_t>(1u << Id(flag));
    State& state = states_[Slot(flag)][Id(flag)];
    state.set = true, state.event = flag.event, state.id = flag.id, state.where = set.where, state.api = set.api;
}

void FlagBank::Take(const isa::Record& wait) {
    const auto& flag = wait.As<isa::Flag>();
    if (flag.token) return;
    bits_[Slot(flag)] &= static_cast<uint16_t>(~(1u << Id(flag)));
    State& state = states_[Slot(flag)][Id(flag)];
    state.set = false, state.taker = flag.event, state.taken = wait.where;
}

std::vector<FlagBank::State> FlagBank::Left() const {
    std::vector<State> left;
    for (const auto& ids : states_) {
        for (const State& state : ids) {
            if (state.set) left.push_back(state);
        }
    }
    return left;
}

void FlagBank::Clear() {
    bits_ = {};
    states_ = {};
    tokens_.assign(1, 0);  // token 0 means "none"
}

bool FlagBank::Trial::IsSet(const isa::Flag& flag) const {
    if (!flag.token) return (bits_[bank_.Slot(flag)] >> Id(flag) & 1) != 0;
    return bank_.IsSet(flag) || std::ranges::find(tokens_, flag.token) != tokens_.end();
}

void FlagBank::Trial::Set(const isa::Flag& flag) {
    if (flag.token) {
        tokens_.push_back(flag.token);
    } else {
        bits_[bank_.Slot(flag)] |= static_cast<uint16_t>(1u << Id(flag));
    }
}

void FlagBank::Trial::Take(const isa::Flag& flag) {
    if (!flag.token) bits_[bank_.Slot(flag)] &= static_cast<uint16_t>(~(1u << Id(flag)));
}

}  // namespace sfumato::runtime
