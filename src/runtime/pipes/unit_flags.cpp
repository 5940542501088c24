// SPDX-License-Identifier: Apache-2.0
#include "runtime/pipes/unit_flags.h"

#include <fmt/format.h>

#include "isa/touched.h"

namespace sfumato::runtime {
namespace {

constexpr uint64_t kUnit = 512;
constexpr uint8_t kHandsOver = 3;

}  // namespace

std::optional<Finding> UnitFlags::Follow(const isa::Record& record) {
    const auto* product = record.If<isa::Matmul>();
    const auto* out = record.If<isa::Fixpipe>();
    const uint8_t flag = product ? product->unit_flag : out->unit_flag;
    if (flag == 0 && (product || set_.none())) return {};
    std::bitset<1024> touched;
    isa::ForEachRun(record, product ? 0 : 1, nullptr, [&](const isa::Span& run) {
        for (uint64_t unit = run.begin / kUnit; unit < isa::CeilDiv(run.end, kUnit); ++unit) touched.set(unit % 1024);
    });
    const auto before = set_ & touched;
    if (flag == kHandsOver) product ? set_ |= touched : set_ &= ~touched;
    const auto found = [&](size_t count) {
        return fmt::format("unitFlag {}; {} of the {} flags of C are set", flag, count, touched.count());
    };
    if (product && before.any()) {
        return Finding{.rule = Rule::kUnitFlagWait,
                       .operand = "unitFlag",
                       .message = "no Fixpipe has taken the product before it: it waits for ever",
                       .found = found(before.count()),
                       .legal = "flags that a Fixpipe with unitFlag 3 has cleared",
                       .hint = "pass 2 to the products of one C and 3 to the last, then Fixpipe with unitFlag 3"};
    }
    if (out && flag != 0 && before != touched) {
        return Finding{.rule = Rule::kUnitFlagWait,
                       .operand = "unitFlag",
                       .message = "no product has handed over this C: it waits for ever",
                       .found = found(before.count()),
                       .legal = "a C whose last Mmad has unitFlag 3",
                       .hint = "pass unitFlag 3 to the last Mmad of this C, or 0 to Fixpipe and order them by M_FIX"};
    }
    if (out && flag == 0 && before.any()) {
        set_ &= ~touched;  // told once
        return Finding{.rule = Rule::kUnitFlagLeft,
                       .operand = "unitFlag",
                       .message = "the unit flags by which Mmad hands C over stay set",
                       .found = found(before.count()),
                       .legal = "unitFlag 3, as the last Mmad of this C",
                       .hint = "pass the same unitFlag to both: the next Mmad with one would wait for ever"};
    }
    return {};
}

}  // namespace sfumato::runtime
