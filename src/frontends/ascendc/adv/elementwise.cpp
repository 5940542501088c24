// SPDX-License-Identifier: Apache-2.0
// Runs the steps of an elementwise call piece by piece: as many elements at a time as the temporaries have room for,
// which changes no bit of a result (adv.md 1.1).
#include "frontends/ascendc/adv/elementwise.h"

#include <algorithm>
#include <optional>

#include "sfumato/ascendc/adv/elementwise.h"
#include "sfumato/tiling/tmp_factor.h"

namespace sfumato::ascendc {
namespace {

using namespace adv;

enum class Policy : uint8_t { kInType, kInFloat, kOnce };
enum class Overlap : uint8_t { kNone, kSame };
struct Row {
    const char* name;
    void (*steps)(Piece&);
    uint8_t temporaries;
    tiling::TmpRow sizes;
    Policy policy;
    Overlap overlap;
};
constexpr Row kRows[] = {
#define SFUMATO_ADV(Name, form, temporaries, sizes, policy, overlap, types, source) \
    {#Name, steps::Name, temporaries, tiling::TmpRow::k##sizes, Policy::policy, Overlap::overlap},
#include "sfumato/ascendc/adv/elementwise.inc"
#undef SFUMATO_ADV
};

// Elements of a repeat, the least that a temporary buffer is made for; and of a block, the least there can be.
constexpr uint64_t kRepeatBytes = 256;

// The number of elements, or -1 when the call must not go on.
int64_t CheckOperands(const Caller& at, const Row& row, const AdvCall& call) {
    const bool two = call.src1.tensor != nullptr;
    const int64_t count = call.count == AdvCall::kWholeSource ? call.src0.tensor->size : call.count;
    const auto elements = static_cast<uint64_t>(count);
    const VectorOperand* may_be = row.overlap == Overlap::kSame ? &call.dst : nullptr;
    const bool fine = call.two_results ? at.CheckNeeds({{"dst0", &call.dst, elements},
                                                        {"dst1", &call.src1, elements, nullptr, true},
                                                        {"src", &call.src0, elements}})
                                       : at.CheckNeeds({{"dst", &call.dst, elements},
                                                        {two ? "src0" : "src", &call.src0, elements, may_be},
                                                        {"src1", &call.src1, elements, may_be}});
    return fine ? count : -1;
}

}  // namespace

void AdvElementwise(AdvFunction function, const AdvCall& call) {
    const Row& row = kRows[static_cast<size_t>(function)];
    const Caller at(row.name, call.tmp, call.where);
    if (function == AdvFunction::kExp &&
        !at.RequireFact(&soc::Chip::exp_series, "call Exp without taylorExpandLevel")) {
        return;
    }
    const int64_t count = CheckOperands(at, row, call);
    if (count <= 0) return;

    const bool widens = call.dst.type != DataType::kFloat && (row.policy == Policy::kInFloat || call.in_float);
    const DataType type = widens ? DataType::kFloat : call.dst.type;
    const uint32_t sources = call.src1.tensor ? 2 : 1;
    const uint32_t tensors = row.temporaries + (widens ? sources + 1 : 0);
    std::optional<Space> space;
    if (tensors != 0 || call.tmp.given) space.emplace(at);
    auto at_once = static_cast<uint64_t>(count);
    const uint64_t minimum = tiling::FactorOf(row.sizes, static_cast<uint32_t>(BytesOf(call.dst.type, 1))).Least();
    if (tensors != 0) {
        const uint64_t room = space->bytes() / tensors / BytesOf(type, 1);
        const uint64_t least = isa::kBlockBytes / BytesOf(call.dst.type, 1), whole = kRepeatBytes / BytesOf(type, 1);
        at_once = room >= whole ? room / whole * whole : room / least * least;
        if (!at.CheckSpace(space->bytes(), tensors * least * BytesOf(type, 1), minimum)) {
            return;
        }
    } else if (space && !at.CheckSpace(space->bytes(), 0, minimum)) {
        return;
    }
    Piece p(call.where);
    p.scalar = call.scalar;
    p.scalar_first = call.scalar_first;
    p.sources = sources;
    Vec widened[3], tmp[3];
    at_once = std::min(at_once, static_cast<uint64_t>(count));
    for (uint32_t i = 0; i < row.temporaries; ++i) tmp[i] = space->Take(type, at_once);
    for (uint32_t i = 0; widens && i <= sources; ++i) widened[i] = space->Take(type, at_once);
    const Vec dst{*call.dst.tensor, call.dst.type}, src0{*call.src0.tensor, call.src0.type};
    const Vec src1 = sources == 2 ? Vec{*call.src1.tensor, call.src1.type} : Vec{};
    for (uint64_t done = 0; done < static_cast<uint64_t>(count);) {
        const uint64_t n = std::min(at_once, static_cast<uint64_t>(count) - done);
        const auto in_type = [&](const Vec& source, const Vec& wide) {
            const Vec here = Part(source, done, n);
            if (!widens) return here;
            p.Cast(Part(wide, 0, n), here, Rounding::kNone);
            return Part(wide, 0, n);
        };
        p.src0 = in_type(src0, widened[1]);
        if (sources == 2) p.src1 = in_type(src1, widened[2]);
        p.dst = widens ? Part(widened[0], 0, n) : Part(dst, done, n);
        for (uint32_t i = 0; i < row.temporaries; ++i) p.tmp[i] = Part(tmp[i], 0, n);
        row.steps(p);
        if (widens) p.Cast(Part(dst, done, n), p.dst, Rounding::kRint);
        done += n;
    }
    if (!call.reuses) return;
    at.TellReused(call.dst, call.src0, static_cast<uint64_t>(count));
    if (sources == 2 && !call.two_results) at.TellReused(call.dst, call.src1, static_cast<uint64_t>(count));
}

}  // namespace sfumato::ascendc
