// SPDX-License-Identifier: Apache-2.0
// Every elementwise call with exactly the bytes that the host's functions say: the least, the most and some between give
// the same bytes and no finding (adv.md 1.2, 1.3).
#include <string_view>

#include "frontends/adv/host_sizes.h"

namespace sfumato::adv_test {
namespace {

// Elements within the range of every function.
template <class T>
std::vector<T> Inside(std::string_view name, uint32_t count, uint32_t seed) {
    std::vector<T> values;
    const float from = name == "Acosh" ? 1.5F : std::is_integral_v<T> ? 4.0F : 0.5F;
    for (const float v : Numbers<float>(count, seed, 0.4F)) {
        values.push_back(static_cast<T>(std::is_integral_v<T> ? std::round(from + v * 8) : from + v));
    }
    return values;
}

template <class T, class Call>
void Elementwise(const char* name, uint32_t count, const Sizes& sizes, const Call& call) {
    SameBytes(std::string(name) + " of " + std::to_string(count), sizes, [&](InUb& ub, uint32_t bytes) {
        auto a = ub.Of(Inside<T>(name, count, 1)), b = ub.Of(Inside<T>(name, count, 2));
        auto dst = ub.Of(std::vector<T>(count)), second = ub.Of(std::vector<T>(count));
        auto tmp = ub.Tmp(bytes);
        ub.Before();
        call(dst, second, a, b, tmp, count);
        ub.After();
        auto all = BytesOf(dst);
        const auto more = BytesOf(second);
        all.insert(all.end(), more.begin(), more.end());
        return all;
    });
}

#define CALL_Usual(Name) Name(dst, a, tmp, count)
#define CALL_Counted(Name) Name(dst, a, tmp, count)
#define CALL_Size(Name) Name(dst, a, tmp, count), PipeBarrier<PIPE_V>(), Name<T, true>(second, a, tmp, count)
#define CALL_NoTmp(Name) Name(dst, a, count)
#define CALL_Two(Name) Name(dst, a, b, tmp, count)
#define CALL_Power(Name) Name(dst, a, b, tmp, count), Name(second, a, T(2), tmp, count)
#define CALL_TwoResults(Name) Name(dst, second, a, tmp, count)
#define CALL_DataSize(Name) Name(dst, a, count)
#define CALL_DataSizeScalar(Name) Name(dst, a, count, T(2))
#define CALL_ScalarCounted(Name) Name(dst, a, tmp, T(0.5F), count)
#define CALL_TwoScalar(Name) Name(dst, a, b, 2.0F, tmp, count)
#define CALL_Taylor(Name) Name<T, 5>(dst, a, tmp, count)

template <class T>
constexpr bool kHalfFloat = std::is_same_v<T, half> || std::is_same_v<T, float>;
template <class T>
constexpr bool kPower = kHalfFloat<T> || std::is_same_v<T, int32_t>;
template <class T>
constexpr bool kWord = std::is_same_v<T, int16_t>;

template <class T>
void EveryCall(uint32_t elements) {
#define SFUMATO_ADV(Name, form, temporaries, sizes, policy, overlap, types, source)                                \
    if constexpr (k##types<T>) {                                                                                   \
        Sizes bytes;                                                                                               \
        Get##sizes##MaxMinTmpSize(ge::Shape({elements}), sizeof(T), false, bytes.max, bytes.min);                     \
        Elementwise<T>(#Name, elements, bytes,                                                                        \
                       []([[maybe_unused]] auto& dst, [[maybe_unused]] auto& second, [[maybe_unused]] auto& a,     \
                          [[maybe_unused]] auto& b, [[maybe_unused]] auto& tmp, uint32_t count) { CALL_##form(Name); }); \
    }
#include "sfumato/ascendc/adv/elementwise.inc"
#undef SFUMATO_ADV
}

TEST(HostSizes, Half) { EveryCall<half>(64), EveryCall<half>(1000), EveryCall<half>(2048); }
TEST(HostSizes, Float) { EveryCall<float>(64), EveryCall<float>(1000), EveryCall<float>(2048); }
TEST(HostSizes, Integers) {
    EveryCall<int16_t>(64), EveryCall<int16_t>(1000);
    EveryCall<int32_t>(64), EveryCall<int32_t>(1000);
}

}  // namespace
}  // namespace sfumato::adv_test
