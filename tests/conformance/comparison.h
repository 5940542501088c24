// SPDX-License-Identifier: Apache-2.0
// Runs the oracle and exec::Convert on the same inputs and keeps what differs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/conversion_table.h"
#include "exec/exec.h"

namespace sfumato::conformance {

// What differed in one kind of run: its name, the first five inputs and the count.
class Differences {
public:
    void Add(uint64_t input, uint64_t expected, uint64_t found, const std::string& detail = "");
    void AddWrongFlag(size_t elements, bool expected);
    void Merge(const Differences& other);
    uint64_t count() const { return count_; }
    // Several lines that begin with `what`; empty when nothing differed.
    std::string Text(const std::string& what) const;

private:
    static constexpr size_t kShown = 5;
    uint64_t count_ = 0;
    std::vector<std::string> shown_;
};

// The policies that can make a difference for a destination; infnan comes first.
std::vector<Overflow> PoliciesOf(DataType dst);
const char* Name(Overflow overflow);

exec::Conversion ConversionOf(const Case& c);

enum class Buffers { kSeparate, kInPlace };

// Compares exec with the oracle under every policy on the SIMD targets it is given.
class Runner {
public:
    // Each run forces the targets in turn; an empty list leaves the target that is current alone.
    Runner(DataType dst, std::vector<std::string> targets);

    // Converts n elements (as exec wants them: int4 packed) on the first `target_limit` targets. Compared are every
    // byte of the results, guard bytes behind them, and the flag that tells of saturation. conversion.overflow is
    // ignored.
    void Run(exec::Conversion conversion, const void* src, size_t n, size_t target_limit = SIZE_MAX,
             Buffers buffers = Buffers::kSeparate);

    uint64_t elements() const { return elements_; }  // compared so far, all policies and targets counted
    void Merge(const Runner& other);
    // One paragraph for each policy and target that differs; empty when all agree.
    std::string Text(const std::string& what) const;

private:
    void Expect(const exec::Conversion& conversion, const void* src, size_t n);
    void Compare(const exec::Conversion& conversion, const void* src, size_t n, bool saturates, Buffers buffers,
                 Differences* differences);

    std::vector<std::string> targets_;
    std::vector<Overflow> policies_;
    std::vector<Differences> differences_;  // [policy * targets + target]
    std::vector<uint8_t> expected_, found_, unpacked_;
    uint64_t elements_ = 0;
};

}  // namespace sfumato::conformance
