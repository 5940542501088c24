// SPDX-License-Identifier: Apache-2.0
// Integer results that do not fit their type (vector.md, Arithmetic; cube.md 4).
#pragma once

#include <functional>

#include "sanitize/numbers_results.h"

namespace sfumato::sanitize {

// A result that did not fit: the byte offset in its memory, what it was made of, and its exact value.
using VisitOverflow = std::function<void(uint64_t offset, const Sources& sources, const std::string& exact)>;

enum class IntegerCheck : uint8_t {
    kNone,
    kBefore,  // sums, differences, products, conversions: their sources tell
    kAfter,   // Mmad: a sum at the end of its type is computed again
    kStored   // atomic stores: what is added is known once it is stored apart
};
IntegerCheck IntegerCheckOf(const isa::Record& record);

// kBefore, while the sources still stand.
void ForEachOverflow(const isa::Record& record, const isa::MemoryMap& map, const VisitOverflow& visit);
// kStored. before, stored: the bytes of dst, and what they would be without the atomic mode.
void ForEachSumOverflow(const isa::Record& record, const Bytes& before, const Bytes& stored,
                        const VisitOverflow& visit);
// kAfter.
void ForEachProductOverflow(const isa::Record& record, const Before& before, const isa::MemoryMap& map,
                            const VisitOverflow& visit);

}  // namespace sfumato::sanitize
