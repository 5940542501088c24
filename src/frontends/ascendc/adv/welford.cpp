// SPDX-License-Identifier: Apache-2.0
// Welford's method (adv.md 7), in float.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/adv/rows.h"
#include "sfumato/ascendc/adv/normal.h"
#include "sfumato/tiling/call_sizes.h"

namespace sfumato::ascendc {
namespace {

using namespace adv;

}  // namespace

void UpdateWelford(const WelfordCall& call) {
    const Caller at("WelfordUpdate", call.tmp, call.where);
    const auto& para = call.update;
    const uint64_t length = uint64_t{para.rnLength} * para.abLength;
    if (para.abComputeLength > para.abLength || para.rnLength != 1) {
        at.Find(
            {Rule::kParameterRange, "para", "the lengths do not fit",
             fmt::format("rnLength {}, abComputeLength {} of {}", para.rnLength, para.abComputeLength, para.abLength),
             "rnLength 1, abComputeLength at most abLength", ""});
        return;
    }
    if (!at.CheckNeeds({{"outputMean", &call.mean, length, &call.in_mean},
                        {"outputVariance", &call.variance, length, &call.in_variance, true},
                        {"inputMean", &call.in_mean, length},
                        {"inputVariance", &call.in_variance, length},
                        {"inputX", &call.src, length}})) {
        return;
    }
    RowSteps steps(at.core, call.where);
    if (call.in_place) {  // beyond abComputeLength, what came in
        const auto keep = [&](const VectorOperand& to, const VectorOperand& from) {
            if (to.tensor->address != from.tensor->address)
                steps.Copy(Part(VecOf(to), 0, length), Part(VecOf(from), 0, length));
        };
        keep(call.mean, call.in_mean);
        keep(call.variance, call.in_variance);
    }
    Space space(at);
    const bool widens = call.src.type != DataType::kFloat;
    const uint32_t tensors = widens ? 3 : 2, least = BlockElements(call.src.type);
    if (!at.CheckSpace(space.bytes(), uint64_t{tensors} * least * 4)) return;
    const auto at_once = static_cast<uint32_t>(
        std::min<uint64_t>(RoundUpTo(para.abComputeLength, least), space.bytes() / tensors / 4 / least * least));
    const Vec change = space.Take(DataType::kFloat, at_once), rest = space.Take(DataType::kFloat, at_once);
    const Vec wide = widens ? space.Take(DataType::kFloat, at_once) : Vec{};
    for (uint32_t done = 0; done < para.abComputeLength; done += at_once) {
        const uint32_t n = std::min(at_once, para.abComputeLength - done);
        const auto part = [&](const VectorOperand& operand) { return Part(VecOf(operand), done, n); };
        const Vec mean = part(call.mean), variance = part(call.variance), d = Part(change, 0, n), e = Part(rest, 0, n);
        const Vec x = widens ? Part(wide, 0, n) : part(call.src);
        steps.Cast(x, part(call.src), Rounding::kNone);
        steps.Sub(d, x, part(call.in_mean));
        steps.Muls(e, d, para.nRec);
        steps.Add(mean, part(call.in_mean), e);
        steps.Sub(e, x, mean);
        steps.Mul(d, d, e);
        steps.Add(variance, part(call.in_variance), d);
    }
    if (call.reuses) at.TellReused(call.mean, call.src, length);
}

void FinalizeWelford(const WelfordCall& call) {
    const Caller at("WelfordFinalize", call.tmp, call.where);
    const auto& para = call.finalize;
    const uint32_t length = para.abLength;
    const bool counted = call.counts.tensor || para.tailCountLength != 0;
    if (length % BlockElements(DataType::kFloat) != 0 || length == 0 ||
        (counted && !call.counts.tensor && para.headCountLength + para.tailCountLength != length)) {
        at.Find({Rule::kParameterRange, "para", "the lengths do not fit",
                 fmt::format("abLength {}, headCountLength {}, tailCountLength {}", length, para.headCountLength,
                             para.tailCountLength),
                 "abLength a multiple of 8, and head and tail together", ""});
        return;
    }
    if (!at.CheckNeeds({{"outputMean", &call.mean, 1},
                        {"outputVariance", &call.variance, 1, nullptr, true},
                        {"inputMean", &call.in_mean, length},
                        {"inputVariance", &call.in_variance, length},
                        {"counts", &call.counts, length}})) {
        return;
    }
    RowSteps steps(at.core, call.where);
    Space space(at);
    const uint64_t needed = tiling::WelfordNeed(length, counted).Bytes(1);
    if (!at.CheckSpace(space.bytes(), needed)) return;
    const Vec t = space.Take(DataType::kFloat, length), count = counted ? space.Take(DataType::kFloat, length) : Vec{};
    const Vec value = space.Take(DataType::kFloat, 8), mean = space.Take(DataType::kFloat, 64);
    const Vec means = Part(VecOf(call.in_mean), 0, length), variances = Part(VecOf(call.in_variance), 0, length);
    const auto row = [&](const Vec& v) { return Rows{v, 1, length, length}; };
    steps.Duplicate(value, 0);
    if (call.counts.tensor) {
        steps.Cast(count, Part(VecOf(call.counts), 0, length), Rounding::kRint);
    } else if (counted) {
        steps.Duplicate(count, para.tailCount);
        if (para.headCountLength != 0) steps.Duplicate(Part(count, 0, para.headCountLength), para.headCount);
    }
    const Vec first = Part(value, 0, 1);
    if (counted) steps.Mul(t, count, means);
    steps.Reduce(Fold::kSum, value, row(counted ? t : means), space);
    steps.Muls(first, first, counted ? para.rRec : para.abRec);
    steps.Broadcast(mean, value, 1);
    steps.Copy(Part(VecOf(call.mean), 0, 1), first);
    steps.Sub(row(t), row(means), BlockEach(mean));
    steps.Mul(t, t, t);
    counted ? steps.Mul(t, count, t) : steps.Muls(t, t, para.rnLength);
    steps.Add(t, variances, t);
    steps.Reduce(Fold::kSum, value, row(t), space);
    steps.Muls(Part(VecOf(call.variance), 0, 1), first, call.correction ? para.rRecWithCorrection : para.rRec);
    ResetMask();
    if (!call.reuses) return;
    at.TellReused(call.mean, call.in_mean, length);
    at.TellReused(call.variance, call.in_variance, length);
}

}  // namespace sfumato::ascendc
