// SPDX-License-Identifier: Apache-2.0
// Runs the steps of an elementwise call piece by piece: as many elements at a time as the temporaries have room for,
// which changes no bit of a result (adv.md 1.1).
#include "frontends/ascendc/adv/elementwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "sfumato/ascendc/adv/elementwise.h"

namespace sfumato::ascendc {
namespace {

using namespace adv;

enum class Policy : uint8_t { kInType, kInFloat, kOnce };
enum class Overlap : uint8_t { kNone, kSame };
struct Row {
    const char* name;
    void (*steps)(Piece&);
    uint8_t temporaries, live;
    Policy policy;
    Overlap overlap;
};
constexpr Row kRows[] = {
#define SFUMATO_ADV(Name, form, temporaries, live, policy, overlap, types, source) \
    {#Name, steps::Name, temporaries, live, Policy::policy, Overlap::overlap},
#include "sfumato/ascendc/adv/elementwise.inc"
#undef SFUMATO_ADV
};

// Elements of a repeat, the least that a temporary buffer is made for; and of a block, the least there can be.
constexpr uint64_t kRepeatBytes = 256, kBlockBytes = 32;

struct Named {
    const char* name;
    const VectorOperand* operand;
};

// The operands that are there, dst first.
uint32_t OperandsOf(const AdvCall& call, std::array<Named, 3>* operands) {
    const bool two = call.src1.tensor != nullptr;
    *operands = {{{"dst", &call.dst}, {two ? "src0" : "src", &call.src0}, {"src1", &call.src1}}};
    if (call.two_results) *operands = {{{"dst0", &call.dst}, {"src", &call.src0}, {"dst1", &call.src1}}};
    return two ? 3 : 2;
}

// V3 of adv.md 1.2 for a destination and another operand.
bool CheckPair(runtime::Core& core, const Row& row, const AdvCall& call, const Named& dst, const Named& other,
               int64_t count) {
    const auto bytes = static_cast<int64_t>(BytesOf(call.dst.type, static_cast<uint64_t>(count)));
    const int64_t apart = other.operand->tensor->address - dst.operand->tensor->address;
    const bool same = row.overlap == Overlap::kSame;
    if (std::abs(apart) >= bytes || (apart == 0 && same)) return true;
    return Find(core, row.name,
                {Rule::kOperandsShare, other.name,
                 other.operand == &call.src1 && call.two_results ? "the destinations overlap"
                                                                 : "source and destination overlap",
                 fmt::format("{} bytes each, {} apart", bytes, std::abs(apart)),
                 same ? "the same tensor, or no common byte" : "no common byte", "use another destination"},
                call.where);
}

// V4 of adv.md 1.2: the temporary buffer and an operand.
bool CheckTmpApart(runtime::Core& core, const Row& row, const AdvCall& call, const Named& operand, int64_t count) {
    const int64_t apart = operand.operand->tensor->address - call.tmp.view.address;
    const auto bytes = static_cast<int64_t>(BytesOf(operand.operand->type, static_cast<uint64_t>(count)));
    const int64_t lent = std::min(call.tmp.view.size, call.tmp.view.room);
    if (apart >= lent || -apart >= bytes) return true;
    return Find(
        core, row.name,
        {Rule::kOperandsShare, "sharedTmpBuffer", fmt::format("the temporary buffer and {} overlap", operand.name),
         fmt::format("{} bytes of the buffer, {} of {}, {} apart", lent, bytes, operand.name, std::abs(apart)),
         "no common byte", "lend another buffer"},
        call.where);
}

// V1 to V4 of adv.md 1.2. The number of elements, or -1 when the call must not go on.
int64_t CheckOperands(runtime::Core& core, const Row& row, const AdvCall& call) {
    std::array<Named, 3> operands;
    const uint32_t number = OperandsOf(call, &operands);
    for (uint32_t i = 0; i < number; ++i) {
        if (!InUb(core, row.name, operands[i].name, *operands[i].operand, call.where)) return -1;
    }
    const int64_t count = call.count == AdvCall::kWholeSource ? call.src0.tensor->size : call.count;
    for (uint32_t i = 0; i < number; ++i) {
        const uint32_t size = operands[i].operand->tensor->size;
        if (count >= 0 && count <= size) continue;
        Find(core, row.name,
             {Rule::kCountExceedsTensor, operands[i].name, "the element count is larger than the tensor",
              fmt::format("{} elements", count), fmt::format("0 to {}", size), "calCount counts elements, not bytes"},
             call.where);
        return -1;
    }
    for (uint32_t i = 1; i < number; ++i) {
        if (!CheckPair(core, row, call, operands[0], operands[i], count)) return -1;
    }
    for (uint32_t i = 0; i < number && call.tmp.given; ++i) {
        if (!CheckTmpApart(core, row, call, operands[i], count)) return -1;
    }
    if (call.two_results && !CheckPair(core, row, call, operands[2], operands[1], count)) return -1;
    return count;
}

// Bytes of GetXxxMaxMinTmpSize (adv.md 1.3). A single instruction on half stands for steps in float.
uint64_t Minimum(const Row& row, DataType type) {
    return row.live * kRepeatBytes * (row.policy == Policy::kOnce && type == DataType::kHalf ? 2 : 1);
}

}  // namespace

void AdvElementwise(AdvFunction function, const AdvCall& call) {
    const Row& row = kRows[static_cast<size_t>(function)];
    runtime::Core& core = ThisCore(row.name);
    const runtime::Core::CallScope scope(core, row.name, call.where);
    const int64_t count = CheckOperands(core, row, call);
    if (count <= 0) return;

    const bool widens = call.dst.type != DataType::kFloat && (row.policy == Policy::kInFloat || call.in_float);
    const DataType type = widens ? DataType::kFloat : call.dst.type;
    const uint32_t sources = call.src1.tensor ? 2 : 1;
    const uint32_t tensors = row.temporaries + (widens ? sources + 1 : 0);
    std::optional<Space> space;
    if (tensors != 0 || call.tmp.given) space.emplace(core, row.name, call.tmp, call.where);
    auto at_once = static_cast<uint64_t>(count);
    const uint64_t minimum = Minimum(row, call.dst.type);
    if (tensors != 0) {
        const uint64_t room = space->bytes() / tensors / BytesOf(type, 1);
        const uint64_t least = kBlockBytes / BytesOf(call.dst.type, 1), whole = kRepeatBytes / BytesOf(type, 1);
        at_once = room >= whole ? room / whole * whole : room / least * least;
        if (!CheckSpace(core, row.name, call.tmp, space->bytes(), minimum, tensors * least * BytesOf(type, 1),
                        call.where)) {
            return;
        }
    } else if (space && !CheckSpace(core, row.name, call.tmp, space->bytes(), minimum, 0, call.where)) {
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
}

}  // namespace sfumato::ascendc
