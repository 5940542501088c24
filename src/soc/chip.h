// SPDX-License-Identifier: Apache-2.0
// A chip family as data, read from chips/*.toml, and the product names that map to it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "isa/record.h"

namespace sfumato::soc {

// How a conversion takes its scale.
enum class DeqKind : uint8_t {
    kNone,       // takes none
    kHalfScale,  // int32 to half: a half scale is required
    kWord        // int16 to int8/uint8: a 64-bit word or 16 of them
};

// One row of conversion_support.csv.
struct ConversionRow {
    isa::Api api;
    DataType src, dst;
    uint16_t modes = 0;  // bit i: Rounding i is legal; on a chip with directed_cast_round CAST_ROUND sets kAway too
    std::vector<std::string> mode_names;  // as the page spells them, in its order ("round", "ceiling", "", "CAST_RINT")
    DeqKind deq = DeqKind::kNone;
    bool half_block = false;  // True/False of ldst_high_half is selectable
};

// Element types Mmad takes: A x B into C.
struct MatmulRow {
    isa::Api api;
    DataType a, b, c;
    std::string tag, source;
};

// A conversion on the way out of L0C. modes: bit i is isa::Quant i (fixpipe) or isa::MatrixMove::Deq i (CO1 to CO2).
struct QuantRow {
    DataType src, dst;
    uint16_t modes = 0;
};

// Where a list of types comes from: its tag and the page.
struct Claim {
    std::string tag, source;
};

struct Product {
    std::string name;     // "Ascend910B1"
    uint32_t cube_cores;  // AIC, or coupled AI Cores
    uint32_t vector_cores;
    Claim claim;  // of both
};

// What is sold with a product, for people: nothing computes with it.
struct Board {
    std::string name;              // "Atlas 200I DK A2"
    std::string product;           // "Ascend310B4"; empty where nothing names it
    std::string product_tag;       // how sure that is
    std::vector<std::string> has;  // "4 CPU cores"
    Claim claim;                   // of `has`
};

// What no page lists for the chip in Ascend C, and published operators do there: of instructions types and paths, which
// the tables of the chip have too, and other calls by name (compat.md, Limits by chip).
struct Unlisted {
    bool any = false;
    std::array<uint16_t, isa::kOpcodeCount> types{};
    std::array<std::array<uint16_t, isa::kMemoryCount>, isa::kOpcodeCount> paths{};
    std::vector<std::string> calls;
    std::vector<std::string> words;  // all of it, as the chip's file has it
};

// High-level calls of Ascend C: those that pages list for the chip, none: all are as good; and the instructions with
// their types that these are made of, and that no page of Ascend C lists for it (adv.md 15).
struct HighLevel {
    std::set<std::string, std::less<>> calls;
    std::array<uint16_t, isa::kOpcodeCount> types{};
    std::vector<std::string> words;  // of `types`, as the chip's file has them
    bool Lists(std::string_view call) const { return calls.empty() || calls.contains(call); }
};

// The kinds of the facts of facts.inc.
namespace fact {
using Flag = bool;
using Number = uint32_t;
using Text = std::string;
using Policy = Overflow;
using Types = uint16_t;  // bit i: DataType i
using Orders = uint8_t;  // bit i: isa::ReduceOrder i
}  // namespace fact

// Of reductions: the rows of facts.inc for them.
struct ReduceTraits {
#define SFUMATO_FACT(kind, name, who, otherwise, words, source)
#define SFUMATO_REDUCE_FACT(kind, name, who, otherwise, words, source) fact::kind name = otherwise;
#include "soc/facts.inc"
#undef SFUMATO_FACT
#undef SFUMATO_REDUCE_FACT
};

struct Timing;  // soc/timing.h

struct Chip {
    std::string name;             // family: "Ascend910B"
    std::string product;          // the product's name as asked for, or the family's default product
    std::string title;            // "Atlas A2 training / 800I A2 inference, A3"
    std::string arch;             // "dav-2201"
    std::string note;             // a trap about the name, for `sfumato chips`; usually empty
    std::string default_product;  // what the family's own name stands for
    bool ascendc = false, tik = false;
#define SFUMATO_FACT(kind, name, who, otherwise, words, source) fact::kind name = otherwise;
#define SFUMATO_REDUCE_FACT(kind, name, who, otherwise, words, source)
#include "soc/facts.inc"
#undef SFUMATO_FACT
#undef SFUMATO_REDUCE_FACT
    ReduceTraits reduce;
    uint32_t cube_cores = 0, vector_cores = 0;               // of `product`
    std::array<uint64_t, isa::kMemoryCount> memory_bytes{};  // 0 = not on this chip; GM is the host's
    std::array<isa::Memory, 16> position{};                  // TPosition number -> memory; kNone = does not exist here
    // Legal element types of the same-type vector instructions and moves, bit i = DataType i, by api and opcode.
    std::array<std::array<uint16_t, isa::kOpcodeCount>, 2> types{};
    std::array<std::array<uint16_t, isa::kOpcodeCount>, 2> equal_only{};  // of `types`: compared with EQ alone
    std::array<std::array<Claim, isa::kOpcodeCount>, 2> claims{};         // where each entry of `types` comes from
    // Whether an instruction also takes half sources for a float destination, by api and opcode.
    std::array<std::array<bool, isa::kOpcodeCount>, 2> widens{};
    std::vector<ConversionRow> conversions;  // Cast and vec_conv, in the page's order
    // Of the other instructions that convert, by api and opcode.
    std::array<std::array<std::vector<ConversionRow>, isa::kOpcodeCount>, 2> own_conversions;
    // Memories an instruction moves between, by api and opcode: bit d of [s] is "from memory s to memory d". For Mmad s
    // is where A lies; for Fill s is kNone.
    std::array<std::array<std::array<uint16_t, isa::kMemoryCount>, isa::kOpcodeCount>, 2> paths{};
    Unlisted unlisted;
    HighLevel high_level;
    std::vector<MatmulRow> mmad;
    std::vector<QuantRow> fixpipe;     // L0C to GM or L1
    std::vector<QuantRow> tensor_mov;  // L0C to UB
    std::vector<Product> products;
    std::vector<Board> boards;
    std::shared_ptr<const Timing> timing;  // nullptr: no published figures

