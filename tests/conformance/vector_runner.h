// SPDX-License-Identifier: Apache-2.0
// Runs records of the vector unit on a UB full of random bytes, under every SIMD target, and compares every byte of it
// and of the unit's registers with what an oracle left.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/cube_runner.h"
#include "oracle/reduce_oracle.h"

namespace sfumato::conformance {

class VectorRunner {
public:
    VectorRunner();  // in a test, whose name is the seed

    Random& random() { return random_; }
    oracle::Bytes& Before() { return before_; }
    uint64_t Bytes() const { return before_.size(); }
    isa::Operand Operand(DataType type, uint64_t offset) const;

    using Oracle = std::function<bool(const oracle::ReduceMemory&)>;
    // Lets the oracle fill the expected images, then runs every target.
    void Run(const isa::Record& record, const Oracle& oracle);
    // Calls `one` until it has run `cases` records; what differed, at most a few cases of it.
    std::string RunCases(const std::string& name, uint64_t cases, const std::function<void()>& one);

private:
    void Compare(const isa::Record& record, const std::string& target, bool saturated);
    void Fail(const isa::Record& record, const std::string& what);

    Random random_;
    oracle::Bytes before_, expected_, now_;
    oracle::Bytes registers_before_, registers_expected_, registers_;
    exec::MemoryMap map_;
    std::vector<std::string> targets_;
    uint64_t cases_ = 0, failures_ = 0;
    std::string text_;
};

}  // namespace sfumato::conformance
