// SPDX-License-Identifier: Apache-2.0
// Mmad (cube.md 4).
#include <fmt/format.h>

#include "check/parameters.h"

namespace sfumato::check {
namespace {

using isa::Matmul;
using isa::Memory;
using isa::Record;

constexpr Parameter<Matmul> kMatmul[] = {
    {"m", "matrix_m", SFUMATO_VALUE(Matmul, m), 1, 4095, true},
    {"n", "matrix_n", SFUMATO_VALUE(Matmul, n), 1, 4095, true},
    {"k", "matrix_k", SFUMATO_VALUE(Matmul, k), 1, 4095, true},
};

std::string TypesText(const Record& r, DataType a, DataType b, DataType c) {
    return fmt::format("{} x {} into {}", TypeName(r, a), TypeName(r, b), TypeName(r, c));
}

SFUMATO_COLD bool TypesUnsupported(const Record& r, const Context& c) {
    std::string legal;
    for (const soc::MatmulRow& row : c.chip->mmad) {
        if (row.api == r.api) legal += (legal.empty() ? "" : ", ") + TypesText(r, row.a, row.b, row.c);
    }
    const DataType a = r.src0().type, b = r.src1().type, to = r.dst().type;
    if (legal.empty()) {
        return InstructionUnsupported(r, c, OtherChips(c, [&](const soc::Chip& chip) {
                                          return std::ranges::any_of(
                                              chip.mmad, [&](const soc::MatmulRow& row) { return row.api == r.api; });
                                      }));
    }
    const std::string chips = OtherChips(c, [&](const soc::Chip& chip) { return chip.Mmad(r.api, a, b, to); });
    return Tell(r, c,
                {Rule::kMmadTypes, isa::OperandName(r, 0),
                 fmt::format("the element types are not supported on {}", c.chip->name), TypesText(r, a, b, to), legal,
                 ChooseChip(chips, "this combination")});
}

SFUMATO_COLD bool BiasFault(const Record& r, const Context& c, std::string found, std::string legal, const char* hint) {
    return Tell(
        r, c,
        {Rule::kMmadBias, isa::OperandName(r, 3), "the bias cannot be used", std::move(found), std::move(legal), hint});
}

bool CheckBias(const Record& r, const Context& c) {
    constexpr int kBias = 3;
    if (r.operand_count <= kBias)
        return BiasFault(r, c, "no bias row", "a bias row in BT or L0C", "pass a bias tensor");
    const isa::Operand& bias = r.operand[kBias];
    if (bias.memory != Memory::kBt && bias.memory != Memory::kL0C) {
        return WrongMemory(r, c, kBias, HomeText(r, Memory::kBt) + " or " + HomeText(r, Memory::kL0C),
                           Spelling(r, "copy the bias to a tensor in C2 first",
                                    "copy the bias to a Tensor with one of these scopes first"));
    }
    if (bias.memory == Memory::kBt && c.chip->Bytes(Memory::kBt) == 0) {
        return BiasFault(
            r, c, fmt::format("a bias table on {}", c.chip->name), "a bias in L0C",
            Spelling(r, "C2 is L0C on this chip: check the chip", "copy the bias to a Tensor with scope=tik.scope_cc"));
    }
    if (BitsOf(r.src0().type) == 4) {
        return BiasFault(r, c, fmt::format("a bias with {}", TypeName(r, r.src0().type)), "no bias with this type",
                         "add the bias after the product");
    }
    if (bias.type != r.dst().type) {
        return BiasFault(r, c, TypeName(r, bias.type), fmt::format("{}, the type of dst", TypeName(r, r.dst().type)),
                         Spelling(r, "give the bias the type of dst; DataCopy makes float of half on the way to C2",
                                  "give the bias the type of dst"));
    }
    return CheckOperandMemory(r, c, kBias);
}

bool CheckMemories(const Record& r, const Context& c) {
    struct Home {
        Memory memory;
        const char* hint;
    };
    constexpr Home kHomes[] = {{Memory::kL0C, "let Mmad write to a tensor in CO1"},
                               {Memory::kL0A, "load the matrix to a tensor in A2 first"},
                               {Memory::kL0B, "load the matrix to a tensor in B2 first"}};
    for (int i = 0; i < 3; ++i) {
        if (r.operand[static_cast<size_t>(i)].memory != kHomes[i].memory) {
            return WrongMemory(r, c, i, kHomes[i].memory, kHomes[i].hint);
        }
        if (!CheckOperandMemory(r, c, i)) return false;
    }
    return true;
}

}  // namespace

bool Check(const Record& r, const isa::Matmul& s, const Context& c) {
    if (!c.chip->Mmad(r.api, r.src0().type, r.src1().type, r.dst().type)) [[unlikely]]
        return TypesUnsupported(r, c);
    if (!CheckMemories(r, c) || !CheckParameters(r, c, s, kMatmul)) return false;
    if (s.initial == Matmul::Initial::kBias && !CheckBias(r, c)) return false;
    if (BitsOf(r.src0().type) == 4 && s.k % 2 != 0) {
        return ParameterAlignment(r, c, Spelling(r, "k", "matrix_k"), s.k, 2, " (whole bytes of 4-bit elements)");
    }
    if (s.k_direction_align && r.src0().type != DataType::kFloat) {
        return ParameterRange(r, c, "kDirectionAlign", 1, "0; 1 with float alone", "set kDirectionAlign to false");
    }
    return CheckUnitFlag(r, c, s.unit_flag) && CheckRanges(r, c);
}

}  // namespace sfumato::check
