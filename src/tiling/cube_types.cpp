// SPDX-License-Identifier: Apache-2.0
// Where the matrices of a Matmul may lie, their formats and types (adv.md 3.3).
#include <algorithm>
#include <iterator>
#include <vector>

#include "tiling/cube_machine.h"
#include "tiling/cube_words.h"

namespace sfumato::tiling {

using AscendC::CubeFormat;
using AscendC::TPosition;
using Types = std::vector<DataType>;

CubeMachine CubeMachineOf(std::string_view name) {
    const soc::Chip& chip = soc::FindChip(name);
    if (!chip.cube_cores || !chip.ascendc) {
        Refuse("{} has no {}; Matmul has tilings on {}", chip.product, chip.cube_cores ? "Ascend C" : "cube unit",
               soc::FamilyList([](const soc::Chip& c) { return c.ascendc && c.cube_cores > 0; }));
    }
    return CubeMachineOf(chip);
}

CubeMachine CubeMachineOf(const soc::Chip& chip) {
    CubeMachine machine;
    machine.chip = chip.product;
    machine.l1 = chip.Bytes(isa::Memory::kL1);
    machine.l0a = chip.Bytes(isa::Memory::kL0A);
    machine.l0b = chip.Bytes(isa::Memory::kL0B);
    machine.l0c = chip.Bytes(isa::Memory::kL0C);
    machine.ub = chip.Bytes(isa::Memory::kUb);
    machine.bt = chip.Bytes(isa::Memory::kBt);
    machine.cube_cores = chip.cube_cores;
    machine.vector_cores = chip.split_cores ? chip.vector_cores : 0;
    machine.through_ub = chip.fixpipe.empty();
    return machine;
}

namespace {

// Types that go together: of A and B, of the bias, of C.
struct Combination {
    DataType ab;
    Types bias, c;
};
const std::vector<Combination>& Combinations() {
    using enum DataType;
    static const std::vector<Combination> rows = {
        {kFloat, {kFloat, kHalf}, {kFloat, kHalf, kBfloat16}},
        {kHalf, {kFloat, kHalf}, {kFloat, kHalf, kBfloat16, kInt8}},
        {kBfloat16, {kFloat, kHalf}, {kFloat, kHalf, kBfloat16, kInt8}},
        {kInt8, {kInt32}, {kInt32, kHalf, kInt8}},
        {kInt4, {kInt32}, {kInt32, kHalf}},
    };
    return rows;
}

std::string Names(const Types& types) {
    std::string names;
    for (const DataType type : types) names += fmt::format("{}{}", names.empty() ? "" : ", ", CName(type));
    return names;
}
bool Has(const Types& types, DataType type) { return std::find(types.begin(), types.end(), type) != types.end(); }

bool Multiplies(const soc::Chip& chip, DataType type) {
    return std::any_of(chip.mmad.begin(), chip.mmad.end(), [type](const soc::MatmulRow& row) {
        return row.api == isa::Api::kAscendC && row.a == type && row.b == type;
    });
}

struct Legal {
    const char* call;
    std::vector<TPosition> positions;
    const char* position_words;
    std::vector<CubeFormat> formats;
    const char* format_words;
};
const Legal& LegalOf(CubeOperand operand) {
    using enum TPosition;
    using enum CubeFormat;
    // VECIN, VECOUT and VECCALC alike: UB (adv.md 3.3, decided).
    static const Legal rows[] = {
        {"SetAType",
         {TPosition::GM, VECIN, VECOUT, VECCALC, TSCM},
         "GM, VECIN, VECOUT, VECCALC, TSCM",
         {ND, NZ, VECTOR, SCALAR},
         "ND, NZ, VECTOR, SCALAR"},
        {"SetBType",
         {TPosition::GM, VECIN, VECOUT, VECCALC, TSCM},
         "GM, VECIN, VECOUT, VECCALC, TSCM",
         {ND, NZ, SCALAR},
         "ND, NZ, SCALAR"},
        {"SetCType",
         {TPosition::GM, VECIN, VECOUT, VECCALC, CO1},
         "GM, VECIN, VECOUT, VECCALC, CO1",
         {ND, NZ, ND_ALIGN},
         "ND, NZ, ND_ALIGN"},
        {"SetBiasType", {TPosition::GM, VECIN, VECOUT, VECCALC, TSCM}, "GM, VECIN, VECOUT, VECCALC, TSCM", {ND}, "ND"},
    };
    return rows[static_cast<int>(operand)];
}

constexpr const char* kFormatNames[] = {"ND", "NZ", "ZN", "ZZ", "NN", "VECTOR", "SCALAR", "ND_ALIGN", "COLUMN_MAJOR"};

}  // namespace

std::string FormatName(CubeFormat format) {
    const auto number = static_cast<size_t>(format);
    return number < std::size(kFormatNames) ? kFormatNames[number] : fmt::format("{}", number);
}

void CubePlanner::SetType(CubeOperand operand, TPosition position, CubeFormat format, DataType type, bool transposed) {
    const Legal& legal = LegalOf(operand);
    const char* matrix = kMatrices[static_cast<int>(operand)];
    const auto in = [](const auto& values, auto value) {
        return std::find(values.begin(), values.end(), value) != values.end();
    };
    if (!in(legal.positions, position)) {
        Refuse("{}: {} lies in GM, UB or L1: position {} is none of {}", legal.call, matrix,
               soc::PositionName(static_cast<size_t>(position)), legal.position_words);
    }
    if (!in(legal.formats, format)) {
        Refuse("{}: the format of {} is {}; legal are {}", legal.call, matrix, FormatName(format), legal.format_words);
    }
    if (operand == CubeOperand::kC && position == TPosition::CO1 &&
        (format != CubeFormat::NZ || (type != DataType::kFloat && type != DataType::kInt32))) {
        Refuse("SetCType: C in CO1 is NZ of float or int32_t, not {} of {}", FormatName(format), CName(type));
    }
    if (transposed && format == CubeFormat::VECTOR) Refuse("SetAType: A of format VECTOR is not transposed");
    if (transposed && type == DataType::kInt4 && operand == CubeOperand::kA) {
        Refuse("SetAType: A of int4b_t is not transposed");
    }
    if (transposed && type == DataType::kInt8 && operand == CubeOperand::kA && machine_.through_ub) {
        Refuse("SetAType: A of int8_t is not transposed where C goes through UB");
    }
    CubeMatrix* const matrices[] = {&types_.a, &types_.b, &types_.c, &types_.bias};
    *matrices[static_cast<int>(operand)] = {true, position, format, type, transposed};
}

void CubePlanner::CheckTypes() const {
    const CubeMatrix* const matrices[] = {&types_.a, &types_.b, &types_.c, &types_.bias};
    for (int i = 0; i < (bias_ ? 4 : 3); ++i) {
        if (!matrices[i]->given) {
            Refuse("GetTiling: the type of {} is missing: call {}", kMatrices[i],
                   LegalOf(static_cast<CubeOperand>(i)).call);
        }
    }
    const soc::Chip& chip = soc::FindChip(machine_.chip);
    const DataType a = types_.a.type, b = types_.b.type, c = types_.c.type;
    const bool widens = machine_.through_ub && a == DataType::kHalf && b == DataType::kInt8;
    if (a != b && !widens) Refuse("GetTiling: A is {}, B is {}; they have one type", CName(a), CName(b));
    Types legal;
    const Combination* row = nullptr;
    for (const Combination& combination : Combinations()) {
        // Chips whose C goes through UB have no Matmul of int4b_t (adv.md 3.3).
        if (!Multiplies(chip, combination.ab) || (machine_.through_ub && combination.ab == DataType::kInt4)) continue;
        legal.push_back(combination.ab);
        if (combination.ab == a) row = &combination;
    }
    if (!row) Refuse("GetTiling: A and B are {}; on {} legal are {}", CName(a), chip.name, Names(legal));
    Types out = row->c, bias = row->bias;
    // bfloat16_t only where it can be multiplied; a bias of half where a bias table widens it.
    if (!Multiplies(chip, DataType::kBfloat16)) std::erase(out, DataType::kBfloat16);
    if (!machine_.bt) std::erase(bias, DataType::kHalf);
    if (widens) out = {DataType::kFloat};
    if (!Has(out, c)) Refuse("GetTiling: C is {}; of A and B of {} legal are {}", CName(c), CName(a), Names(out));
    if (bias_ && !Has(bias, types_.bias.type)) {
        Refuse("GetTiling: the bias is {}; of A and B of {} legal are {}", CName(types_.bias.type), CName(a),
               Names(bias));
    }
    if (split_k_ && bias_) Refuse("GetTiling: K split over cores goes without a bias: each part would add it");
    if (split_k_ && types_.c.position != TPosition::GM) {
        Refuse("GetTiling: K split over cores needs C in GM, where the parts are added");
    }
}

}  // namespace sfumato::tiling
