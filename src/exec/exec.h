// SPDX-License-Identifier: Apache-2.0
// Records to bytes. The only folder that includes Highway; this header does not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/memory_map.h"
#include "isa/record.h"

namespace sfumato::exec {

using isa::MemoryMap;

// Executes a checked record; flags and barriers are the pipes'.
// Returns true when the policy `saturate` changed a result: an inf or NaN was replaced (see the note in
// conversions.md).
bool Execute(const isa::Record& record, const MemoryMap& memory);
// Completes what Execute wrote on this thread. Call before another thread may read it.
void Publish();

// One conversion on n contiguous elements (int4 packed two a byte). The run under every kConvert record and
// sfumato.cast.
struct Conversion {
    DataType src, dst;
    Rounding rounding = Rounding::kNone;
    Overflow overflow = Overflow::kSaturate;
    isa::DeqScale deq = isa::DeqScale::kNone;
    uint64_t deq_word = 0;                // kHalf, kWord
    const uint64_t* deq_words = nullptr;  // kVector: 16 words (half bits for int32 to half); lane i: (lane0 + i) % 16
    uint32_t lane0 = 0;
};
// Returns as Execute. src and dst may be the same buffer where the widths are equal.
bool Convert(const Conversion& conversion, const void* src, void* dst, size_t n);

// SIMD targets compiled in and usable on this CPU, best first ("AVX3", "AVX2", "SSE4", "SSE2"...).
std::vector<std::string> Targets();
// Forces one of Targets() for the whole process; "" returns to the best. Returns false when it is not available.
bool ForceTarget(const std::string& name);
std::string CurrentTarget();

}  // namespace sfumato::exec
