// SPDX-License-Identifier: Apache-2.0
// The table [timing] of a chip's file.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "soc/scope.h"
#include "soc/timing.h"

namespace sfumato::soc {
namespace {

constexpr std::string_view kTags[] = {"published", "fitted", "assumed", "reported"};

double ReadNumber(const toml::node& node, std::string_view key) {
    const auto value = node.value<double>();
    if (!value) Fail(node.source(), fmt::format("'{}' must be a number", key));
    return *value;
}

std::string ReadTag(Scope& scope, std::string_view key) {
    const toml::node& node = scope.Need(key);
    std::string tag = ReadText(node, key);
    if (std::find(std::begin(kTags), std::end(kTags), tag) == std::end(kTags))
        Fail(node.source(), fmt::format("unknown tag '{}'", tag));
    return tag;
}

TimingFigure ReadFigure(const toml::node& node, std::string_view name) {
    Scope scope(ReadTable(node, name), name);
    TimingFigure figure{std::string(name),    scope.Text("unit"),     ReadTag(scope, "tag"),
                        scope.Text("source"), scope.Text("from", ""), ReadNumber(scope.Need("value"), "value")};
    scope.Done();
    return figure;
}

void ReadRate(const toml::node& node, Timing& timing) {
    Scope scope(ReadTable(node, "rates"), "rates");
    const double elements = ReadNumber(scope.Need("elements"), "elements");
    const std::string tag = ReadTag(scope, "tag");
    std::string calls, types;
    for (const toml::node& type : scope.Array("types")) types += (types.empty() ? "" : ", ") + ReadText(type, "types");
    for (const toml::node& call : scope.Array("calls")) {
        const std::string name = ReadText(call, "calls");
        calls += (calls.empty() ? "" : ", ") + name;
        const auto known = std::find(isa::kAscendCKeys.begin(), isa::kAscendCKeys.end(), name);
        if (known == isa::kAscendCKeys.end()) Fail(call.source(), fmt::format("rates: unknown instruction '{}'", name));
        for (const toml::node& type : scope.Array("types")) {
            Timing::Rate& rate = timing.rates[static_cast<size_t>(known - isa::kAscendCKeys.begin())]
                                             [static_cast<size_t>(ReadType(type, isa::Api::kAscendC))];
            if (rate.elements != 0) Fail(type.source(), fmt::format("rates: '{}' has this type twice", name));
            rate = {static_cast<float>(elements), tag == "assumed"};
        }
    }
    timing.rate_rows.push_back(
        {calls + " (" + types + ")", "elements per cycle", tag, scope.Text("source"), "", elements});
    scope.Done();
}

}  // namespace

void ReadTiming(Scope& top, Chip& chip) {
    const toml::node* node = top.Find("timing");
    if (node == nullptr) return;
    auto timing = std::make_shared<Timing>();
    Scope scope(ReadTable(*node, "timing"), "timing");
    for (const toml::node& row : scope.Array("products")) {
        Scope product(ReadTable(row, "products"), "products");
        const auto number = [&](const char* key) { return ReadNumber(product.Need(key), key); };
        timing->products.push_back({product.Text("name"), number("clock"), number("l2"), number("gm"),
                                    ReadTag(product, "tag"), product.Text("source"), ReadTag(product, "gm_tag")});
        product.Done();
    }
    for (const toml::node& row : scope.Array("rates")) ReadRate(row, *timing);
    const toml::node& constants = scope.Need("constants");
    Scope named(ReadTable(constants, "constants"), "constants");
#define SFUMATO_TIMING(name)                                         \
    timing->figures.push_back(ReadFigure(named.Need(#name), #name)); \
    timing->constants.name = timing->figures.back().value;
#include "soc/timing.inc"
#undef SFUMATO_TIMING
    named.Done();
    scope.Done();
    chip.timing = std::move(timing);
}

}  // namespace sfumato::soc
