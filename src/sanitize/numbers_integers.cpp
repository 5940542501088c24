// SPDX-License-Identifier: Apache-2.0
// Exact results in a wider type, where a scan says that one does not fit.
#include "sanitize/numbers_integers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "exec/scan.h"
#include "sanitize/numbers_lanes.h"
#include "sanitize/numbers_products.h"
#include "sanitize/numbers_values.h"

namespace sfumato::sanitize {
namespace {

using isa::Form;
using isa::Opcode;
using isa::Record;

exec::Arithmetic ArithmeticOf(Opcode op) {
    switch (op) {
        case Opcode::vadd:
        case Opcode::vadds: return exec::Arithmetic::kSum;
        case Opcode::vsub: return exec::Arithmetic::kDifference;
        default: return exec::Arithmetic::kProduct;
    }
}

template <class T>
void VisitArithmetic(const Record& r, const isa::MemoryMap& map, const VisitOverflow& visit) {
    const bool scalar = r.form() == Form::kScalar;
    const auto immediate = static_cast<T>(r.immediate);
    const DataType type = r.dst().type;
    const exec::Arithmetic of = ArithmeticOf(r.op);
    const auto exact_of = [of](int64_t a, int64_t b) {
        return of == exec::Arithmetic::kSum ? a + b : of == exec::Arithmetic::kDifference ? a - b : a * b;
    };
    ForEachStretch(r, [&](const Stretch& s) {
        const auto* a = reinterpret_cast<const T*>(MemoryOf(r.src0(), map).At(s.at[1]));
        const auto* b = scalar ? nullptr : reinterpret_cast<const T*>(MemoryOf(r.src1(), map).At(s.at[2]));
        if (!exec::AnyMisfit(of, type, a, b, immediate, s.lanes)) return;
        for (uint64_t i = 0; i < s.lanes; ++i) {
            const T second = scalar ? immediate : b[i];
            const int64_t exact = exact_of(a[i], second);
            if (exact == static_cast<T>(exact)) continue;
            Sources sources;
            sources.Add(1, type, static_cast<uint64_t>(a[i]));
            sources.Add(scalar ? -1 : 2, type, static_cast<uint64_t>(second));
            visit(s.at[0] + i * sizeof(T), sources, fmt::format("{}", exact));
        }
    });
}

// What an opcode makes of integers.
enum class Makes : uint8_t {
    kNothing,      // no integers, or none that its operands do not have: moves, choices, bits, shifts
    kScanned,      // sums, differences and products, which a scan looks through
    kLanes,        // results that are computed again one by one
    kConversions,  // integers of other numbers
    kQuantises,    // the same, meant to limit
    kProducts,     // of matrices
    kStores        // sums, where they are atomic
};
// Every opcode stands here: the compiler asks for a new one.
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch"
constexpr Makes MakesOf(Opcode op) {
    switch (op) {
        case Opcode::vadd:
        case Opcode::vsub:
        case Opcode::vmul:
        case Opcode::vadds:
        case Opcode::vmuls: return Makes::kScanned;
        case Opcode::vaddrelu:
        case Opcode::vsubrelu:
        case Opcode::vabs:
        case Opcode::vpower:
        case Opcode::vpowers:
        case Opcode::vspower:
        case Opcode::vmla:
        case Opcode::vmadd:
        case Opcode::vmaddrelu:
        case Opcode::vci: return Makes::kLanes;
        case Opcode::vconv: return Makes::kConversions;
        case Opcode::mmad: return Makes::kProducts;
        case Opcode::data_move:
        case Opcode::data_move_pad:
        case Opcode::nz2nd:
        case Opcode::tensor_mov:
        case Opcode::fixpipe: return Makes::kStores;
        case Opcode::vconv_deq:
        case Opcode::vcbd:
        case Opcode::vmulconv:
        case Opcode::vadddeqrelu:
        case Opcode::vaddreluconv:
        case Opcode::vsubreluconv: return Makes::kQuantises;
        case Opcode::vmax:
        case Opcode::vmin:
        case Opcode::vmaxs:
        case Opcode::vmins:
        case Opcode::vexp:
        case Opcode::vln:
        case Opcode::vrec:
        case Opcode::vsqrt:
        case Opcode::vrsqrt:
        case Opcode::vrelu:
        case Opcode::vlrelu:
        case Opcode::vnot:
        case Opcode::vand:
        case Opcode::vor:
        case Opcode::vshl:
        case Opcode::vshr:
        case Opcode::vdiv:
        case Opcode::vaxpy:
        case Opcode::vector_dup:
        case Opcode::vexpm1:
        case Opcode::vcopy:
        case Opcode::vcmpv:
        case Opcode::vcmpvs:
        case Opcode::vcmp:
        case Opcode::vsel:
        case Opcode::set_cmpmask:
        case Opcode::get_cmpmask:
        case Opcode::vbcb:
        case Opcode::vpadding:
        case Opcode::vgather:
        case Opcode::vgatherb:
        case Opcode::vscatter:
        case Opcode::vbi:
        case Opcode::vreduce:
        case Opcode::nd2nz:
        case Opcode::broadcast_ub_to_l0c:
        case Opcode::fill:
        case Opcode::load2d:
        case Opcode::load2d_transpose:
        case Opcode::load3dv1:
        case Opcode::load3dv2:
        case Opcode::vcadd:
        case Opcode::vcmax:
        case Opcode::vcmin:
        case Opcode::vcgadd:
        case Opcode::vcgmax:
        case Opcode::vcgmin:
        case Opcode::vcpadd:
        case Opcode::vec_reduce_add:
        case Opcode::vec_reduce_max:
        case Opcode::vec_reduce_min:
        case Opcode::vtranspose:
        case Opcode::vnchwconv:
        case Opcode::v4dtrans:
        case Opcode::vconcat:
        case Opcode::vextract:
        case Opcode::vrpsort16:
        case Opcode::vsort32:
        case Opcode::vmrgsort4:
        case Opcode::vmrgsort:
        case Opcode::vsin:
        case Opcode::vcos:
        case Opcode::vtan:
        case Opcode::vasin:
        case Opcode::vacos:
        case Opcode::vatan:
        case Opcode::vsinh:
        case Opcode::vcosh:
        case Opcode::vtanh:
        case Opcode::vasinh:
        case Opcode::vacosh:
        case Opcode::vatanh:
        case Opcode::verf:
        case Opcode::verfc:
        case Opcode::vlgamma:
        case Opcode::vdigamma:
        case Opcode::vlog2:
        case Opcode::vlog10:
        case Opcode::vfmod:
        case Opcode::vhypot:
        case Opcode::scalar_store:
        case Opcode::set_flag:
        case Opcode::wait_flag:
        case Opcode::pipe_barrier:
        case Opcode::ffts_cross_core_sync:
        case Opcode::wait_flag_dev:
        case Opcode::kCount: return Makes::kNothing;
    }
    return Makes::kNothing;
}
#pragma GCC diagnostic pop

// One lane of kLanes; `index`: of the element in dst.
double ExactOf(Opcode op, double a, double b, uint64_t index) {
    switch (op) {
        case Opcode::vaddrelu: return std::max(0.0, a + b);
        case Opcode::vsubrelu: return std::max(0.0, a - b);
        case Opcode::vabs: return std::abs(a);
        case Opcode::vci: return b + static_cast<double>(index);
        case Opcode::vpower:
        case Opcode::vpowers:
        case Opcode::vspower: return std::pow(a, b);
        default: throw std::logic_error("an opcode of Makes::kLanes has no exact result");
    }
}

// Products with a sum, onto or with what dst holds, which is read; none of the others.
std::optional<int64_t> FusedOf(Opcode op, int64_t a, int64_t b, int64_t dst) {
    switch (op) {
        case Opcode::vmla: return a * b + dst;
        case Opcode::vmadd: return a * dst + b;
        case Opcode::vmaddrelu: return std::max<int64_t>(0, a * dst + b);
        default: return std::nullopt;
    }
}

// Integers of 32 bits and their sums are exact in double, and so is whether a power fits.
template <class T>
void VisitLanes(const Record& r, const isa::MemoryMap& map, const VisitOverflow& visit) {
    const DataType type = r.dst().type;
    const auto immediate = static_cast<T>(r.immediate);
    const bool two = r.operand_count > 2, none = r.operand_count < 2, first = r.op == Opcode::vspower;
    ForEachStretch(r, [&](const Stretch& s) {
        const auto* a = none ? nullptr : reinterpret_cast<const T*>(MemoryOf(r.src0(), map).At(s.at[1]));
        const auto* b = two ? reinterpret_cast<const T*>(MemoryOf(r.src1(), map).At(s.at[2])) : nullptr;
        const uint8_t* before = MemoryOf(r.dst(), map).At(s.at[0]);
        const uint64_t begin = (s.at[0] - r.dst().offset) / sizeof(T);
        for (uint64_t i = 0; i < s.lanes; ++i) {
            const T source = a ? a[i] : T{0}, second = b ? b[i] : immediate;
            const auto x = static_cast<double>(source), y = static_cast<double>(second);
            const auto fused = FusedOf(r.op, source, second, *reinterpret_cast<const T*>(before + i * sizeof(T)));
            const double exact = fused   ? static_cast<double>(*fused)
                                 : first ? ExactOf(r.op, y, x, 0)
                                         : ExactOf(r.op, x, y, begin + i);
            if (!(std::abs(exact) > std::numeric_limits<T>::max()) || exact == std::numeric_limits<T>::min()) continue;
            Sources sources;
            if (a) sources.Add(1, type, static_cast<uint64_t>(source));
            if (r.op != Opcode::vabs) sources.Add(two ? 2 : -1, type, static_cast<uint64_t>(second));
            visit(s.at[0] + i * sizeof(T), sources, fused ? fmt::format("{}", *fused) : fmt::format("{:.0f}", exact));
        }
    });
}

double Rounded(double value, Rounding rounding) {
    switch (rounding) {
        case Rounding::kFloor: return std::floor(value);
        case Rounding::kCeil: return std::ceil(value);
        case Rounding::kRound: return std::round(value);
        case Rounding::kTrunc: return std::trunc(value);
        case Rounding::kAway: return value < 0 ? std::floor(value) : std::ceil(value);
        default: return std::nearbyint(value);
    }
}

// Whether one of n lanes may not fit a signed integer of `bits` bits: one of at least 2^(bits - 2), or any integer.
bool AnyLarge(DataType t, const uint8_t* from, uint64_t n, uint32_t bits) {
    if (!IsFloating(t)) return true;
    const uint64_t mantissa = t == DataType::kFloat ? 23 : t == DataType::kHalf ? 10 : 7;
    const uint64_t power = (t == DataType::kHalf ? 15 : 127) + bits - 2;
    return exec::AnyOutside({t, from, 0, std::min(power << mantissa, InfinityOf(t))}, n);
}

// Conversions to a signed integer of 16 to 64 bits, from a floating type or a wider integer.
void VisitConversions(const Record& r, const isa::MemoryMap& map, const VisitOverflow& visit) {
    const DataType from = r.src0().type, to = r.dst().type;
    const Bytes source = MemoryOf(r.src0(), map);
    const double past = std::ldexp(1.0, static_cast<int>(BitsOf(to)) - 1);
    ForEachStretch(r, [&](const Stretch& s) {
        if (!AnyLarge(from, source.At(s.at[1]), s.lanes, BitsOf(to))) return;
        for (uint64_t i = 0; i < s.lanes; ++i) {
            const uint64_t bits = BitsAt(from, source.At(s.at[1] + BytesOf(from, i)));
            const double value = Rounded(ValueOf(from, bits), r.rounding);
            if (value < past && value >= -past) continue;
            Sources sources;
            sources.Add(1, from, bits);
            visit(s.at[0] + BytesOf(to, i), sources, Show(from, bits));
        }
    });
}

}  // namespace

IntegerCheck IntegerCheckOf(const Record& r) {
    if (r.operand_count == 0) return IntegerCheck::kNone;
    const DataType t = r.dst().type;
    const bool words = t == DataType::kInt16 || t == DataType::kInt32;
    switch (MakesOf(r.op)) {
        case Makes::kNothing:
        case Makes::kQuantises: return IntegerCheck::kNone;
        case Makes::kProducts: return t == DataType::kInt32 ? IntegerCheck::kAfter : IntegerCheck::kNone;
        case Makes::kStores:
            return r.control.atomic == isa::Atomic::kAdd && isa::IsAtomic(r) && (words || t == DataType::kInt8)
                       ? IntegerCheck::kStored
                       : IntegerCheck::kNone;
        case Makes::kScanned:
        case Makes::kLanes: return words ? IntegerCheck::kBefore : IntegerCheck::kNone;
        case Makes::kConversions: break;
    }
    // To 8 bits and less conversions are meant to limit: that is what quantisation is.
    const bool to_integer = t == DataType::kInt16 || t == DataType::kInt32 || t == DataType::kInt64;
    const DataType from = r.src0().type;
    const bool narrows = IsFloating(from) || BitsOf(from) > BitsOf(t);
    return to_integer && narrows && r.control.deq == isa::DeqScale::kNone ? IntegerCheck::kBefore : IntegerCheck::kNone;
}

void ForEachOverflow(const Record& r, const isa::MemoryMap& map, const VisitOverflow& visit) {
    const bool narrow = r.dst().type == DataType::kInt16;
    switch (MakesOf(r.op)) {
        case Makes::kConversions: return VisitConversions(r, map, visit);
        case Makes::kLanes: return narrow ? VisitLanes<int16_t>(r, map, visit) : VisitLanes<int32_t>(r, map, visit);
        default: return narrow ? VisitArithmetic<int16_t>(r, map, visit) : VisitArithmetic<int32_t>(r, map, visit);
    }
}

void ForEachSumOverflow(const Record& r, const Bytes& before, const Bytes& stored, const VisitOverflow& visit) {
    const DataType type = r.dst().type;
    const int64_t past = int64_t{1} << (BitsOf(type) - 1);
    ForEachRun(r, 0, nullptr, [&](const isa::Span& run) {
        for (uint64_t at = run.begin; at < run.end; at += BytesOf(type, 1)) {
            const uint64_t old = BitsAt(type, before.At(at)), added = BitsAt(type, stored.At(at));
            const int64_t exact = IntegerOf(type, old) + IntegerOf(type, added);
            if (exact < past && exact >= -past) continue;
            Sources sources;
            sources.Add(0, type, old);
            sources.Add(1, type, added);
            visit(at, sources, fmt::format("{}", exact));
        }
    });
}

void ForEachProductOverflow(const Record& r, const Before& before, const isa::MemoryMap& map,
                            const VisitOverflow& visit) {
    constexpr int64_t kMost = std::numeric_limits<int32_t>::max(), kLeast = std::numeric_limits<int32_t>::min();
    const auto& s = r.As<isa::Matmul>();
    const auto factor = [&](int operand, uint64_t row, uint64_t k) {
        const isa::Operand& o = r.operand[static_cast<size_t>(operand)];
        uint64_t bits = before.Bits(r, operand, o.offset + FactorAt(r, s, operand, row, k));
        if (BitsOf(o.type) == 4) bits = bits >> (k % 2 * 4) & 15;
        return IntegerOf(o.type, bits);
    };
    ForEachProduct(r, [&](const Product& at) {
        const auto result = static_cast<int32_t>(BitsAt(DataType::kInt32, MemoryOf(r.dst(), map).At(at.offset)));
        if (result != kMost && result != kLeast) return;
        Sources sources;
        AddInitial(r, before, at, &sources);
        int64_t exact = sources.count ? IntegerOf(DataType::kInt32, sources.terms[0].bits) : 0;
        for (uint64_t k = 0; k < s.k; ++k) exact += factor(1, at.row, k) * factor(2, at.column, k);
        sources.count += 2 * s.k;
        if (exact > kMost || exact < kLeast) visit(at.offset, sources, fmt::format("{}", exact));
    });
}

}  // namespace sfumato::sanitize
