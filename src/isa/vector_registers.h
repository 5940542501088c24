// SPDX-License-Identifier: Apache-2.0
// Registers the vector unit writes and reads while records execute (vector_instructions.md 15), as bytes of
// Memory::kRegister: an operand there is ordered like one in UB.
#pragma once

#include "isa/record.h"

namespace sfumato::isa {

struct VectorRegister {
    uint64_t at, bytes;
    constexpr Span span() const { return {at, at + bytes}; }
};
inline constexpr VectorRegister kRsvdCount{16, 8};    // RSVD_CNT: elements the last GatherMask wrote
inline constexpr VectorRegister kAccVal{24, 8};       // ACC_VAL: the sum of the last ReduceSum, an element of its type
inline constexpr VectorRegister kMaxMinCount{32, 8};  // MAX_MIN_CNT: an extreme, an element of its type; then its index
inline constexpr VectorRegister kMergeCounts{40, 8};  // VMS4_SR: what the last merge took, 16 bits a queue
// CMPMASK: a bit a lane, so 256 where elements of 8 bits are compared. Moves take the first 128.
inline constexpr VectorRegister kCmpMask{64, 32};
constexpr uint64_t kCmpMaskMoved = 16, kVectorRegisterBytes = 96;

inline Operand RegisterOperand(const VectorRegister& which) {
    Operand o;
    o.memory = Memory::kRegister;
    o.type = DataType::kUint64;
    o.offset = which.at;
    o.limit = which.at + which.bytes;
    return o;
}

// Bytes of the registers a record writes beside its destination; empty for most.
Span RegisterWritten(const Record& record);

}  // namespace sfumato::isa