    const std::vector<ConversionRow>& Own(isa::Api api, isa::Opcode op) const {
        return own_conversions[static_cast<size_t>(api)][static_cast<size_t>(op)];
    }
    // The row of (src, dst) among an instruction's own conversions, or nullptr.
    const ConversionRow* OwnConversion(isa::Api api, isa::Opcode op, DataType src, DataType dst) const {
        for (const ConversionRow& row : Own(api, op)) {
            if (row.src == src && row.dst == dst) return &row;
        }
        return nullptr;
    }
    // The row for (api, src, dst), or nullptr. O(1).
    const ConversionRow* Conversion(isa::Api api, DataType src, DataType dst) const {
        const int i = conversion_index_[static_cast<int>(api)][static_cast<int>(src)][static_cast<int>(dst)];
        return i < 0 ? nullptr : &conversions[static_cast<size_t>(i)];
    }
    // The row of a converting record: of its instruction's own table, or of Cast's. nullptr where there is none.
    const ConversionRow* ConversionOf(const isa::Record& r) const {
        const DataType src = r.src0().type, dst = r.dst().type;
        return isa::HasOwnConversions(r) ? OwnConversion(r.api, r.op, src, dst) : Conversion(r.api, src, dst);
    }
    bool HasPath(isa::Api api, isa::Opcode op, isa::Memory src, isa::Memory dst) const {
        const auto& from = paths[static_cast<size_t>(api)][static_cast<size_t>(op)][static_cast<size_t>(src)];
        return (from >> static_cast<int>(dst)) & 1;
    }
    const MatmulRow* Mmad(isa::Api api, DataType a, DataType b, DataType c) const {
        for (const MatmulRow& row : mmad) {
            if (row.api == api && row.a == a && row.b == b && row.c == c) return &row;
        }
        return nullptr;
    }
    bool EqualOnly(isa::Api api, isa::Opcode op, DataType t) const {
        return (equal_only[static_cast<size_t>(api)][static_cast<size_t>(op)] >> static_cast<int>(t)) & 1;
    }
    uint64_t Bytes(isa::Memory m) const { return memory_bytes[static_cast<int>(m)]; }
    // Of what the program may place tensors in without a TPipe.
    uint64_t TensorBytes(isa::Memory m) const {
        const bool less = (m == isa::Memory::kUb || m == isa::Memory::kL1) && Bytes(m) != 0;
        return Bytes(m) - (less ? this->unlisted_bytes : 0);
    }
    bool Has(isa::Api api, isa::Opcode op, DataType t) const {
        return (types[static_cast<int>(api)][static_cast<int>(op)] >> static_cast<int>(t)) & 1;
    }
    // Of any type.
    bool Has(isa::Api api, isa::Opcode op) const { return types[static_cast<int>(api)][static_cast<int>(op)] != 0; }
    // To global memory: DataCopyPad.
    bool StoresAnyLength() const { return Has(isa::Api::kAscendC, isa::Opcode::data_move_pad); }

    std::array<std::array<std::array<int8_t, kDataTypeCount>, kDataTypeCount>, 2>
        conversion_index_{};  // filled by the reader
};

// All families, in the order of the files' `order` key. Parsed once, from the data compiled into the library.
const std::vector<Chip>& Families();

// A family or product name ("Ascend910B1", "Ascend310P3", "Ascend910A", "Ascend910_9392", "Ascend910B", any case) to
// its chip, with `product` and the core counts set; it stays. Throws sfumato::UnsupportedError that lists the legal
// names.
const Chip& FindChip(std::string_view name);
// Of programs that nothing says one of.
inline constexpr const char* kDefaultChip = "Ascend910B1";
// The policy that a word means on the chip, never kBoard. Throws sfumato::UnsupportedError where the chip has no such.
Overflow PolicyOf(const Chip& chip, Overflow asked);
// The same where nobody has to ask; `otherwise`: the default of the route.
Overflow PolicyOf(const Chip& chip, std::optional<Overflow> asked, Overflow otherwise);
// Products whose families have a table [timing], and that it names.
std::vector<std::string> ChipsWithTiming();

// The families that fit, "Ascend310P, Ascend910B", for reports.
template <class Fits>
std::string FamilyList(const Fits& fits) {
    std::string names;
    for (const Chip& chip : Families()) {
        if (fits(chip)) names += (names.empty() ? "" : ", ") + chip.name;
    }
    return names;
}

// The name of a TPosition, by its number.
std::string_view PositionName(size_t number);

// "half, bfloat16_t, float": the types of a bit set, Ascend C or NumPy spelling by api; "none" for none.
std::string TypeList(uint16_t types, isa::Api api);

// The legal destinations and modes of a source on a chip as one sentence fragment, for reports:
// "int32_t (CAST_RINT, CAST_FLOOR), float (CAST_NONE)"; empty when it has none.
std::string ConversionList(const Chip& chip, isa::Api api, DataType src);

// Mode names of a row, joined by ", "; the empty mode prints as ''.
std::string ModeList(const ConversionRow& row);

}  // namespace sfumato::soc
