// SPDX-License-Identifier: Apache-2.0
// The instruction record: a value that can be executed now, printed, checked, traced, stored or executed later.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "isa/opcode.h"
#include "isa/shapes.h"
#include "sfumato/data_type.h"
#include "sfumato/report.h"

namespace sfumato::isa {

// Physical memories (cube.md 1.1). kRegister is reserved for newer chips' vector registers.
enum class Memory : uint8_t { kNone, kGm, kUb, kL1, kL0A, kL0B, kL0C, kBt, kFb, kRegister, kCount };
constexpr int kMemoryCount = static_cast<int>(Memory::kCount);
const char* Name(Memory memory);  // "GM", "UB", "L1" ...

enum class CoreKind : uint8_t { kAiCore, kCube, kVector };  // coupled core, AIC, AIV

// Which front end issued it: legal types and some alignments differ (vector.md).
enum class Api : uint8_t { kAscendC, kTik };

constexpr uint32_t kBlockBytes = 32;    // a data block
constexpr uint32_t kRepeatBytes = 256;  // what a repeat covers of the wider operand
constexpr uint32_t kBlocksPerRepeat = 8;

struct Operand {
    Memory memory = Memory::kNone;
    DataType type = DataType::kHalf;
    uint32_t allocation = 0;     // GM only: index of the allocation in the launch's address space
    uint64_t offset = 0;         // bytes from the start of the memory or allocation
    uint64_t limit = 0;          // first byte past the buffer the tensor lives in, same origin as offset
    uint64_t elements = 0;       // size of the tensor the program made; 0 = unknown
    uint32_t block_stride = 1;   // between blocks of one repeat, in blocks of 32 bytes
    uint32_t repeat_stride = 8;  // between repeats, in blocks of 32 bytes
};

enum class MaskMode : uint8_t {
    kCount,       // calCount forms: exactly `count` elements, contiguous, strides ignored
    kContinuous,  // the first `count` elements of each repeat
    kBits,        // mask_bits, bit i of word i / 64 is element i of each repeat
    kCounter      // `count` elements in total, strides honoured, repeat ignored
};

struct Mask {
    MaskMode mode = MaskMode::kCount;
    uint64_t count = 0;
    std::array<uint64_t, 2> bits{};  // [0] is the low half
};

// Which 16-byte half of each 32-byte destination block a 16-to-8-bit conversion writes.
enum class HalfBlock : uint8_t { kDense, kLow, kHigh };

// The dequantisation register (conversions.md): what SetDeqScale left.
enum class DeqScale : uint8_t {
    kNone,
    kHalf,   // deq_word: half bits, for int32 to half
    kWord,   // deq_word: one 64-bit word for all lanes
    kVector  // deq_word: byte offset in UB of 16 words, read when the record executes
};

// A move of blocks. kMove: lengths and gaps in 32-byte units already turned to bytes by the front end.
struct MoveShape {
    uint32_t block_count = 1;
    uint64_t block_bytes = 0;
    uint64_t src_pitch = 0;  // bytes between the starts of consecutive source blocks
    uint64_t dst_pitch = 0;
    // kMovePad, GM to UB only: elements before and after, and the value; see framework.md 3.4
    bool is_pad = false;
    uint8_t left = 0, right = 0;  // elements
    uint64_t pad_value = 0;       // bit pattern of one element
    bool pad_defined = true;      // false: the pads hold undefined bytes (poison)
};

// A flag of the program is (event, id). A token is a flag the queues insert, used once; 0 = none.
struct Flag {
    Pipe from = Pipe::kS;
    Pipe to = Pipe::kS;
    uint8_t event = 0;  // HardEvent number
    int32_t id = 0;
    uint64_t token = 0;
};

// What a store to GM does with the element that is there (framework.md 3.10).
enum class Atomic : uint8_t { kNone, kAdd, kMax, kMin };

// Registers the scalar unit wrote, as they stood when the record was issued.
struct Control {
    Overflow overflow = Overflow::kSaturate;  // never kBoard here
    DeqScale deq = DeqScale::kNone;
    Atomic atomic = Atomic::kNone;
    DataType atomic_type = DataType::kFloat;
    uint64_t deq_word = 0;
};

struct Record {
    Opcode op = Opcode::vadd;
    Api api = Api::kAscendC;
    CoreKind core_kind = CoreKind::kAiCore;
    uint8_t sub_block = 0;
    Pipe pipe = Pipe::kV;
    uint8_t operand_count = 0;
    Rounding rounding = Rounding::kNone;
    HalfBlock half_block = HalfBlock::kDense;
    uint32_t repeat = 1;
    uint64_t index = 0;              // position in the core's program order
    std::array<Operand, 5> operand;  // [0] = dst, then sources
    Mask mask;
    uint64_t immediate = 0;  // scalar operand: bit pattern of one element of the src type (no src: of the dst type)
    Control control;
    MoveShape move;
    Shape shape;  // of the forms from kLoad2D to kGatherMask
    Flag flag;
    Where where;
    const char* call = nullptr;  // as the user wrote it, where the table's name is not the only one

    const Operand& dst() const { return operand[0]; }
    const Operand& src0() const { return operand[1]; }
    const Operand& src1() const { return operand[2]; }
};

// One readable line: index, pipe, call, operands with memory+offset:type[strides], mask, repeat, immediates, source
// line.
std::string Print(const Record& record);

// The call as reports name it.
inline const char* CallName(const Record& r) {
    return r.call ? r.call : r.api == Api::kTik ? Info(r.op).tik : Info(r.op).ascendc;
}

// True when the record is a store to GM under an atomic mode.
inline bool IsAtomic(const Record& r) {
    return r.control.atomic != Atomic::kNone && r.dst().memory == Memory::kGm && r.op != Opcode::scalar_store;
}

// Elements a repeat processes: 256 bytes of the widest operand.
uint32_t LanesPerRepeat(const Record& record);

// Bytes [begin, end) an operand touches, as offsets in its memory. Empty (begin == end) when nothing is touched.
struct Span {
    uint64_t begin = 0, end = 0;
    bool Overlaps(const Span& o) const { return begin < o.end && o.begin < end; }
};
Span SpanOf(const Record& record, int operand);

}  // namespace sfumato::isa
