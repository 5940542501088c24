// SPDX-License-Identifier: Apache-2.0
// Picks the run of a conversion by its destination family.
#include "exec/convert/convert.h"

#include <stdexcept>
#include <string>

#include "exec/runs.h"
#include "exec/targets.h"
#include "numeric/convert.h"

namespace sfumato::exec {

namespace {

// Called under PerTarget's lock, so one table serves every target in turn.
const void* BuildFinders() {
    static ConvertFinders finders;
    finders = {ConvertToIntFinder(), ConvertToHalfFinder(), ConvertToFloatFinder(), ConvertDeqFinder()};
    return &finders;
}

PerTarget<ConvertFinders> finders_in_force(BuildFinders);

}  // namespace

const ConvertFinders& FindersInForce() { return finders_in_force.Get(); }

RunFn ConvertRun(const Conversion& conversion) {
    Conversion c = conversion;
    if (c.rounding == Rounding::kNone) c.rounding = Rounding::kRint;  // where nothing is lost the two are one
    if (c.src == DataType::kInt4 || c.dst == DataType::kInt4) return FindConvertInt4(c);
    const ConvertFinders& finders = FindersInForce();
    if (c.deq != isa::DeqScale::kNone) return finders.deq(c);
    if (c.dst == DataType::kFloat) return finders.to_float(c);
    if (IsFloating(c.dst)) return finders.to_half(c);
    if (const RunFn run = finders.to_int(c)) return run;
    return numeric::IsConvertible(c.src, c.dst) ? FindConvertingRun(isa::Opcode::vcbd, c.dst, c.src) : nullptr;
}

bool Convert(const Conversion& c, const void* src, void* dst, size_t n) {
    const RunFn run = ConvertRun(c);
    if (run == nullptr) {
        const bool has_scale = c.deq != isa::DeqScale::kNone;
        throw std::invalid_argument(std::string("sfumato::exec::Convert: there is no conversion from ") + CName(c.src) +
                                    " to " + CName(c.dst) + (has_scale ? " with" : " without") +
                                    " a dequantisation scale; conversions.md lists the pairs that exist.");
    }
    RunArgs args;
    args.dst = dst;
    args.src0 = src;
    args.n = n;
    args.overflow = c.overflow;
    args.deq_word = c.deq_word;
    args.deq_words = c.deq == isa::DeqScale::kVector ? c.deq_words : nullptr;
    args.lane0 = c.lane0;
    return run(args);
}

}  // namespace sfumato::exec
