// SPDX-License-Identifier: Apache-2.0
// A chip family as data, read from chips/*.toml, and the product names that map to it.
#pragma once

#include <array>
#include <cstdint>
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

// Where a list of types comes from: a tag (documented, decided, assumed) and the page.
struct Claim {
    std::string tag, source;
};

struct Product {
    std::string name;     // "Ascend910B1"
    uint32_t cube_cores;  // AIC, or coupled AI Cores
    uint32_t vector_cores;
};

// Reductions (vector_instructions.md 7).
struct ReduceTraits {
    uint8_t orders = 0;             // of Ascend C; bit i: isa::ReduceOrder i
    bool dst_stride_zero = true;    // Ascend C takes a repeat stride of 0 of the destination
    bool fill_masked = false;       // a block or pair without active lanes stores the identity; else it is kept
    bool sequential = false;        // sums of repeats are added one after another, where the page says so
    bool sum_register = false;      // GetReduceRepeatSumSpr
    bool extreme_register = false;  // GetReduceRepeatMaxMinSpr(value)
    bool index_register = false;    // GetReduceRepeatMaxMinSpr(value, index)
    bool channels_work = false;     // Transpose of images needs its temporary tensor
};

struct Chip {
    std::string name;             // family: "Ascend910B"
    std::string product;          // the product's name as asked for, or the family's default product
    std::string title;            // "Atlas A2 training / 800I A2 inference, A3"
    std::string arch;             // "dav-2201"
    std::string note;             // a trap about the name, for `sfumato chips`; usually empty
    std::string default_product;  // what the family's own name stands for
    uint32_t npu_arch = 0;        // __NPU_ARCH__; 0 = no Ascend C
    uint32_t cce_aicore = 0;      // __CCE_AICORE__
    std::string dav_macro;        // "__DAV_C220__"
    bool ascendc = false, tik = false;
    bool split_cores = false;                                 // cube and vector cores are separate
    bool vector_only = false;                                 // Ascend310P-Vector
    uint32_t cube_cores = 0, vector_cores = 0;                // of `product`
    uint32_t max_blocks_aic = 65535, max_blocks_aiv = 65535;  // ICPU_RUN_KF limits (compat.md)
    std::array<uint64_t, isa::kMemoryCount> memory_bytes{};   // 0 = not on this chip; GM is the host's
    std::array<isa::Memory, 16> position{};                   // TPosition number -> memory; kNone = does not exist here
    uint32_t event_ids = 8;
    uint32_t buffers_per_position = 8;
    Overflow board_overflow = Overflow::kSaturate;
    bool supports_infnan = false;
    bool directed_cast_round = false;  // Ascend910: Cast's CAST_ROUND is directed (conversions.md)
    bool counter_mode = true;          // TIK counter mode exists
    bool scalar_float_compare = true;  // TIK Scalars and Exprs of float32 compare
    bool scalar_conv = true;           // TIK scalar_conv exists
    bool scalar_gm_load = true;        // TIK Scalar.set_as takes an element of GM
    bool scalar_gm_store = false;      // TIK Tensor.set_as writes GM
    bool precise_rsqrt_larger = false;  // vec_rsqrt_high_preci needs one more unit of work tensor
    bool compare_mask = false;         // Compare to memory heeds the mask
    bool select_by_tensor = true;      // Select's modes 1 and 2 exist
    bool narrow_gather_offsets = false;  // 16 bits of offset for elements of 8 bits, 17 for those of 16
    bool merge_counts = false;         // GetMrgSortResult exists
    bool gather_mask_total = false;    // GatherMask's counter mode counts the whole call, not each repeat
    bool arith_progression = false;    // ArithProgression of Ascend C exists
    uint32_t gather_patterns = 7;      // fixed patterns of GatherMask, 1 to this
    bool ctrl_spr = false;             // SetCtrlSpr / SetSaturationFlag exist
    // Legal element types of the same-type vector instructions and moves, bit i = DataType i, by api and opcode.
    std::array<std::array<uint16_t, isa::kOpcodeCount>, 2> types{};
    std::array<std::array<uint16_t, isa::kOpcodeCount>, 2> equal_only{};  // of `types`: compared with EQ alone
    std::array<std::array<Claim, isa::kOpcodeCount>, 2> claims{};  // where each entry of `types` comes from
    // Whether an instruction also takes half sources for a float destination, by api and opcode.
    std::array<std::array<bool, isa::kOpcodeCount>, 2> widens{};
    bool shift_round = true;  // ShiftRight can round (roundEn)
    std::vector<ConversionRow> conversions;  // Cast and vec_conv, in the page's order
    // Of the instructions that convert and are neither: CastDeq of Ascend C, and vcbd, vmulconv, vadddeqrelu of TIK.
    std::array<std::vector<ConversionRow>, isa::kOpcodeCount> own_conversions;
    // Memories an instruction moves between, by api and opcode: bit d of [s] is "from memory s to memory d". For Mmad s
    // is where A lies; for Fill s is kNone.
    std::array<std::array<std::array<uint16_t, isa::kMemoryCount>, isa::kOpcodeCount>, 2> paths{};
    std::vector<MatmulRow> mmad;
    std::vector<QuantRow> fixpipe;     // L0C to GM or L1
    std::vector<QuantRow> tensor_mov;  // L0C to UB
    bool gemv = false;                 // Mmad with m = 1 reads A as a plain vector
    bool load2d_dst_gap = true;        // Load2D has a gap between destination fractals
    bool load3dv2_extended = false;    // Load3Dv2 has filterSizeW/H, and the repeat register
    bool load_boundary = false;        // SetLoadDataBoundary exists
    bool fill_blocks = true;           // Fill has blocks and gaps; else only repeats of 512 bytes
    uint16_t atomic_add = 0;           // element types a store to GM adds; bit i = DataType i
    uint16_t atomic_compare = 0;       // of SetAtomicMax and SetAtomicMin
    ReduceTraits reduce;
    std::vector<Product> products;

