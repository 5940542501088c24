// SPDX-License-Identifier: Apache-2.0
// Looks at the elements a record reads and writes.
#include "sanitize/values.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "isa/touched.h"

namespace sfumato::sanitize {
namespace {

using isa::Record;
using isa::Span;

// What one element may be.
enum Kind : uint32_t {
    kNan = 1 << 0,
    kLimit = 1 << 1,
    kZero = 1 << 2,
    kMinusZero = 1 << 3,
    kSubnormal = 1 << 4,
};

template <class Bits>
uint32_t KindOfFloat(Bits bits, Bits infinity, Bits implicit) {
    constexpr Bits kSign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
    const Bits magnitude = bits & static_cast<Bits>(~kSign);
    if (magnitude > infinity) return kNan;
    if (magnitude >= infinity - 1) return kLimit;
    if (magnitude == 0) return (bits & kSign) ? kZero | kMinusZero : kZero;
    return magnitude < implicit ? uint32_t{kSubnormal} : 0;
}

template <class T>
uint32_t KindOfInteger(T value) {
    using Limits = std::numeric_limits<T>;
    const bool limit = value == Limits::max() || (std::is_signed_v<T> && value == Limits::min());
    return (limit ? kLimit : 0u) | (value == 0 ? kZero : 0u);
}

template <class T, class Of>
uint32_t Scan(const uint8_t* bytes, uint64_t count, const Of& of) {
    uint32_t kinds = 0;
    for (uint64_t i = 0; i < count; ++i) {
        T element;
        std::memcpy(&element, bytes + i * sizeof(T), sizeof(T));
        kinds |= of(element);
    }
    return kinds;
}

uint32_t KindsOf(DataType type, const uint8_t* bytes, uint64_t count) {
    switch (type) {
        case DataType::kHalf:
            return Scan<uint16_t>(bytes, count / 2,
                                  [](uint16_t b) { return KindOfFloat<uint16_t>(b, 0x7C00, 0x0400); });
        case DataType::kBfloat16:
            return Scan<uint16_t>(bytes, count / 2,
                                  [](uint16_t b) { return KindOfFloat<uint16_t>(b, 0x7F80, 0x0080); });
        case DataType::kFloat:
            return Scan<uint32_t>(bytes, count / 4,
                                  [](uint32_t b) { return KindOfFloat<uint32_t>(b, 0x7F800000, 0x00800000); });
        case DataType::kInt8: return Scan<int8_t>(bytes, count, KindOfInteger<int8_t>);
        case DataType::kUint8: return Scan<uint8_t>(bytes, count, KindOfInteger<uint8_t>);
        case DataType::kInt16: return Scan<int16_t>(bytes, count / 2, KindOfInteger<int16_t>);
        case DataType::kUint16: return Scan<uint16_t>(bytes, count / 2, KindOfInteger<uint16_t>);
        case DataType::kInt32: return Scan<int32_t>(bytes, count / 4, KindOfInteger<int32_t>);
        case DataType::kUint32: return Scan<uint32_t>(bytes, count / 4, KindOfInteger<uint32_t>);
        case DataType::kInt64: return Scan<int64_t>(bytes, count / 8, KindOfInteger<int64_t>);
        case DataType::kUint64: return Scan<uint64_t>(bytes, count / 8, KindOfInteger<uint64_t>);
        case DataType::kInt4:
        case DataType::kHifloat8:
        case DataType::kFp8E4m3:
        case DataType::kFp8E5m2:
        case DataType::kFp8E8m0:
        case DataType::kFp4E2m1:
        case DataType::kFp4E1m2:
        case DataType::kComplex32:
        case DataType::kComplex64:
        case DataType::kEnd: break;
    }
    return 0;
}

// Of every byte the record touches of an operand; `runs` gets them when it is not null.
uint32_t KindsIn(const Record& r, int operand, const isa::MemoryMap& map, std::vector<Span>* runs) {
    const isa::Operand& o = r.operand[static_cast<size_t>(operand)];
    const uint8_t* base = o.memory == isa::Memory::kGm ? map.gm[o.allocation] : map.base[static_cast<int>(o.memory)];
    if (!base) return 0;
    uint32_t kinds = 0;
    const uint64_t element = std::max<uint64_t>(1, BitsOf(o.type) / 8);
    isa::ForEachRun(r, operand, map.base[static_cast<int>(isa::Memory::kUb)], [&](Span run) {
        if (runs) runs->push_back(run);
        // A run of bytes that are no whole elements holds none.
        if ((run.begin - o.offset) % element == 0) kinds |= KindsOf(o.type, base + run.begin, run.end - run.begin);
    });
    return kinds;
}

bool Twice(std::vector<Span> runs) {
    std::sort(runs.begin(), runs.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
    return std::adjacent_find(runs.begin(), runs.end(), [](const Span& a, const Span& b) { return a.Overlaps(b); }) !=
           runs.end();
}

}  // namespace

uint32_t SourceValues(const Record& record, const isa::MemoryMap& map, uint32_t wanted) {
    uint32_t kinds = 0;
    if ((wanted & soc::kSourceValues) == 0) return 0;
    for (int i = 1; i < record.operand_count; ++i) kinds |= KindsIn(record, i, map, nullptr);
    return ((kinds & kNan) ? soc::kSourceNan : 0u) | ((kinds & kMinusZero) ? soc::kSourceMinusZero : 0u) |
           ((kinds & kSubnormal) ? soc::kSourceSubnormal : 0u);
}

uint32_t ResultValues(const Record& record, const isa::MemoryMap& map, uint32_t wanted) {
    if ((wanted & ~soc::kSourceValues) == 0 || record.operand_count == 0) return 0;
    const bool twice = (wanted & soc::kResultTwice) != 0;
    std::vector<Span> runs;
    const uint32_t kinds = KindsIn(record, 0, map, twice ? &runs : nullptr);
    return ((kinds & kNan) ? soc::kResultNan : 0u) | ((kinds & kLimit) ? soc::kResultLimit : 0u) |
           ((kinds & kZero) ? soc::kResultZero : 0u) | ((kinds & kSubnormal) ? soc::kResultSubnormal : 0u) |
           (twice && Twice(std::move(runs)) ? soc::kResultTwice : 0u);
}

}  // namespace sfumato::sanitize
