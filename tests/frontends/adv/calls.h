// SPDX-License-Identifier: Apache-2.0
// What runs the calls of oracle/calls.inc: with each type, on each chip, with a buffer lent and without.
#pragma once

#include <random>
#include <span>
#include <string>
#include <tuple>

#include "frontends/adv/in_ub.h"
#include "oracle/call_oracle.h"
#include "soc/chip.h"
#include "tiling/tiling_api.h"

namespace sfumato::adv_test {

using oracle::Row, oracle::Sheet;

// The lists of types and chips that the rows name.
template <class... T>
struct Types {
    template <class F>
    static void Each(const F& f) {
        (f(T()), ...);
    }
};
using HalfFloat = Types<half, float>;
using Half = Types<half>;
using Float = Types<float>;
using Bfloat16 = Types<bfloat16_t>;
using Int16 = Types<int16_t>;
using Uint16 = Types<uint16_t>;
using Int32 = Types<int32_t>;
using FloatUint8 = Types<float, uint8_t>;
using Broadcast = Types<int8_t, uint8_t, half, float>;
using Moved = Types<int16_t, uint16_t, half, int32_t, uint32_t, float>;
using MatmulBoth = Types<half, int8_t>;
using MatmulCube = Types<float, bfloat16_t>;
// A chip, and what it refuses of the call: the instruction or the parameter that a report names. some: of some launches.
struct On {
    const char* chip;
    const char* refuses = "";
    bool some = false;
};
using Chips = std::span<const On>;
inline constexpr const char* kForms = "isDataFormatNZ config.mode";
inline constexpr On Every[] = {{kChips[0]}, {kChips[1]}, {kChips[2]}}, Both[] = {{kChips[0]}, {kChips[1]}};
inline constexpr On WithoutSeries[] = {{kChips[0]}, {kChips[1], "Exp"}, {kChips[2]}};
inline constexpr On WithoutSumOfPatterns[] = {{kChips[0]}, {kChips[1], "ReduceSum"}, {kChips[2]}};
inline constexpr On NeedsBrcb[] = {{kChips[0]}, {kChips[1]}, {kChips[2], "Brcb isDataFormatNZ"}};
inline constexpr On NotOnBoards[] = {{kChips[0]}, {kChips[1], "GroupNorm"}, {kChips[2], "GroupNorm"}};
inline constexpr On MayNeedBrcb[] = {{kChips[0]}, {kChips[1]}, {kChips[2], "Brcb", true}};
inline constexpr On InWholeColumns[] = {{kChips[0]}, {kChips[1], "srcShape", true}, {kChips[2], "Brcb", true}};
inline constexpr On InForms[] = {{kChips[0]}, {kChips[1]}, {kChips[2], kForms, true}};
inline constexpr On InBfloat16[] = {{kChips[0]}, {kChips[1], "bfloat16_t"}, {kChips[2]}};
inline constexpr On MayNeedBrcbInBfloat16[] = {{kChips[0]}, {kChips[1], "bfloat16_t"}, {kChips[2], "Brcb", true}};
inline constexpr On InCubeTypes[] = {{kChips[0]}, {kChips[1], "float bfloat16_t"}, {kChips[2]}};
inline constexpr On WithoutBatches[] = {{kChips[0]}, {kChips[1]}, {kChips[2], "batches"}};

template <class T>
constexpr DataType kTypeOf = ascendc::kTypeOf<T>;
template <class T>
constexpr uint32_t kBlock = 32 / sizeof(T);
constexpr uint32_t UpTo(uint32_t count, uint32_t unit) { return (count + unit - 1) / unit * unit; }

// Bytes of a temporary buffer, as the host's functions say: SFUMATO_SIZES(function, its arguments up to them).
struct Sizes {
    uint32_t max = 0, min = 0;
};
#define SFUMATO_SIZES(function, ...)               \
    [&] {                                          \
        Sizes said;                                \
        function(__VA_ARGS__, said.max, said.min); \
        return said;                               \
    }()
// What is lent of them; nothing: the call takes what InitBuffer left.
enum class Lent { kNothing, kLeast, kMore, kMost };

struct Site {
    std::string call;
    const char* chip;
    Lent lent;
    On on;
    bool listed;                             // pages have the call for the chip
    uint32_t *launches = 0, *refusals = 0;
    bool lends() const { return lent != Lent::kNothing; }
    bool Saturates() const { return std::string_view(chip) != kChips[0]; }
    oracle::Format Format(DataType type) const { return {type, Saturates()}; }
};

// A tensor and the numbers it was given.
template <class T>
struct Given : LocalTensor<T> {
    Row values;
};

template <class N>
std::vector<N> Uniform(size_t count, double low, double high, uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<N> values;
    for (size_t i = 0; i < count; ++i) values.push_back(static_cast<N>(low + (high - low) * (random() / 4294967296.0)));
    return values;
}

// One launch of one call.
class Bench {
public:
    Bench(const Site& where, InUb& ub) : site(where), ub_(ub) {}

