// SPDX-License-Identifier: Apache-2.0
// What runs the calls of oracle/calls.inc: with each type, on each chip, with a buffer lent and without.
#pragma once

#include <random>
#include <string>
#include <tuple>

#include "frontends/adv/in_ub.h"
#include "oracle/call_oracle.h"
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
inline constexpr std::initializer_list<const char*> Both = {kChips[0], kChips[1]}, On910B = {kChips[0]};

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
    bool lends() const { return lent != Lent::kNothing; }
    bool Saturates() const { return std::string_view(chip) == kChips[1]; }
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

template <class Body>
void Launched(const Site& site, const Body& body) {
    const auto kernel = [&](InUb& ub) {
        Bench bench(site, ub);
        body(bench);
    };
    OnCore(site.call.c_str(), kernel, site.chip);
}

inline constexpr const char* kLents[] = {"nothing", "the least", "more", "the most"};

// f(site, an element of the type).
template <class List, class F>
void Everywhere(const char* call, std::initializer_list<const char*> chips, const F& f) {
    for (const char* chip : chips) {
        for (const Lent lent : {Lent::kNothing, Lent::kLeast, Lent::kMore, Lent::kMost}) {
            List::Each([&](auto zero) {
                const std::string name = std::string(call) + " of " + CName(kTypeOf<decltype(zero)>) + " on " + chip;
                f(Site{name + ", lent " + kLents[static_cast<int>(lent)], chip, lent}, zero);
            });
        }
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
