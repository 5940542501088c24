// SPDX-License-Identifier: Apache-2.0
// ReduceXorSum: Xor, then an exact sum of its integers, by way of half and float (adv.md 6).
#include <algorithm>
#include <bit>
#include <limits>

#include "frontends/ascendc/adv/steps.h"
#include "frontends/ascendc/framework.h"
#include "sfumato/ascendc/adv/reduction.h"
#include "sfumato/tiling/call_sizes.h"

namespace sfumato::ascendc {
namespace {

using namespace adv;

constexpr const char* kReduceXorSum = "ReduceXorSum";
constexpr uint64_t kBlockLanes = 16;  // elements of a block
constexpr uint64_t kLanes = 8;        // of the running sum
constexpr uint64_t kMost = 4096;      // elements whose sums of 11 bits are exact in float
constexpr double kLowBits = 2047;     // what half holds exactly; so it does multiples of 2048

// The sum of `part` as eight integers onto `sum`; what part held is lost.
void AddPart(Steps& steps, const Vec& sum, const Vec& part, const Vec& wide) {
    const Vec halves = As(part, DataType::kHalf), totals = Part(As(part, DataType::kInt32), 0, kLanes);
    steps.Cast(halves, part, Rounding::kNone);
    steps.Cast(wide, halves, Rounding::kNone);
    for (uint64_t n = wide.size(); n > kLanes; n /= 2) {
        const Vec head = Part(wide, 0, n / 2);
        steps.Add(head, head, Part(wide, n / 2, n / 2));
    }
    steps.Cast(totals, Part(wide, 0, kLanes), Rounding::kRint);
    steps.Add(sum, sum, totals);
}

}  // namespace

void SumXor(const XorSumCall& call) {
    const Caller at(kReduceXorSum, call.tmp, call.where);
    const uint64_t count = call.count;
    if (!at.CheckNeeds({{"dst", &call.dst, 1}, {"src0", &call.src0, count}, {"src1", &call.src1, count}})) {
        return;
    }
    Space space(at);
    constexpr uint64_t kSumBytes = 4 * kLanes, kEach = 2 + 2 + 4, kNeeded = kSumBytes + kEach * kBlockLanes;
    constexpr uint64_t kMinimum = 256 * tiling::kXorSumNodes;
    if (!at.CheckSpace(space.bytes(), kNeeded, kMinimum)) return;
    // Pieces whose blocks halve down to one.
    const uint64_t room = (space.bytes() - kSumBytes) / (kEach * kBlockLanes),
                   blocks = (count + kBlockLanes - 1) / kBlockLanes;
    const uint64_t at_once = std::min(kBlockLanes * std::min(std::bit_floor(room), std::bit_ceil(blocks)), kMost);
    const Vec sum = space.Take(DataType::kInt32, kLanes);
    const Vec all = space.Take(DataType::kInt16, at_once), low = space.Take(DataType::kInt16, at_once);
    const Vec wide = space.Take(DataType::kFloat, at_once), mask = Part(As(wide, DataType::kInt16), 0, at_once);
    Steps steps(call.where);
    steps.Duplicate(sum, 0);
    for (uint64_t done = 0; done < count; done += at_once) {
        const uint64_t n = std::min(at_once, count - done);
        const Vec a = Part(VecOf(call.src0), done, n), b = Part(VecOf(call.src1), done, n);
        const Vec x = Part(all, 0, n), y = Part(low, 0, n);
        if (n != at_once) steps.Duplicate(all, 0);
        steps.And(y, a, b);
        steps.Not(y, y);
        steps.Or(x, a, b);
        steps.And(x, x, y);
        steps.Duplicate(mask, kLowBits);
        steps.And(low, all, mask);
        steps.Sub(all, all, low);
        AddPart(steps, sum, low, wide);
        AddPart(steps, sum, all, wide);
    }
    Framework::Of(at.core).Order(AscendC::HardEvent::V_S, call.where);
    int64_t total = 0;
    for (uint64_t i = 0; i < kLanes; ++i) {
        total += static_cast<int32_t>(LoadLocal(sum.view, DataType::kInt32, i, kReduceXorSum, call.where));
    }
    using Limits = std::numeric_limits<int16_t>;
    total = std::clamp<int64_t>(total, Limits::min(), Limits::max());
    steps.Duplicate(Part(VecOf(call.dst), 0, 1), static_cast<double>(total));
    if (!call.reuses) return;
    for (const VectorOperand* source : {&call.src0, &call.src1}) at.TellReused(call.dst, *source, count);
}

}  // namespace sfumato::ascendc
