// SPDX-License-Identifier: Apache-2.0
// Every high-level call has a row of oracle/calls.inc, with the types and chips of its page; the elementwise ones run
// here.
#include <map>
#include <set>

#include "frontends/adv/calls.h"
#include "soc/behaviours.h"

namespace sfumato::adv_test {
namespace {

struct Listed {
    std::set<std::string> types, chips;
};
std::map<std::string, Listed> Rows() {
    std::map<std::string, Listed> rows;
    const auto add = [&](const char* call, Chips chips, auto list) {
        Listed& row = rows[call];
        for (const On& on : chips) {
            if (*on.refuses == 0 || on.some) row.chips.insert(on.chip);
        }
        decltype(list)::Each([&](auto zero) { row.types.insert(CName(kTypeOf<decltype(zero)>)); });
    };
#define SFUMATO_ELEMENTWISE(call, form, types, chips, format, edges, x, y, oracle) add(#call, chips, types());
#define SFUMATO_CALL(group, call, types, chips, oracle) add(#call, chips, types());
#include "oracle/calls.inc"
    return rows;
}

// The data types that a text names.
std::set<std::string> TypesIn(const std::string& text) {
    std::set<std::string> types;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find_first_of(" ,;:", at), text.size());
        for (int type = 0; type <= static_cast<int>(DataType::kFloat); ++type) {
            const char* name = CName(static_cast<DataType>(type));
            if (text.compare(at, end - at, name) == 0) types.insert(name);
        }
        at = end + 1;
    }
    return types;
}

TEST(Calls, EveryCallHasARow) {
    auto rows = Rows();
#define SFUMATO_ADV(Name, ...) EXPECT_TRUE(rows.contains(#Name)) << #Name << ": no row of tests/oracle/calls.inc";
#include "sfumato/ascendc/adv/elementwise.inc"
#undef SFUMATO_ADV
    for (const soc::Call& call : soc::ReadBehaviours().calls) {
        ASSERT_TRUE(rows.contains(call.name)) << call.name << ": no row of tests/oracle/calls.inc";
        const Listed row = rows.extract(call.name).mapped();
        EXPECT_EQ(row.chips.contains(kChips[1]), !call.types.ends_with("; Ascend910B")) << call.name;
        // Words for several tensors, or for what another call has.
        if (call.types.find(':') != std::string::npos || call.types.starts_with("those of")) continue;
        for (const std::string& type : TypesIn(call.types))
            EXPECT_TRUE(row.types.contains(type)) << call.name << " of " << type;
    }
    EXPECT_TRUE(rows.empty()) << rows.begin()->first << ": no entry of chips/calls.toml";
}

constexpr uint32_t kSize = 1024, kTail = 1000;
constexpr float kScalar = 1.25f;

struct Span {
    double low, high;
};
constexpr Span None{0, 1};
enum Edged { Inside, Edges };
enum Rounds { InType, InFloat };

// How a form calls: all of the tensors, or their first n elements. `result` and the oracle's second operand may be
// others.
#define LEND(Name, ...)                                                               \
    b.Lend(SFUMATO_SIZES(Get##Name##MaxMinTmpSize, ge::Shape({n}), sizeof(T), false), \
           [&](auto&... tmp) { __VA_ARGS__; })
#define FORM_Usual(Name) LEND(Name, whole ? Name<T, true>(dst, x, tmp...) : Name(dst, x, tmp..., n));
#define FORM_Counted(Name) LEND(Name, Name(dst, x, tmp..., n));
#define FORM_Size(Name) LEND(Name, whole ? Name<T, false, true>(dst, x, tmp..., n) : Name(dst, x, tmp..., n));
#define FORM_InPlace(Name) LEND(Name, Name(x, x, tmp..., n)), result = &x;
#define FORM_Precise(Name) LEND(Name, Name<T, true>(dst, x, tmp..., n));
#define FORM_NoTmp(Name) b.Run([&] { whole ? Name<T, true>(dst, x) : Name(dst, x, n); });
#define FORM_DataSize(Name) b.Run([&] { Name<T, false>(dst, x, n); }), scalar = 1;
#define FORM_DataSizeScalar(Name) b.Run([&] { Name(dst, x, n, T(kScalar)); }), scalar = kScalar;
#define FORM_ScalarCounted(Name) LEND(Clamp, Name(dst, x, tmp..., T(kScalar), n)), scalar = kScalar;
#define FORM_Two(Name) LEND(Name, whole ? Name<T, true>(dst, x, y, tmp...) : Name(dst, x, y, tmp..., n));
#define FORM_TwoScalar(Name) \
    LEND(Name, whole ? Name<T, false>(dst, x, y, kScalar, tmp...) : Name(dst, x, y, kScalar, tmp..., n));
#define FORM_TwoResults(Name) LEND(Name, Name(dst, other, x, tmp..., n));
#define FORM_SecondResult(Name) LEND(Name, Name(other, dst, x, tmp..., n));
#define FORM_OneScalar(Name) \
    LEND(Name, whole ? Name<T, true>(dst, x, T(3), tmp...) : Name(dst, x, T(3), tmp..., n)), scalar = 3;
#define FORM_ScalarOne(Name) \
    LEND(Name, whole ? Name<T, true>(dst, T(3), x, tmp...) : Name(dst, T(3), x, tmp..., n)), scalar = 3;
#define FORM_NoTerms(Name) LEND(Name, Name<T, 0>(dst, x, tmp..., n));
#define FORM_FiveTerms(Name) LEND(Name, Name<T, 5>(dst, x, tmp..., n));
#define FORM_OntoResult(Name)     \
    auto tmp = b.Tmp({256, 256}); \
    b.Run([&] { Name<T, T>(dst, x, T(kScalar), tmp, n); }), scalar = 77;

Row Inputs(Span span, bool edges, uint32_t seed) {
    Row numbers = Uniform<float>(kSize, span.low, span.high, seed);
    const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 0.5f, 1.5f, -2.5f, 1e-7f, -1e-7f};
    if (edges) std::copy(std::begin(special), std::end(special), numbers.begin());
    return numbers;
}

