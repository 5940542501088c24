// SPDX-License-Identifier: Apache-2.0
// A run: one instruction's arithmetic on n contiguous elements. The driver turns every record into runs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "exec/exec.h"

namespace sfumato::exec {

constexpr size_t kSameBlocks = 9;  // a vector of 256 bytes may begin anywhere in a block

struct Moved;

struct RunArgs {
    void* dst = nullptr;
    const void* src0 = nullptr;
    const void* src1 = nullptr;
    bool same_block = false;  // every block of src1 is its first, which stands kSameBlocks times at src1
    size_t n = 0;             // elements; int4 packed two a byte
    uint64_t scalar = 0;      // Record::immediate
    bool rounds = false;      // vshr: half up
    bool exact = false;       // isa::LastBits
    Overflow overflow = Overflow::kSaturate;
    uint64_t deq_word = 0;  // as in Conversion
    const uint64_t* deq_words = nullptr;
    uint32_t lane0 = 0;
    const Moved* moved = nullptr;  // of RunMoved
};

// Reads exactly n elements of each source but a `same_block` (dst is one where isa::kReadsDst), writes exactly n of
// dst. dst is a source itself (same address and width) or disjoint from it. Any alignment. Returns true when the policy
// `saturate` changed a result.
using RunFn = bool (*)(const RunArgs&);

// The run of a conversion on the target in force, nullptr when the pair is not supported. Uses src, dst, rounding and
// deq; overflow, deq_word, deq_words and lane0 travel in RunArgs.
RunFn ConvertRun(const Conversion& conversion);

}  // namespace sfumato::exec
