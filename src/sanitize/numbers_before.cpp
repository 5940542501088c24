// SPDX-License-Identifier: Apache-2.0
// The copy of what a record overwrites.
#include "sanitize/numbers_before.h"

#include <algorithm>
#include <cstring>

#include "isa/touched.h"

namespace sfumato::sanitize {
namespace {

bool InOneMemory(const isa::Operand& a, const isa::Operand& b) {
    return a.memory == b.memory && (a.memory != isa::Memory::kGm || a.allocation == b.allocation);
}

// dst: its hull.
bool ReadsWhatItWrites(const isa::Record& r, isa::Span dst) {
    if (ReadsDst(r)) return true;
    for (int i = 1; i < r.operand_count; ++i) {
        if (r.packed && r.operand[static_cast<size_t>(i)].offset == r.dst().offset) return true;
        if (!r.packed && InOneMemory(r.operand[static_cast<size_t>(i)], r.dst()) && isa::SpanOf(r, i).Overlaps(dst))
            return true;
    }
    return false;
}

}  // namespace

void Before::Save(const isa::Record& r, const isa::MemoryMap& map) {
    map_ = &map;
    hull_ =
        r.packed ? isa::Span{r.dst().offset, r.dst().offset + BytesOf(r.dst().type, r.mask.count)} : isa::SpanOf(r, 0);
    if (hull_.begin == hull_.end || !ReadsWhatItWrites(r, hull_)) {
        hull_ = {};
        return;
    }
    bytes_.resize(hull_.end - hull_.begin);
    const Bytes memory = MemoryOf(r.dst(), map);
    const auto copy = [&](const isa::Span& run) {
        std::memcpy(bytes_.data() + (run.begin - hull_.begin), memory.At(run.begin), run.end - run.begin);
    };
    if (r.dst().memory == isa::Memory::kGm) {
        isa::ForEachRun(r, 0, map.base[static_cast<int>(isa::Memory::kUb)], copy);
    } else {
        copy(hull_);
    }
}

const uint8_t* Before::Whole(const isa::Record& r, int operand, isa::Span bytes) const {
    const isa::Operand& o = r.operand[static_cast<size_t>(operand)];
    if (!saved() || !InOneMemory(o, r.dst()) || !bytes.Overlaps(hull_)) return MemoryOf(o, *map_).At(bytes.begin);
    const bool inside = bytes.begin >= hull_.begin && bytes.end <= hull_.end;
    return inside ? bytes_.data() + (bytes.begin - hull_.begin) : nullptr;
}

uint64_t Before::Bits(const isa::Record& r, int operand, uint64_t offset) const {
    const isa::Operand& o = r.operand[static_cast<size_t>(operand)];
    const uint64_t size = std::max(1u, BitsOf(o.type) / 8);
    const Bytes memory = MemoryOf(o, *map_);
    uint64_t bits = 0;
    if (!saved() || !InOneMemory(o, r.dst()) || offset + size <= hull_.begin || offset >= hull_.end) {
        std::memcpy(&bits, memory.At(offset), size);
        return bits;
    }
    for (uint64_t i = 0; i < size; ++i) {
        const uint64_t at = offset + i;
        const bool copied = at >= hull_.begin && at < hull_.end;
        bits |= uint64_t{copied ? bytes_[at - hull_.begin] : *memory.At(at)} << (8 * i);
    }
    return bits;
}

}  // namespace sfumato::sanitize
