// SPDX-License-Identifier: Apache-2.0
// Runs records of the cube unit on whole memories full of random bytes, under every SIMD target, and compares every
// byte of every memory with what an oracle left.
#pragma once

#include <functional>
#include <initializer_list>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "exec/exec.h"
#include "oracle/load_oracle.h"

namespace sfumato::conformance {

class Random {
public:
    // A sequence of its own for every name.
    explicit Random(const std::string& name) {
        std::seed_seq seed(name.begin(), name.end());
        engine_.seed(seed);
    }
    uint64_t Bits() { return engine_(); }
    // In [low, high].
    int64_t Between(int64_t low, int64_t high) {
        return low + static_cast<int64_t>(engine_() % static_cast<uint64_t>(high - low + 1));
    }
    uint32_t Number(uint32_t low, uint32_t high) { return static_cast<uint32_t>(Between(low, high)); }
    // Both ends, close to the lower one, and anywhere: each as often.
    uint32_t Stratum(uint32_t low, uint32_t high) {
        switch (engine_() % 4) {
            case 0: return low;
            case 1: return high;
            case 2: return Number(low, std::min(high, low + 4));
            default: return Number(low, high);
        }
    }
    template <class T>
    T Pick(std::initializer_list<T> values) {
        return values.begin()[engine_() % values.size()];
    }
    bool Chance(uint32_t percent) { return engine_() % 100 < percent; }

private:
    std::mt19937_64 engine_;
};

class CubeRunner {
public:
    CubeRunner();  // in a test, whose name is the seed

    Random& random() { return random_; }
    oracle::Bytes& Before(isa::Memory memory) { return before_[static_cast<size_t>(memory)]; }
    uint64_t Size(isa::Memory memory) { return Before(memory).size(); }
    // A random multiple of `unit` that leaves room for `bytes`; 0 when the memory has none.
    uint64_t Place(isa::Memory memory, uint64_t bytes, uint64_t unit);
    // Fresh random bytes everywhere.
    void Shuffle();

    isa::Operand Operand(isa::Memory memory, DataType type, uint64_t offset);
    oracle::Source From(const isa::Operand& o) { return {Before(o.memory), o.offset}; }
    // The destination's image as it must be afterwards.
    oracle::Target To(const isa::Operand& o) { return {expected_, o.offset}; }

    // Lets the oracle fill the expected image, then runs every target. Returns false, and counts nothing, when the
    // oracle left a memory: the parameters were not legal.
    bool Run(const isa::Record& record, const std::function<bool()>& oracle);

    // What differed, at most a few cases of it; and a line of counts on the standard output.
    std::string Finish(const std::string& name);
    uint64_t cases() const { return cases_; }

private:
    void Fail(const isa::Record& record, const std::string& what);

    Random random_;
    std::vector<oracle::Bytes> before_, now_;
    oracle::Bytes expected_;
    std::vector<uint8_t*> gm_;
    exec::MemoryMap map_;
    std::vector<std::string> targets_;
    uint64_t cases_ = 0, rejected_ = 0, bytes_ = 0, failures_ = 0;
    std::string text_;
};

// Calls `one` until it has run `cases` cases; a generator that cannot fails.
std::string RunCases(CubeRunner& runner, const std::string& name, uint64_t cases, const std::function<void()>& one);

}  // namespace sfumato::conformance
