// SPDX-License-Identifier: Apache-2.0
// Elementwise high-level calls against their formulas, each step rounded to the type it is computed in (adv.md 1.1), with
// temporary buffers of every size.
#include <cmath>

#include "frontends/adv/rounded.h"

namespace sfumato::adv_test {
namespace {

constexpr uint32_t kCount = 1000, kSize = 1024;

template <class T>
LocalTensor<T> Ub(uint32_t byte_offset, uint32_t count) {
    return LocalTensor<T>(TPosition::VECCALC, byte_offset, count);
}

template <class R>
R SigmoidOf(R x) {
    return R(1) / (exp(x * R(-1)) + R(1));
}
template <class R>
R GeluOf(R x) {
    return x / (exp((x * x * x * R(0.044715) + x) * R(-1.5957691)) + R(1));
}
template <class R>
R FasterGeluOf(R x) {
    return x / (exp(x * R(-1.702)) + R(1));
}

template <class T>
std::vector<T> Inputs() {
    std::mt19937 random(7);
    std::normal_distribution<float> normal(0, 3);
    std::vector<T> values;
    for (uint32_t i = 0; i < kSize; ++i) values.push_back(T(normal(random)));
    values[0] = T(0.0f), values[1] = T(-0.0f), values[2] = T(INFINITY), values[3] = T(-INFINITY);
    return values;
}

template <class T>
uint64_t Bits(T value) {
    return sfumato::ascendc::ToBits(value);
}

// Calls with src at 0 and dst at 8 KiB; every element of dst against `formula`, those beyond the count unchanged.
template <class T>
void Check(const char* name, const std::function<void(LocalTensor<T>& dst, LocalTensor<T>& src)>& call,
           const std::function<T(T)>& formula, const char* chip = kChips[0], uint32_t count = kCount,
           uint32_t dst_at = 8192) {
    const LaunchResult result = OnChip(chip, [&] {
        TPipe pipe;
        TBuf<TPosition::VECCALC> all;  // what the tensors lie in; calls without a buffer take the rest
        pipe.InitBuffer(all, 48 * 1024);
        const std::vector<T> values = Inputs<T>();
        auto src = Ub<T>(0, kSize), dst = Ub<T>(dst_at, kSize);
        for (uint32_t i = 0; i < kSize && dst_at != 0; ++i) dst.SetValue(i, T(77.0f));
        for (uint32_t i = 0; i < kSize; ++i) src.SetValue(i, values[i]);
        SetFlag<HardEvent::S_V>(0);
        WaitFlag<HardEvent::S_V>(0);
        call(dst, src);
        SetFlag<HardEvent::V_S>(0);
        WaitFlag<HardEvent::V_S>(0);
        for (uint32_t i = 0; i < kSize; ++i) {
            const T kept = dst_at == 0 ? values[i] : T(77.0f), want = i < count ? formula(values[i]) : kept;
            const T got = dst.GetValue(i);
            const bool nan = std::isnan(static_cast<float>(want)) && std::isnan(static_cast<float>(got));
            ASSERT_TRUE(nan || Bits(got) == Bits(want)) << name << " " << i << " of " << static_cast<float>(values[i])
                                                        << ": " << static_cast<float>(got) << ", not "
                                                        << static_cast<float>(want);
            ASSERT_TRUE(dst_at == 0 || Bits(src.GetValue(i)) == Bits(values[i])) << name << " wrote its source";
        }
    }, chip == kChips[0] ? Overflow::kInfNan : Overflow::kBoard);
    ExpectNoFindings(name, result);
}

template <class T, class R = In<T>>
std::function<T(T)> Of(R (*formula)(R)) {
    return [formula](T x) { return T(static_cast<float>(formula(static_cast<double>(static_cast<float>(x))).value)); };
}

TEST(AdvElementwise, EveryOverloadGivesTheSteps) {
    const auto both = [](auto zero, const char* chip) {
        using T = decltype(zero);
        using R = In<T>;
        const auto tmp = [] { return Ub<uint8_t>(32768, 4096); };
        Check<T>("Sigmoid 4", [&](auto& d, auto& s) { Sigmoid(d, s, tmp(), kCount); }, Of<T, R>(SigmoidOf<R>), chip);
        Check<T>("Sigmoid 3", [&](auto& d, auto& s) { Sigmoid(d, s, tmp()); }, Of<T, R>(SigmoidOf<R>), chip, kSize);
        Check<T>("Sigmoid 2", [&](auto& d, auto& s) { Sigmoid<T, true>(d, s, kCount); }, Of<T, R>(SigmoidOf<R>), chip);
        Check<T>("Sigmoid 1", [&](auto& d, auto& s) { Sigmoid(d, s); }, Of<T, R>(SigmoidOf<R>), chip, kSize);
        Check<T>("Gelu", [&](auto& d, auto& s) { Gelu(d, s, tmp(), kCount); }, Of<T, R>(GeluOf<R>), chip);
        Check<T>("Gelu free", [&](auto& d, auto& s) { Gelu<T, false, true>(d, s, kCount); }, Of<T, R>(GeluOf<R>), chip);
        Check<T>("FasterGelu", [&](auto& d, auto& s) { FasterGelu(d, s, tmp(), kCount); }, Of<T, R>(FasterGeluOf<R>), chip);
        Check<T>("Gelu in place", [&](auto& d, auto&) { Gelu(d, d, tmp(), kCount); }, Of<T, R>(GeluOf<R>), chip, kCount, 0);
    };
    OnEachChip([&](const char* chip) { both(float(), chip), both(half(), chip); });
}

TEST(AdvElementwise, HighPrecisionRoundsHalvesOnce) {
    using R = In<float>;
    const auto formula = [](half x) {
        return half(static_cast<float>(In<half>::Result(GeluOf<R>(static_cast<double>(static_cast<float>(x))).value).value));
    };
    const auto call = [](auto& d, auto& s) { Gelu<half, true>(d, s, Ub<uint8_t>(32768, 4096), kCount); };
    OnEachChip([&](const char* chip) { Check<half>("Gelu", call, formula, chip); });
}

// As many elements at a time as there is room for: no bit depends on it.
TEST(AdvElementwise, ResultsDoNotDependOnTheTemporaryBuffer) {
    using R = In<half>;
    for (const uint32_t bytes : {768u, 800u, 1000u, 2048u, 8192u}) {
        Check<half>("Gelu", [bytes](auto& d, auto& s) { Gelu(d, s, Ub<uint8_t>(32768, bytes), kCount); },
                    Of<half, R>(GeluOf<R>));
    }
}

TEST(AdvElementwise, NothingToDo) {
    Check<float>("Sigmoid", [](auto& d, auto& s) { Sigmoid(d, s, 0); }, [](float x) { return x; }, kChips[0], 0);
}

}  // namespace
}  // namespace sfumato::adv_test
