// SPDX-License-Identifier: Apache-2.0
// What the tiling of Matmul refuses, with the exact text: settings, plans, and tilings filled by hand.
#include <gtest/gtest.h>

#include <functional>

#include "cube_checker.h"

namespace sfumato::tiling {
namespace {

using AscendC::CubeFormat;
using AscendC::TPosition;
using enum DataType;

struct Wrong {
    const char* name;
    CubeScope scope;
    std::function<void(CubePlanner&)> set;
    const char* text;
    const char* chip = "Ascend910B1";
};

void Usual(CubePlanner& p, DataType ab = kHalf, DataType c = kFloat) {
    p.SetType(CubeOperand::kA, TPosition::GM, CubeFormat::ND, ab);
    p.SetType(CubeOperand::kB, TPosition::GM, CubeFormat::ND, ab);
    p.SetType(CubeOperand::kC, TPosition::GM, CubeFormat::ND, c);
    p.SetShape(256, 256, 256);
}
constexpr auto kOne = CubeScope::kOneCore;
constexpr auto kMany = CubeScope::kManyCores;

const std::vector<Wrong>& WrongPlans() {
    static const std::vector<Wrong> rows = {
#include "cube_refused.inc"
    };
    return rows;
}

TEST(CubeRefused, EachWithItsText) {
    for (const Wrong& wrong : WrongPlans()) {
        std::string found = "accepted";
        try {
            CubePlanner planner(CubeMachineOf(wrong.chip), wrong.scope);
            wrong.set(planner);
            planner.Plan();
        } catch (const Error& error) {
            found = error.what();
        }
        EXPECT_EQ(found, wrong.text) << wrong.name;
    }
    EXPECT_GE(WrongPlans().size(), 30u);
}

// A good tiling, one field of which is changed.
struct Field {
    int32_t TCubeTiling::*field;
    int32_t value;
    const char* text;
    std::function<void(CubeTypes&)> types = [](CubeTypes&) {};
};

TEST(CubeRefused, TilingsFilledByHand) {
    CubePlanner planner(CubeMachineOf("Ascend910B1"), kOne);
    Usual(planner);
    const TCubeTiling good = planner.Plan();
    CubeTypes usual;
    usual.c.type = usual.bias.type = kFloat;
    ASSERT_EQ(BrokenCubeLimit(good, usual, planner.machine()).Text(), "");
    using T = TCubeTiling;
    const auto nz = [](CubeMatrix CubeTypes::*matrix) {
        return [matrix](CubeTypes& types) { (types.*matrix).format = CubeFormat::NZ; };
    };
    const Field rows[] = {
        {&T::baseM, 0, "baseM is 0; it is at least 1"},
        {&T::depthB1, -4, "depthB1 is -4; it is at least 1"},
        {&T::dbL0C, 3, "dbL0C is 3; legal are 1 and 2"},
        {&T::usedCoreNum, 49, "usedCoreNum is 49; Ascend910B1 has 48 cores"},
        {&T::singleCoreM, 257, "singleCoreM is 257; M is 256"},
        {&T::Kb, 255, "singleCoreK is 256; Kb is 255"},
        {&T::baseM, 120, "baseM is 120; it is a multiple of 16"},
        {&T::baseK, 40, "baseK is 40; it is a multiple of 16"},
        {&T::singleCoreM, 250, "singleCoreM is 250; it is a multiple of 16, since A is NZ", nz(&CubeTypes::a)},
        {&T::N, 300, "N is 300; it is a multiple of 16, since B is NZ", nz(&CubeTypes::b)},
        {&T::M, 300, "M is 300; it is a multiple of 16, since C is NZ", nz(&CubeTypes::c)},
        {&T::baseK, 256, "baseM x baseK of half x dbL0A = 128 x 256 x 2 are 131072 bytes; L0A has 65536"},
        {&T::baseN, 512, "baseN x baseK of half x dbL0B = 512 x 64 x 2 are 131072 bytes; L0B has 65536"},
        {&T::dbL0C, 2, "baseM x baseN x 4 x dbL0C = 128 x 256 x 4 x 2 are 262144 bytes; L0C has 131072"},
        {&T::depthA1, 7, "depthA1 is 7; stepM x stepKa = 1 x 4, once or twice"},
        {&T::stepN, 3, "depthB1 is 8; stepN x stepKb = 3 x 4, once or twice"},
        {&T::depthA1, 64,
         "depthA1 64 and depthB1 8 of base blocks 128 x 64 and 64 x 256 take 1048576 + 262144 + 0 bytes; L1 has "
         "524288"},
    };
    for (const Field& row : rows) {
        TCubeTiling tiling = good;
        CubeTypes types = usual;
        tiling.*row.field = row.value;
        row.types(types);
        EXPECT_EQ(BrokenCubeLimit(tiling, types, planner.machine()).Text(), row.text);
        EXPECT_NE(Broken(tiling, types, planner.machine()), std::vector<std::string>{}) << row.text;
    }
    TCubeTiling loads = good;
    loads.singleCoreK = loads.Ka = loads.Kb = 640;  // 10 base blocks: 5 loads of 2, 4 of 3
    loads.stepKa = 2, loads.depthA1 = 2, loads.stepKb = 3, loads.depthB1 = 3;
    EXPECT_EQ(BrokenCubeLimit(loads, usual, planner.machine()).Text(),
              "K 640 in loads of baseK 64 x stepKa 2 and x stepKb 3 takes 5 and 4 loads; one divides the other");
    loads.stepKb = 2, loads.depthB1 = 2;
    loads.stepM = 2, loads.depthA1 = 4;
    EXPECT_EQ(BrokenCubeLimit(loads, usual, planner.machine()).Text(),
              "stepM is 2; it is 1 where L1 holds only 128 of K 640 of A");
    loads.stepM = 1, loads.depthA1 = 2;
    loads.stepN = 2, loads.depthB1 = 4;
    EXPECT_EQ(BrokenCubeLimit(loads, usual, planner.machine()).Text(),
              "stepN is 2; it is 1 where L1 holds only 128 of K 640 of B");
    TCubeTiling bias = good;
    bias.isBias = 1;
    CubeMachine small = planner.machine();
    small.bt = 512;
    EXPECT_EQ(BrokenCubeLimit(bias, usual, small).Text(),
              "baseN of float = 256 are 1024 bytes; the bias table has 512");
}

}  // namespace
}  // namespace sfumato::tiling
