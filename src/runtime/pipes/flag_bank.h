// SPDX-License-Identifier: Apache-2.0
// The flags of one core: what is one flag, which are set, who set them and who took them (framework.md 2.3).
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "events/flag_key.h"
#include "isa/record.h"
#include "sfumato/launch.h"

namespace sfumato::runtime {

class FlagBank {
public:
    struct State {
        bool set = false;
        uint8_t event = 0;  // of the set
        int32_t id = 0;
        Where where;
        isa::Api api = isa::Api::kAscendC;
        uint8_t taker = 0;  // event of the last wait that took the flag
        Where taken;        // and its place; no line: none has
    };

    explicit FlagBank(FlagIdentity identity) : identity_(identity) { Clear(); }

    FlagIdentity identity() const { return identity_; }
    // True when both name one flag.
    bool Same(const isa::Flag& a, const isa::Flag& b) const { return Key(a) == Key(b); }
    bool IsSet(const isa::Flag& flag) const { return flag.token ? tokens_[flag.token] != 0 : bits_[Key(flag)]; }
    const State& Of(const isa::Flag& flag) const { return states_[Key(flag)]; }
    void Set(const isa::Record& set);
    void Take(const isa::Record& wait);
    // Queues insert synchronisation of their own: a token is a flag used once.
    uint64_t NewToken() { return tokens_.push_back(0), tokens_.size() - 1; }
    std::vector<State> Left() const;
    void Clear();

    // What flags would be if some records ran; the bank stays as it is.
    class Trial {
    public:
        explicit Trial(const FlagBank& bank) : bank_(bank), bits_(bank.bits_) {}
        bool IsSet(const isa::Flag& flag) const;
        void Set(const isa::Flag& flag);
        void Take(const isa::Flag& flag);

    private:
        const FlagBank& bank_;
        std::bitset<events::kFlags> bits_;
        std::vector<uint64_t> tokens_;
    };

private:
    uint64_t Key(const isa::Flag& flag) const { return events::FlagKey(flag, identity_); }

    const FlagIdentity identity_;
    std::bitset<events::kFlags> bits_;
    std::array<State, events::kFlags> states_;
    std::vector<uint8_t> tokens_;
};

}  // namespace sfumato::runtime
