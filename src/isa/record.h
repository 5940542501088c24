// SPDX-License-Identifier: Apache-2.0
// The instruction record: a value that can be executed now, printed, checked, traced, stored or executed later.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "isa/parameters.h"
#include "sfumato/data_type.h"
#include "sfumato/report.h"

namespace sfumato::isa {

// Physical memories (cube.md 1.1). kRegister is reserved for newer chips' vector registers.
enum class Memory : uint8_t { kNone, kGm, kUb, kL1, kL0A, kL0B, kL0C, kBt, kFb, kRegister, kCount };
constexpr int kMemoryCount = static_cast<int>(Memory::kCount);
const char* Name(Memory memory);  // "GM", "UB", "L1" ...

using sfumato::CoreKind;

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
    kBits,        // bit i % 64 of bits[i / 64] is element i of each repeat
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

// What a store to GM does with the element that is there (framework.md 3.10).
enum class Atomic : uint8_t { kNone, kAdd, kMax, kMin };

// Registers the scalar unit wrote, as they stood when the record was issued.
struct Control {
    Overflow overflow = Overflow::kSaturate;  // never kBoard here
    bool overflow_asked = false;              // by the program or an option of the launch
    DeqScale deq = DeqScale::kNone;
    Atomic atomic = Atomic::kNone;
    DataType atomic_type = DataType::kFloat;
    uint64_t deq_word = 0;

    void AskOverflow(Overflow policy) { overflow = policy, overflow_asked = true; }
    void TakeOverflow(const Control& from) { overflow = from.overflow, overflow_asked = from.overflow_asked; }
};

// Which of the results a record has whose last bits no page settles (docs/last-bits.md): what a board gives, as far as
// is known, or what moves it by a unit in the last place, as far as a board may.
struct LastBits {
    enum class Move : uint8_t { kNone, kAway, kToward, kSeed };  // away from zero, toward it, some of both
    enum class Base : uint8_t { kBoard, kExact, kTable };        // estimates correctly rounded; MemoryMap::half_tables
    Base base = Base::kBoard;
    Move move = Move::kNone;
    uint32_t seed = 0;
};

struct Record;

// The opcode of a record, which only Record::Become changes.
class Operation {
public:
    constexpr operator Opcode() const { return op_; }
    template <class T>
    requires std::is_integral_v<T>
    constexpr explicit operator T() const { return static_cast<T>(op_); }

private:
    friend struct Record;
    constexpr Operation() = default;
    constexpr Operation(const Operation&) = default;
    constexpr Operation& operator=(const Operation&) = default;
    Opcode op_ = Opcode::vadd;
};

struct Record {
    Record() {}  // sets the members, one by one: as a constant it would be copied whole, parameters and all
    explicit Record(Opcode opcode) { Become(opcode); }

    Operation op;
    Api api = Api::kAscendC;
    CoreKind core_kind = CoreKind::kAiCore;
    uint8_t sub_block = 0;
    Pipe pipe = Pipe::kV;
    uint8_t operand_count = 0;
    Rounding rounding = Rounding::kNone;
    HalfBlock half_block = HalfBlock::kDense;
    uint32_t repeat = 1;
    bool packed = false;             // isa::IsPacked, of an elementwise record that was issued
    uint64_t index = 0;              // position in the core's program order
    std::array<Operand, 5> operand;  // [0] = dst, then sources
    Mask mask;
    uint64_t immediate = 0;  // scalar operand: bit pattern of one element of the src type (no src: of the dst type)
    Control control;
    LastBits last_bits;
    Where where;
    const char* call = nullptr;  // as the user wrote it, where the table's name is not the only one

    const Operand& dst() const { return operand[0]; }
    const Operand& src0() const { return operand[1]; }
    const Operand& src1() const { return operand[2]; }

