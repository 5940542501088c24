// SPDX-License-Identifier: Apache-2.0
// The high-precision forms (TIK pages vec_rec_high_preci, vec_rsqrt_high_preci, vec_ln_high_preci,
// vec_expm1_high_preci). Their results are correctly rounded, those of vrec and vrsqrt against the plain instructions,
// which are estimates; the work tensor is checked and left alone.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "frontends/tik/calls.h"
#include "isa/geometry.h"
#include "sfumato/round_up.h"

namespace sfumato::tik {
namespace {

using isa::Opcode;
using isa::Record;

// How large the work tensor is, in units of the source's extent.
struct Precise {
    Opcode op;
    DataType work;
    uint32_t half_units, float_units;  // 0: no such source
};
constexpr Precise kPrecise[] = {{Opcode::vrec, DataType::kFloat, 4, 2},
                                {Opcode::vrsqrt, DataType::kFloat, 5, 3},
                                {Opcode::vln, DataType::kHalf, 10, 0},
                                {Opcode::vexpm1, DataType::kHalf, 11, 0}};

uint64_t LastLane(const Record& r) {
    if (r.mask.mode != isa::MaskMode::kBits) return r.mask.count;
    const auto width = [](uint64_t bits) { return static_cast<uint64_t>(std::bit_width(bits)); };
    return r.mask.bits[1] ? 64 + width(r.mask.bits[1]) : width(r.mask.bits[0]);
}

// Elements of the source from its first to its last lane, in whole blocks.
uint64_t Extent(const Record& r) {
    const uint64_t block = isa::kBlockBytes * 8 / BitsOf(r.src0().type);
    uint64_t stride = r.src0().repeat_stride, lanes = LastLane(r);
    if (r.op == Opcode::vexpm1) {  // takes the mask as full and small strides as whole repeats
        lanes = LanesPerRepeat(r);
        if (stride > 0) stride = std::max<uint64_t>(stride, isa::kBlocksPerRepeat);
    }
    const uint64_t elements = (r.repeat - 1) * stride * block + lanes;
    return RoundUpTo(elements, block);
}

}  // namespace

void BuildPrecise(const CallValues& v, Record* r) {
    BuildVector(v, r);
    const isa::Operand work = r->operand[2];
    r->operand[2] = {};
    r->operand_count = 2;
    r->last_bits.base = isa::LastBits::Base::kExact;
    const Precise& rule =
        *std::find_if(std::begin(kPrecise), std::end(kPrecise), [&](const Precise& p) { return p.op == r->op; });
    const DataType type = r->src0().type;
    const bool half = type == DataType::kHalf;
    if (!half && rule.float_units == 0) {
        Refuse({Rule::kTypeUnsupported, "src", "the element type is not supported", NumpyName(type), "float16",
                "convert it with vec_conv"});
    }
    if (work.memory != isa::Memory::kUb || work.type != rule.work) {
        Refuse({Rule::kTypeMismatch, "work_tensor", "the work tensor has another type or lies in another memory",
                fmt::format("{} in {}", NumpyName(work.type), isa::Name(work.memory)),
                fmt::format("{} in UB", NumpyName(rule.work)), ""});
    }
    if (r->repeat == 0) return;
    uint64_t units = half ? rule.half_units : rule.float_units;
    if (r->op == Opcode::vrsqrt && v.chip().precise_rsqrt_larger) ++units;
    const uint64_t needed = units * Extent(*r), bytes = BytesOf(work.type, needed);
    const uint64_t room = work.limit - std::min(work.limit, work.offset);
    if (room < bytes) {
        Refuse({Rule::kWorkSize, "work_tensor", "the work tensor is too small",
                fmt::format("{} elements of {}", room * 8 / BitsOf(work.type), NumpyName(work.type)),
                fmt::format("{} elements: {} times the extent of src", needed, units), "make it larger"});
    }
    const isa::Span scratch{work.offset, work.offset + bytes};
    for (int i = 0; i < 2; ++i) {
        if (r->operand[static_cast<size_t>(i)].memory != isa::Memory::kUb || !SpanOf(*r, i).Overlaps(scratch)) continue;
        Refuse({Rule::kOperandsShare, "work_tensor", "the work tensor overlaps another operand",
                fmt::format("bytes {}..{} of UB, with {}", scratch.begin, scratch.end, isa::OperandName(*r, i)),
                "memory of its own", "use a Tensor of its own"});
    }
}

}  // namespace sfumato::tik