    // The elements nearest to the numbers.
    template <class T>
    Given<T> In(const Row& numbers) {
        Given<T> in{ub_.Room<T>(numbers.size()), {}};
        for (uint32_t i = 0; i < numbers.size(); ++i) {
            const double x = static_cast<double>(numbers[i]);
            const uint64_t bits = oracle::NearestBits(kTypeOf<T>, IsFloating(kTypeOf<T>) ? x : std::round(x));
            in.SetValue(i, ascendc::FromBits<T>(bits));
            in.values.push_back(static_cast<float>(oracle::NumberAt(kTypeOf<T>, bits)));
        }
        return in;
    }
    // Other numbers each time.
    template <class T>
    Given<T> Some(size_t count, double size = 3) {
        return In<T>(Uniform<float>(count, std::is_unsigned_v<T> ? 0 : -size, size, ++seed_));
    }
    template <class T>
    Given<T> Positive(size_t count, double size = 3) {
        return In<T>(Uniform<float>(count, 0.25, size, ++seed_));
    }
    template <class T>
    Given<T> Out(size_t count) {
        return In<T>(Row(count, 77));
    }

    template <class Call>
    void Run(const Call& call) {
        ub_.Before(), call(), ub_.After();
    }
    // call(tmp) or call().
    template <class Call>
    void Lend(const Sizes& sizes, const Call& call) {
        if (!site.lends()) return Run([&] { call(); });
        auto tmp = Tmp(sizes);
        Run([&] { call(tmp); });
    }
    // Of a call that has no other form.
    LocalTensor<uint8_t> Tmp(const Sizes& sizes) {
        EXPECT_LE(sizes.min, sizes.max) << site.call;
        const uint32_t most = std::max(sizes.min, std::min(sizes.max, kMost)), more = std::min(sizes.min + 352, most);
        return ub_.Tmp(site.lent == Lent::kLeast ? sizes.min : site.lent == Lent::kMore ? more : most);
    }

