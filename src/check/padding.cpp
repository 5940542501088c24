// SPDX-License-Identifier: Apache-2.0
// VectorPadding (vector_instructions.md 4.4).
#include "check/parameters.h"

namespace sfumato::check {
namespace {

using isa::MaskMode;
using isa::Operand;
using isa::Record;

constexpr Parameter<isa::Padding> kPadding[] = {{"padMode", nullptr, SFUMATO_VALUE(Padding, mode), 0, 2}};

// dst on src, block for block, and no repeat on another.
bool PadsInPlace(const Record& r, const isa::Lanes& lanes) {
    const Operand &dst = r.dst(), &src = r.src0();
    const bool apart = lanes.repeats <= 1 || dst.repeat_stride >= dst.block_stride * isa::kBlocksPerRepeat;
    return dst.offset == src.offset && dst.block_stride == src.block_stride && dst.repeat_stride == src.repeat_stride &&
           apart && dst.block_stride != 0;
}

}  // namespace

bool Check(const Record& r, const isa::Padding& shape, const Context& c) {
    bool nothing = false;
    const uint32_t shift = isa::LanesShift(r);
    if (!CheckTypes(r, c) || !CheckParameters(r, c, shape, kPadding) || !CheckMask(r, c, 2, shift, &nothing) ||
        nothing || !CheckUbOperand(r, c, 0) || !CheckUbOperand(r, c, 1)) {
        return false;
    }
    for (int i = 0; i < 2; ++i) {
        const bool inside =
            r.mask.mode == MaskMode::kCount ? CheckLaneRange(r, c, i) : CheckRange(r, c, i, isa::SpanOf(r, i));
        if (!inside) return false;
    }
    return PadsInPlace(r, isa::LanesOf(r, shift)) || CheckApart(r, c, 1, 0);
}

}  // namespace sfumato::check
