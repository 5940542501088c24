// SPDX-License-Identifier: Apache-2.0
// Parameters of the forms whose work the record's operands and mask describe, of moves of blocks, and of flags.
#pragma once

#include <cstdint>

#include "isa/opcode.h"

namespace sfumato::isa {

// Element by element, with mask, repeat and strides of the record.
struct Elementwise {};
struct Binary : Elementwise {};      // dst, src0, src1 of one type; dst is read too where kReadsDst
struct Unary : Elementwise {};       // dst, src of one type
struct Scalar : Elementwise {};      // dst, src and an immediate of one type; dst is read too where kReadsDst
struct Fill : Elementwise {};        // dst and an immediate
struct Index : Elementwise {};       // dst and the first of rising numbers
struct Convert : Elementwise {};     // dst, src of two types
struct ConvertTwo : Elementwise {};  // dst of one type, src0 and src1 of another

// Blocks between memories, lengths and gaps already turned to bytes by the front end.
struct Blocks {
    uint32_t block_count = 1;
    uint64_t block_bytes = 0;
    uint64_t src_pitch = 0;  // bytes between the starts of consecutive source blocks
    uint64_t dst_pitch = 0;
};
struct Move : Blocks {};  // whole units of 32 bytes

// The largest stride in global memory of moves of Ascend950 (arch950.md 1.3), in bytes; other chips have their own.
inline constexpr uint64_t kMostGmStride = (uint64_t{1} << 40) - 1;

// Blocks of bytes between GM and UB; on the way to UB with elements before and after (framework.md 3.4). Compact ones
// follow each other byte for byte on the local side, where the last one alone is filled (arch950.md 1.3).
struct MovePad : Blocks {
    bool is_pad = false;
    uint8_t left = 0, right = 0;  // elements
    uint64_t pad_value = 0;       // bit pattern of one element
    bool pad_defined = true;      // false: the pads hold undefined bytes (poison)
    bool compact = false;         // without pads
};

// One element written by the scalar unit: Record::immediate.
struct ScalarStore {};

// A set or a wait. A flag of the program is (event, id). A token is a flag the queues insert, used once; 0 = none.
struct Flag {
    Pipe from = Pipe::kS;
    Pipe to = Pipe::kS;
    uint8_t event = 0;  // HardEvent number
    int32_t id = 0;
    uint64_t token = 0;
};
struct Barrier {};
// A flag between cores (framework.md 2.7). Waits have no mode.
struct CrossFlag {
    uint8_t mode = 0;
    uint8_t id = 0;
};

}  // namespace sfumato::isa