    // The elements of a tensor, NaN for NaN.
    template <class T, class N>
    void Expect(const char* what, const LocalTensor<T>& tensor, const std::vector<N>& want) {
        ASSERT_GE(tensor.GetSize(), want.size()) << site.call << ' ' << what;
        for (uint32_t i = 0; i < want.size(); ++i) {
            const auto bits = static_cast<uint64_t>(ascendc::ToBits(tensor.GetValue(i)));
            const double number = oracle::NumberAt(kTypeOf<T>, bits), wanted = static_cast<double>(want[i]);
            if (std::isnan(number) && std::isnan(wanted)) continue;
            ASSERT_EQ(bits, oracle::NearestBits(kTypeOf<T>, wanted))
                << site.call << ", " << what << ' ' << i << ": " << number << ", not " << wanted;
        }
    }
    // Each number fills a block.
    template <class T>
    void ExpectBlocks(const char* what, const LocalTensor<T>& tensor, const Row& want) {
        Expect(what, tensor, Blocks(want, kBlock<T>));
    }
    static Row Blocks(const Row& numbers, uint32_t times) {
        Row blocks;
        for (const float v : numbers) blocks.insert(blocks.end(), times, v);
        return blocks;
    }
    template <class T>
    void Unchanged(const Given<T>& in) {
        Expect("a source", in, in.values);
    }
    const Site& site;

private:
    static constexpr uint32_t kMost = 40 * 1024;
    InUb& ub_;
    uint32_t seed_ = 0;
};

// Whether a text stands among the words of a list.
inline bool Among(std::string_view words, std::string_view word) {
    return !word.empty() && (" " + std::string(words) + " ").find(" " + std::string(word) + " ") != std::string::npos;
}
// Nothing is found but, of a call that no page has for the chip, the note. False: what the chip lacks was refused.
inline bool Judge(const Site& site, const LaunchResult& result) {
    bool noted = false;
    ++*site.launches;
    LaunchResult others = result;
    others.findings.clear();
    for (const Report& finding : result.findings) {
        const std::string step = finding.instruction.substr(finding.instruction.rfind(' ') + 1);
        const bool named = Among(site.on.refuses, finding.operand) || Among(site.on.refuses, step) ||
                           Among(site.on.refuses, finding.found);
        if (finding.severity == Severity::kFault && named) return ++*site.refusals, false;
        const bool note = finding.rule == "unlisted-on-chip";
        // The harness has flags, and steps may have a note of their own.
        noted |= note && finding.hint.starts_with("it runs here where");
        if (!note) others.findings.push_back(finding);
    }
    EXPECT_EQ(noted, !site.listed) << site.call;
    ExpectNoFindings(site.call.c_str(), others);
    return true;
}

template <class Body>
void Launched(const Site& site, const Body& body) {
    const auto kernel = [&](InUb& ub) {
        Bench bench(site, ub);
        body(bench);
    };
    Judge(site, RunOnCore(kernel, site.chip));
}

inline constexpr const char* kLents[] = {"nothing", "the least", "more", "the most"};

// f(site, an element of the type).
template <class List, class F>
void Everywhere(const char* call, Chips chips, const F& f) {
    for (const On& on : chips) {
        const bool listed = soc::FindChip(on.chip).high_level.Lists(call);
        List::Each([&](auto zero) {
            uint32_t launches = 0, refusals = 0;
            const std::string name = std::string(call) + " of " + CName(kTypeOf<decltype(zero)>) + " on " + on.chip;
            for (const Lent lent : {Lent::kNothing, Lent::kLeast, Lent::kMore, Lent::kMost}) {
                const std::string lends = name + ", lent " + kLents[static_cast<int>(lent)];
                f(Site{lends, on.chip, lent, on, listed, &launches, &refusals}, zero);
            }
            const bool refuses = *on.refuses != 0;
            EXPECT_EQ(refusals != 0 && refusals == launches, refuses && !on.some) << name;
        });
    }
}

// Tests of the rows of a group: its file redefines the macro of its group as this.
#define SFUMATO_CASE(call, types, chips, oracle)                                                                \
    TEST(Calls, call##_##types) {                                                                               \
        Everywhere<types>(#call, chips, [](const Site& site, auto zero) { call##Case<decltype(zero)>(site); }); \
    }
#define SFUMATO_CALL_rows(call, types, chips, oracle)
#define SFUMATO_CALL_norms(call, types, chips, oracle)
#define SFUMATO_CALL_quantisation(call, types, chips, oracle)
#define SFUMATO_CALL_data(call, types, chips, oracle)
#define SFUMATO_CALL_products(call, types, chips, oracle)

}  // namespace sfumato::adv_test
