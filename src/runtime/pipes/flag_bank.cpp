// SPDX-License-Identifier: Apache-2.0
// Flags set, taken and left.
#include "runtime/pipes/flag_bank.h"

#include <algorithm>
#include <iterator>

namespace sfumato::runtime {

void FlagBank::Set(const isa::Record& set) {
    const auto& flag = set.As<isa::Flag>();
    if (flag.token) {
        tokens_[flag.token] = 1;
        return;
    }
    bits_.set(Key(flag));
    State& state = states_[Key(flag)];
    state.set = true, state.event = flag.event, state.id = flag.id, state.where = set.where, state.api = set.api;
}

void FlagBank::Take(const isa::Record& wait) {
    const auto& flag = wait.As<isa::Flag>();
    if (flag.token) return;
    bits_.reset(Key(flag));
    State& state = states_[Key(flag)];
    state.set = false, state.taker = flag.event, state.taken = wait.where;
}

std::vector<FlagBank::State> FlagBank::Left() const {
    std::vector<State> left;
    std::ranges::copy_if(states_, std::back_inserter(left), &State::set);
    return left;
}

void FlagBank::Clear() {
    bits_.reset();
    states_ = {};
    tokens_.assign(1, 0);  // token 0 means "none"
}

bool FlagBank::Trial::IsSet(const isa::Flag& flag) const {
    if (!flag.token) return bits_[bank_.Key(flag)];
    return bank_.IsSet(flag) || std::ranges::find(tokens_, flag.token) != tokens_.end();
}

void FlagBank::Trial::Set(const isa::Flag& flag) {
    if (flag.token) {
        tokens_.push_back(flag.token);
    } else {
        bits_.set(bank_.Key(flag));
    }
}

void FlagBank::Trial::Take(const isa::Flag& flag) {
    if (!flag.token) bits_.reset(bank_.Key(flag));
}

}  // namespace sfumato::runtime