    // Makes it a record of this instruction, with the parameters of its form as their struct sets them: the opcode and
    // the parameters always belong together.
    void Become(Opcode opcode);
    Form form() const { return FormOf(parameters_); }
    const Parameters& parameters() const { return parameters_; }
    // The parameters, which must be of this form, or of one that has P as a base.
    template <class P>
    const P& As() const {
        const P* p = If<P>();
        return p ? *p : throw WrongForm();
    }
    template <class P>
    P& As() {
        return const_cast<P&>(std::as_const(*this).As<P>());
    }
    // nullptr when they are of another form.
    template <class P>
    const P* If() const {
        return ParametersAs<P>(parameters_);
    }
    template <class P>
    P* If() {
        return const_cast<P*>(std::as_const(*this).If<P>());
    }
    // Sets them; of the record's form.
    template <class P>
    requires(!std::is_same_v<P, Parameters>) void Set(const P& parameters) {
        if (!std::holds_alternative<P>(parameters_)) throw WrongForm();
        *std::get_if<P>(&parameters_) = parameters;
    }
    void Set(const Parameters& parameters) {
        if (parameters.index() != parameters_.index()) throw WrongForm();
        parameters_ = parameters;
    }

private:
    std::logic_error WrongForm() const;

    Parameters parameters_;
};
static_assert(std::is_trivially_copyable_v<Record>);

// One readable line: index, pipe, call, operands with memory+offset:type[strides], mask, repeat, immediates, source
// line.
std::string Print(const Record& record);

// visit(parameters of the record).
template <class Visit>
inline decltype(auto) VisitForm(const Record& record, const Visit& visit) {
    return VisitForm(record.parameters(), visit);
}

inline const Makes& MakesOf(const Record& r) { return Info(r.op).makes; }

// The call as reports name it.
inline const char* CallName(const Record& r) {
    return r.call ? r.call : r.api == Api::kTik ? Info(r.op).tik : Info(r.op).ascendc;
}

// What the pipes execute themselves: flags and barriers.
inline bool IsControl(const Record& r) {
    constexpr uint64_t kControls = FormsMadeOf(MadeOf::kNothing);
    return (kControls >> static_cast<int>(r.form()) & 1) != 0;
}

// visit(parameters of what the pipes execute themselves). Overloads that miss such a form do not compile.
template <class Visit>
inline void VisitControl(const Record& record, const Visit& visit) {
    VisitForm(record, [&]<class P>(const P& parameters) {
        if constexpr (kMadeOf<P> == MadeOf::kNothing) visit(parameters);
    });
}

// The flag between two pipes that it sets or waits for; nullptr: none.
inline const Flag* FlagOf(const Record& r) { return r.If<Flag>(); }

inline bool TouchesGm(const Record& r) {
    for (int i = 0; i < r.operand_count; ++i) {
        if (r.operand[static_cast<size_t>(i)].memory == Memory::kGm) return true;
    }
    return false;
}
// Whether it concerns nothing but its core: most records do.
inline bool StaysInside(const Record& r) { return !IsControl(r) && !TouchesGm(r); }

// True when the record writes this operand. Reductions of whole tensors write their work tensor, the third one, too.
inline bool IsWritten(const Record& r, int operand) {
    return operand == 0 || (operand == 2 && r.form() == Form::kReduceTensor);
}

// Whether a table of its instruction has its conversions, and not that of Cast. vec_conv of TIK takes the scales that
// CastDeq has in Ascend C.
inline bool HasOwnConversions(const Record& r) {
    return !Has(r.op, r.api == Api::kTik ? kCasts | kCastsInTik : uint32_t{kCasts});
}

// True when the record is a store to GM under an atomic mode.
inline bool IsAtomic(const Record& r) {
    return r.control.atomic != Atomic::kNone && r.dst().memory == Memory::kGm && r.op != Opcode::scalar_store;
}

// True when it reads what dst holds, all of it or where it keeps it: bits of lanes that are not active, in a register.
inline bool ReadsDst(const Record& r) {
    const auto* matmul = r.If<Matmul>();
    return Has(r.op, kReadsDst) || IsAtomic(r) || (matmul && matmul->initial == Matmul::Initial::kAccumulate) ||
           (Info(r.form()).made_of == MadeOf::kLaneBit && r.dst().memory == Memory::kRegister);
}

// Whether some of what it writes is made of nothing, as it says itself: of vector functions.
inline bool LeavesUndefined(const Record& r) {
    const auto* function = r.If<VectorFunction>();
    return function && function->undefined.count != 0;
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
