// SPDX-License-Identifier: Apache-2.0
// Scans and words for elements.
#include "sanitize/numbers_values.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "isa/touched.h"
#include "numeric/convert.h"

namespace sfumato::sanitize {

int64_t IntegerOf(DataType t, uint64_t bits) {
    switch (t) {
        case DataType::kInt4: return static_cast<int64_t>(bits << 60) >> 60;
        case DataType::kInt8: return static_cast<int8_t>(bits);
        case DataType::kInt16: return static_cast<int16_t>(bits);
        case DataType::kInt32: return static_cast<int32_t>(bits);
        case DataType::kInt64:
        case DataType::kUint8:
        case DataType::kUint16:
        case DataType::kUint32:
        case DataType::kUint64:
        case DataType::kHalf:
        case DataType::kBfloat16:
        case DataType::kFloat:
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
    return static_cast<int64_t>(bits);
}

double ValueOf(DataType t, uint64_t bits) {
    if (t == DataType::kUint64) return static_cast<double>(bits);
    if (!IsFloating(t)) return static_cast<double>(IntegerOf(t, bits));
    if (t == DataType::kHalf) {
        bits = numeric::Convert(DataType::kHalf, DataType::kFloat, Rounding::kNone, Overflow::kInfNan, bits).bits;
    } else if (t == DataType::kBfloat16) {
        bits <<= 16;
    }
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
}

std::string Show(DataType t, uint64_t bits) {
    if (t == DataType::kUint64) return fmt::format("{}", bits);
    if (!IsFloating(t)) return fmt::format("{}", IntegerOf(t, bits));
    const auto value = static_cast<float>(ValueOf(t, bits));
    return std::isnan(value) ? "nan" : fmt::format("{}", value);
}

std::string LargestOf(DataType t) { return Show(t, InfinityOf(t) - 1); }

const char* SourceOfFill(const isa::Record& record, const isa::MemoryMap& map, uint8_t fill) {
    for (int i = 1; i < record.operand_count; ++i) {
        const isa::Operand& o = record.operand[static_cast<size_t>(i)];
        const uint64_t size = BitsOf(o.type) / 8;
        if (o.memory == isa::Memory::kGm || size < 2) continue;
        bool found = false;
        isa::ForEachRun(record, i, map.base[static_cast<int>(isa::Memory::kUb)], [&](const isa::Span& run) {
            for (uint64_t at = run.begin; at + size <= run.end && !found; at += size) {
                uint64_t bits = 0;
                std::memcpy(&bits, map.base[static_cast<int>(o.memory)] + at, size);
                found = IsFill(o.type, bits, fill);
            }
        });
        if (found) return isa::OperandName(record, i);
    }
    return nullptr;
}

}  // namespace sfumato::sanitize