    const std::vector<ConversionRow>& Own(isa::Opcode op) const { return own_conversions[static_cast<size_t>(op)]; }
    // The row of (src, dst) among an instruction's own conversions, or nullptr.
    const ConversionRow* OwnConversion(isa::Opcode op, DataType src, DataType dst) const {
        for (const ConversionRow& row : Own(op)) {
            if (row.src == src && row.dst == dst) return &row;
        }
        return nullptr;
    }
    // The row for (api, src, dst), or nullptr. O(1).
    const ConversionRow* Conversion(isa::Api api, DataType src, DataType dst) const {
        const int i = conversion_index_[static_cast<int>(api)][static_cast<int>(src)][static_cast<int>(dst)];
        return i < 0 ? nullptr : &conversions[static_cast<size_t>(i)];
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
    bool Has(isa::Api api, isa::Opcode op, DataType t) const {
        return (types[static_cast<int>(api)][static_cast<int>(op)] >> static_cast<int>(t)) & 1;
    }

    std::array<std::array<std::array<int8_t, kDataTypeCount>, kDataTypeCount>, 2>
        conversion_index_{};  // filled by the reader
};

// All families, in the order of the files' `order` key. Parsed once, from the data compiled into the library.
const std::vector<Chip>& Families();

// A family or product name ("Ascend910B1", "Ascend310P3", "Ascend910A", "Ascend910_9392", "Ascend910B", any case) to
// its chip, with `product` and the core counts set. Throws sfumato::UnsupportedError that lists the legal names.
Chip FindChip(std::string_view name);

// "half, bfloat16_t, float": the types of a bit set, Ascend C or NumPy spelling by api; "none" for none.
std::string TypeList(uint16_t types, isa::Api api);

// The legal destinations and modes of a source on a chip as one sentence fragment, for reports:
// "int32_t (CAST_RINT, CAST_FLOOR), float (CAST_NONE)"; empty when it has none.
std::string ConversionList(const Chip& chip, isa::Api api, DataType src);

// Mode names of a row, joined by ", "; the empty mode prints as ''.
std::string ModeList(const ConversionRow& row);

}  // namespace sfumato::soc
