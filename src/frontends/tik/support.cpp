// SPDX-License-Identifier: Apache-2.0
// What a chip has of an instruction, in the words of TIK's type table (tik.md 1.1).
#include <fmt/format.h>

#include <algorithm>

#include "frontends/tik/calls.h"
#include "isa/round_words.h"

namespace sfumato::tik {
namespace {

using isa::Opcode;
using List = std::vector<std::string>;

// "f16", "s32", "bf16": as the table names a type in conversions.
std::string Short(DataType type) {
    const std::string name = NumpyName(type);
    const std::string digits = name.substr(name.find_first_of("0123456789"));
    return (name.starts_with("bfloat") ? "bf" : std::string(1, name[0] == 'i' ? 's' : name[0])) + digits;
}

void AddConversions(const std::vector<soc::ConversionRow>& rows, List* list) {
    for (const soc::ConversionRow& row : rows) {
        if (row.api != isa::Api::kTik) continue;
        const std::string pair = Short(row.src) + "2" + Short(row.dst);
        if (row.mode_names.empty()) list->push_back(pair);
        for (const std::string& mode : row.mode_names) {
            if (mode != "none" && mode != "ceiling")
                list->push_back(
                    pair + Nth(isa::kRoundWords, *isa::RoundingNamed(row.api, mode)).letter);  // "" and "ceil" again
        }
        if (row.deq == soc::DeqKind::kHalfScale) list->emplace_back("deq");
    }
}

}  // namespace

std::optional<List> SupportOf(std::string_view family, std::string_view intrinsic) {
    // vcmp is one row of the table, for calls of six names.
    const CallInfo* call = FindCall(intrinsic == "vcmp" ? "vcmp_lt" : intrinsic);
    if (!call) return std::nullopt;
    const soc::Chip& chip = soc::FindChip(family);
    const Opcode op = call->op;
    List list;
    if (op == Opcode::vconv) {
        AddConversions(chip.conversions, &list);
    } else if (op == Opcode::mmad) {
        for (const soc::MatmulRow& row : chip.mmad) {
            if (row.api == isa::Api::kTik) list.push_back(Short(row.c) + Short(row.a) + Short(row.b));
        }
    } else if (isa::Converts(isa::Info(op).form)) {
        const bool two = isa::Info(op).form == isa::Form::kConvertTwo;
        const std::vector<soc::ConversionRow>& own = chip.Own(isa::Api::kTik, op);
        if (!two) AddConversions(own, &list);
        for (const soc::ConversionRow& row : own) {
            if (two) list.push_back(Short(row.dst) + Short(row.src) + Short(row.src));
        }
    } else {
        constexpr auto kTik = static_cast<size_t>(isa::Api::kTik);
        // As its builder refuses it (call_select.cpp).
        const bool second = intrinsic == "vreducev2";
        for (int i = 0; i < kDataTypeCount; ++i) {
            const auto type = static_cast<DataType>(i);
            if (!chip.Has(isa::Api::kTik, op, type)) continue;
            if (chip.EqualOnly(isa::Api::kTik, op, type) && !intrinsic.ends_with("_eq")) continue;
            if (second && (chip.gather_mask_total || BitsOf(type) == 8)) continue;
            const std::string name = Short(type);
            list.push_back(op == Opcode::vgatherb ? name + name : NumpyName(type));
            if (op == Opcode::vaxpy || op == Opcode::vmla) list.push_back(name + name + name);
        }
        if (chip.widens[kTik][static_cast<size_t>(op)]) list.emplace_back("f32f16f16");
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

}  // namespace sfumato::tik