template <class T, class Call>
void CheckElementwise(const Site& site, Rounds rounds, Edged edged, Span of_x, Span of_y, oracle::Formula formula,
                      const Call& call) {
    const oracle::Format format = site.Format(rounds == InFloat ? DataType::kFloat : kTypeOf<T>);
    const bool edges = edged == Edges && (rounds == InType || !site.Saturates());
    for (const bool whole : {false, true}) {
        Launched(site, [&](Bench& b) {
            auto x = b.In<T>(Inputs(of_x, edges, 1)), y = b.In<T>(Inputs(of_y, edges, 2));
            auto dst = b.Out<T>(kSize), other = b.Out<T>(kSize);
            const uint32_t n = whole ? kSize : kTail;
            float scalar = NAN;
            Given<T>* result = &dst;
            call(b, dst, other, x, y, n, whole, scalar, result);
            std::vector<double> want;
            for (uint32_t i = 0; i < kSize; ++i) {
                const double second = static_cast<double>(std::isnan(scalar) ? y.values[i] : scalar);
                want.push_back(i < n ? formula(format, static_cast<double>(x.values[i]), second)
                                     : static_cast<double>(result->values[i]));
            }
            b.Expect("result", *result, want);
            if (result != &x) b.Unchanged(x);
            b.Unchanged(y);
        });
    }
}

#define SFUMATO_ELEMENTWISE(call, form, types, chips, format, edges, of_x, of_y, formula)                        \
    TEST(Calls, call##_##form##_##types) {                                                                       \
        Everywhere<types>(#call, chips, [](const Site& site, auto zero) {                                        \
            using T = decltype(zero);                                                                            \
            CheckElementwise<T>(                                                                                 \
                site, format, edges, of_x, of_y, oracle::formula,                                                \
                [](Bench& b, [[maybe_unused]] auto& dst, [[maybe_unused]] auto& other, [[maybe_unused]] auto& x, \
                   [[maybe_unused]] auto& y, [[maybe_unused]] uint32_t n, [[maybe_unused]] bool whole,           \
                   [[maybe_unused]] float& scalar, [[maybe_unused]] Given<T>*& result) { FORM_##form(call) });   \
        });                                                                                                      \
    }
#define Span(low, high) (Span{low, high})
#include "oracle/calls.inc"

TEST(Calls, NothingToDo) {
    Everywhere<HalfFloat>("Sigmoid", Both, [](const Site& site, auto zero) {
        Launched(site, [](Bench& b) {
            auto x = b.Some<decltype(zero)>(kSize), dst = b.Out<decltype(zero)>(kSize);
            b.Lend({256, 256}, [&](auto&... tmp) { Sigmoid(dst, x, tmp..., 0); });
            b.Unchanged(dst);
        });
    });
}

// Half data, each product and sum in float.
TEST(Calls, AxpyOfHalfOntoFloat) {
    Everywhere<Half>("Axpy", Both, [](const Site& site, half) {
        Launched(site, [](Bench& b) {
            auto x = b.Some<half>(kSize);
            auto dst = b.Some<float>(kSize);
            auto tmp = b.Tmp({256, 256});
            b.Run([&] { Axpy<float, half>(dst, x, half(kScalar), tmp, kTail); });
            Row want = dst.values;
            for (uint32_t i = 0; i < kTail; ++i) want[i] += x.values[i] * kScalar;
            b.Expect("result", dst, want);
        });
    });
}

}  // namespace
}  // namespace sfumato::adv_test
