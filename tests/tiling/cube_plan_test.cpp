// SPDX-License-Identifier: Apache-2.0
// Plans of Matmul: random problems on every chip with a cube unit pass the constraints, cover the whole, and follow the
// steps of adv.md 3.4.
#include <gtest/gtest.h>

#include <random>

#include "cube_checker.h"
#include "soc/chip.h"
#include "tiling/cube_words.h"

namespace sfumato::tiling {
namespace {

using AscendC::CubeFormat;
using AscendC::TPosition;
using enum DataType;

struct Kind {
    DataType ab, bias, c;
};
std::vector<Kind> KindsOf(const CubeMachine& machine) {
    std::vector<Kind> kinds = {
        {kInt8, kInt32, kInt32}, {kInt8, kInt32, kHalf}, {kHalf, kFloat, kFloat}, {kHalf, kFloat, kHalf}};
    if (machine.chip.starts_with("Ascend910B")) {
        for (const Kind& more :
             {Kind{kFloat, kFloat, kFloat}, Kind{kBfloat16, kFloat, kBfloat16}, Kind{kHalf, kHalf, kHalf},
              Kind{kInt4, kInt32, kInt32}, Kind{kHalf, kFloat, kInt8}, Kind{kInt8, kInt32, kInt8}})
            kinds.push_back(more);
    }
    return kinds;
}

std::vector<std::string> ChipsWithCubes() {
    std::vector<std::string> names;
    for (const soc::Chip& family : soc::Families()) {
        if (!family.ascendc) continue;
        for (const soc::Product& product : family.products) {
            if (product.cube_cores) names.push_back(product.name);
        }
    }
    return names;
}

CubePlanner Planner(const char* chip, CubeScope scope, DataType ab = kHalf, DataType c = kFloat) {
    CubePlanner planner(CubeMachineOf(chip), scope);
    planner.SetType(CubeOperand::kA, TPosition::GM, CubeFormat::ND, ab);
    planner.SetType(CubeOperand::kB, TPosition::GM, CubeFormat::ND, ab);
    planner.SetType(CubeOperand::kC, TPosition::GM, CubeFormat::ND, c);
    return planner;
}

// A random problem: what is set, what was set, whether a plan came.
class Random {
public:
    explicit Random(uint32_t seed) : random_(seed) {}
    int32_t Of(int32_t low, int32_t high) { return std::uniform_int_distribution<int32_t>(low, high)(random_); }
    bool Yes() { return Of(0, 1) == 1; }
    // Small sizes as often as large ones.
    int32_t Size() { return Of(1, 1 << Of(1, 14)); }
    CubeTypes Types(const Kind& kind, const CubeMachine& machine) {
        CubeTypes types;
        const auto format = [&] { return Of(0, 3) ? CubeFormat::ND : CubeFormat::NZ; };
        const bool turns = kind.ab != kInt4 && !(kind.ab == kInt8 && machine.through_ub);
        types.a = {true, TPosition::GM, format(), kind.ab, turns && Yes()};
        types.b = {true, TPosition::GM, format(), kind.ab, Yes()};
        types.c = {true, TPosition::GM, format(), kind.c, false};
        types.bias = {true, TPosition::GM, CubeFormat::ND, kind.bias, false};
        return types;
    }

private:
    std::mt19937 random_;
};

class OnEveryChip : public testing::TestWithParam<std::string> {};

TEST_P(OnEveryChip, RandomPlansPassEveryConstraint) {
    const CubeMachine machine = CubeMachineOf(GetParam());
    const std::vector<Kind> kinds = KindsOf(machine);
    Random random(static_cast<uint32_t>(std::hash<std::string>{}(GetParam())));
    int planned = 0;
    for (int round = 0; round < 400; ++round) {
        const Kind& kind = kinds[static_cast<size_t>(random.Of(0, static_cast<int32_t>(kinds.size()) - 1))];
        const auto c0 = static_cast<int32_t>(256 / BitsOf(kind.ab));
        const CubeTypes types = random.Types(kind, machine);
        int32_t m = random.Size(), n = random.Size(), k = random.Size();
        if (types.a.format == CubeFormat::NZ || types.b.format == CubeFormat::NZ || types.c.format == CubeFormat::NZ ||
            kind.ab == kInt4) {
            const int32_t unit = std::max(c0, 32);
            m = (m + unit - 1) / unit * unit, n = (n + unit - 1) / unit * unit, k = (k + unit - 1) / unit * unit;
        }
        const auto scope = static_cast<CubeScope>(random.Of(0, 2));
        CubePlanner planner(machine, scope);
        planner.SetType(CubeOperand::kA, types.a.position, types.a.format, types.a.type, types.a.transposed);
        planner.SetType(CubeOperand::kB, types.b.position, types.b.format, types.b.type, types.b.transposed);
        planner.SetType(CubeOperand::kC, types.c.position, types.c.format, types.c.type);
        planner.SetType(CubeOperand::kBias, types.bias.position, types.bias.format, types.bias.type);
        planner.SetShape(m, n, k);
        const int32_t more = random.Of(0, 64) * 64;  // the whole may be larger than what is computed
        planner.SetOrgShape(m + more, n + more, k + more, k + more);
        const bool split_k = scope == CubeScope::kManyCores && random.Of(0, 4) == 0;
        const bool bias = !split_k && random.Yes();
        planner.SetBias(bias);
        planner.SetTraverse(random.Of(0, 2));
        int32_t dim = 1;
        if (scope == CubeScope::kManyCores) {
            dim = random.Of(1, static_cast<int32_t>(machine.Cores()));
            planner.SetDim(dim);
            planner.SetSplitK(split_k);
            if (random.Of(0, 3) == 0) planner.SetAlignSplit({random.Of(1, 8) * 32, random.Of(1, 8) * 32, -1});
        }
        CubeMachine allowed = machine;
        if (random.Of(0, 3) == 0) {
            allowed.l1 = static_cast<uint64_t>(random.Of(192 << 10, static_cast<int32_t>(machine.l1)));
            planner.SetBufferSpace(static_cast<int32_t>(allowed.l1), -1, -1, -1);
        }
        TCubeTiling t;
        try {
            t = planner.Plan();
        } catch (const Error& error) {
            ADD_FAILURE() << "round " << round << ": " << error.what();
            continue;
        }
        ++planned;
        EXPECT_EQ(Broken(t, types, allowed), std::vector<std::string>{}) << "round " << round;
        // Kernels move fractals of C0 of the inner axis of a matrix in NZ.
        if (types.a.format == CubeFormat::NZ && types.a.transposed) {
            EXPECT_EQ(t.baseM % c0, 0) << "round " << round;
        }
        if (types.b.format == CubeFormat::NZ && !types.b.transposed) {
            EXPECT_EQ(t.baseN % c0, 0) << "round " << round;
        }
        EXPECT_EQ(BrokenCubeLimit(t, types, allowed).Text(), "") << "round " << round;
        // Cores and pieces cover what is computed, no core is without a piece.
        const auto parts = [](int32_t all, int32_t piece) { return (all + piece - 1) / piece; };
        if (scope == CubeScope::kManyCores) {
            EXPECT_EQ(t.usedCoreNum, parts(m, t.singleCoreM) * parts(n, t.singleCoreN) * parts(k, t.singleCoreK));
            EXPECT_LE(t.usedCoreNum, dim);
            if (!split_k) {
                EXPECT_EQ(t.singleCoreK, k);
            }
        } else {
            EXPECT_EQ(t.usedCoreNum, 1);
            EXPECT_EQ(t.singleCoreM, m);
            EXPECT_EQ(t.singleCoreN, n);
            EXPECT_EQ(t.singleCoreK, k);
        }
        EXPECT_EQ(t.M, m + more);
        EXPECT_EQ(t.isBias, bias);
    }
    EXPECT_EQ(planned, 400);
}

// Little space and fixed blocks: a plan passes the constraints, or the text names the one that cannot be met.
TEST_P(OnEveryChip, TightSpacePlansOrRefuses) {
    const CubeMachine machine = CubeMachineOf(GetParam());
    Random random(static_cast<uint32_t>(std::hash<std::string>{}(GetParam())) + 1);
    int planned = 0, refused = 0;
    for (int round = 0; round < 400; ++round) {
        CubePlanner planner = Planner(GetParam().c_str(), CubeScope::kOneCore);
        planner.SetShape(random.Size(), random.Size(), random.Size());
        CubeMachine allowed = machine;
        allowed.l1 = static_cast<uint64_t>(random.Of(512, 1 << random.Of(10, 19)));
        allowed.l0c = static_cast<uint64_t>(random.Of(512, 1 << random.Of(10, 17)));
        planner.SetBufferSpace(static_cast<int32_t>(allowed.l1), static_cast<int32_t>(allowed.l0c), -1, -1);
        if (random.Yes()) planner.SetFixSplit({random.Of(1, 16) * 16, random.Of(1, 32) * 16, -1});
        CubeTypes types;
        types.c.type = kFloat;
        try {
            const TCubeTiling t = planner.Plan();
            EXPECT_EQ(Broken(t, types, allowed), std::vector<std::string>{}) << "round " << round;
            ++planned;
        } catch (const Error& error) {
            const std::string text = error.what();
            EXPECT_TRUE(text.find(" fits " + machine.chip + ": ") != std::string::npos ||
                        text.find(" of SetFixSplit is ") != std::string::npos)
                << text;
            ++refused;
        }
    }
    EXPECT_GT(planned, 40);
    EXPECT_GT(refused, 40);
}

// The library's judgement of any tiling and the independent one agree.
TEST_P(OnEveryChip, BothCheckersAgreeOnChangedPlans) {
    const CubeMachine machine = CubeMachineOf(GetParam());
    Random random(static_cast<uint32_t>(std::hash<std::string>{}(GetParam())) + 2);
    using T = TCubeTiling;
    constexpr int32_t T::*kFields[] = {&T::usedCoreNum, &T::M,           &T::N,           &T::Ka,    &T::Kb,
                                       &T::singleCoreM, &T::singleCoreN, &T::singleCoreK, &T::baseM, &T::baseN,
                                       &T::baseK,       &T::depthA1,     &T::depthB1,     &T::stepM, &T::stepN,
                                       &T::stepKa,      &T::stepKb,      &T::dbL0A,       &T::dbL0B, &T::dbL0C};
    int good = 0, bad = 0;
    for (int round = 0; round < 2000; ++round) {
        CubePlanner planner = Planner(GetParam().c_str(), CubeScope::kOneCore);
        planner.SetShape(random.Size(), random.Size(), random.Size());
        TCubeTiling t = planner.Plan();
        CubeTypes types;
        types.c.type = kFloat;
        types.a.transposed = random.Yes(), types.b.transposed = random.Yes();
        int32_t& field = t.*kFields[static_cast<size_t>(random.Of(0, std::size(kFields) - 1))];
        field = random.Yes() ? field + random.Of(-2, 2) * (random.Yes() ? 16 : 1) : field * random.Of(0, 3);
        // Steps and depths go together, so that their products are met, too.
        if (random.Yes())
            t.depthA1 = t.stepM * t.stepKa * random.Of(1, 2), t.depthB1 = t.stepN * t.stepKb * random.Of(1, 2);
        if (t.dbL0A > 2 || t.dbL0B > 2 || t.dbL0C > 2) continue;  // 3.2 has no word on them, 3.1 has
        const bool passes = Broken(t, types, machine).empty();
        EXPECT_EQ(!BrokenCubeLimit(t, types, machine), passes) << BrokenCubeLimit(t, types, machine).Text();
        ++(passes ? good : bad);
    }
    EXPECT_GT(good, 100);
    EXPECT_GT(bad, 100);
}

std::string NameOf(const testing::TestParamInfo<std::string>& info) {
    std::string name;
    for (const char c : info.param) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return name;
}
INSTANTIATE_TEST_SUITE_P(Chips, OnEveryChip, testing::ValuesIn(ChipsWithCubes()), NameOf);

TEST(CubePlan, OneCore) {
    CubePlanner planner = Planner("Ascend910B1", CubeScope::kOneCore);
    planner.SetShape(512, 1024, 4096);
    const TCubeTiling t = planner.Plan();
    EXPECT_EQ(t.usedCoreNum, 1);
    EXPECT_EQ(t.M, 512);
    EXPECT_EQ(t.N, 1024);
    EXPECT_EQ(t.Ka, 4096);
    EXPECT_EQ(t.Kb, 4096);
    EXPECT_EQ(t.singleCoreM, 512);
    EXPECT_EQ(t.baseM, 128);
    EXPECT_EQ(t.baseN, 256);
    EXPECT_EQ(t.baseK, 64);  // 256 x 64 halves, twice, fill L0B
    EXPECT_EQ(t.dbL0A, 2);
    EXPECT_EQ(t.dbL0B, 2);
    EXPECT_EQ(t.dbL0C, 1);   // 128 x 256 floats fill L0C
    EXPECT_EQ(t.stepKa, 4);  // 8 would need 786432 bytes of L1
    EXPECT_EQ(t.stepKb, 4);
    EXPECT_EQ(t.depthA1, 8);
    EXPECT_EQ(t.depthB1, 8);
    EXPECT_EQ(t.shareL1Size, 8 * (128 + 256) * 64 * 2);
    EXPECT_EQ(t.shareL0CSize, 131072);
    EXPECT_EQ(t.transLength, 0);
    EXPECT_EQ(t.iterateOrder, 0);
}

TEST(CubePlan, SmallMatricesAreOneBlock) {
    CubePlanner planner = Planner("Ascend910B1", CubeScope::kOneCore);
    planner.SetShape(5, 7, 9);
    planner.SetTraverse(2);
    const TCubeTiling t = planner.Plan();
    EXPECT_EQ(t.singleCoreM, 5);
    EXPECT_EQ(t.baseM, 16);
    EXPECT_EQ(t.baseN, 16);
    EXPECT_EQ(t.baseK, 16);
    EXPECT_EQ(t.stepKa, 1);
    EXPECT_EQ(t.depthA1, 2);
    EXPECT_EQ(t.dbL0C, 2);
    EXPECT_EQ(t.iterateOrder, 1);
}

TEST(CubePlan, CoresShareTheWhole) {
    CubePlanner planner = Planner("Ascend910B1", CubeScope::kManyCores);
    planner.SetDim(48);
    planner.SetShape(1024, 640, 256);
    const TCubeTiling t = planner.Plan();
    // 1024 / 6 = 171 rows become 176, 640 / 8 columns stay 80.
    EXPECT_EQ(t.singleCoreM, 176);
    EXPECT_EQ(t.singleCoreN, 80);
    EXPECT_EQ(t.usedCoreNum, 48);
    EXPECT_EQ(planner.pieces_m(), 6);
    EXPECT_EQ(planner.pieces_n(), 8);
}

TEST(CubePlan, NoSplitIsBetterThanTheChosen) {
    // Every way to share the whole, tried one by one.
    Random random(13);
    for (int round = 0; round < 60; ++round) {
        const int32_t m = random.Size(), n = random.Size(), dim = random.Of(1, 48);
        CubePlanner planner = Planner("Ascend910B1", CubeScope::kManyCores);
        planner.SetDim(dim);
        planner.SetShape(m, n, 64);
        const TCubeTiling t = planner.Plan();
        const auto piece = [](int32_t all, int32_t cores) {
            return std::min(all, ((all + cores - 1) / cores + 15) / 16 * 16);
        };
        int64_t best = INT64_MAX;
        for (int32_t rows = 1; rows <= dim; ++rows) {
            for (int32_t columns = 1; rows * columns <= dim; ++columns)
                best = std::min(best, int64_t{piece(m, rows)} * piece(n, columns));
        }
        EXPECT_EQ(int64_t{t.singleCoreM} * t.singleCoreN, best) << m << " x " << n << " on " << dim;
    }
}

TEST(CubePlan, PiecesHaveRoomForFixedBlocks) {
    for (const CubeSizes base : {CubeSizes{-1, 160, -1}, CubeSizes{256, -1, -1}, CubeSizes{128, 240, -1}}) {
        CubePlanner planner = Planner("Ascend910B1", CubeScope::kManyCores);
        planner.SetDim(48);
        planner.SetShape(1024, 640, 256);
        planner.SetFixSplit(base);
        const TCubeTiling t = planner.Plan();
        if (base.m > 0) EXPECT_EQ(t.baseM, base.m);
        if (base.n > 0) EXPECT_EQ(t.baseN, base.n);
        EXPECT_GE(t.singleCoreM, t.baseM);
        EXPECT_GE(t.singleCoreN, t.baseN);
        EXPECT_EQ(t.usedCoreNum, Divided(1024, t.singleCoreM) * Divided(640, t.singleCoreN));
        EXPECT_LE(t.usedCoreNum, 48);
    }
}

TEST(CubePlan, WhatTheProgramFixes) {
    CubePlanner planner = Planner("Ascend910B1", CubeScope::kManyCores);
    planner.SetDim(20);
    planner.SetShape(500, 600, 700);
    planner.SetSingleShape({128, 160, -1});
    planner.SetFixSplit({64, 32, -1});
    const TCubeTiling t = planner.Plan();
    EXPECT_EQ(t.singleCoreM, 128);
    EXPECT_EQ(t.singleCoreN, 160);
    EXPECT_EQ(t.usedCoreNum, 16);
    EXPECT_EQ(t.baseM, 64);
    EXPECT_EQ(t.baseN, 32);
    EXPECT_EQ(t.dbL0C, 2);
    EXPECT_EQ(t.baseK, 256);
    EXPECT_EQ(t.stepKa, 3);  // all of K: 700 are 3 x 256
}

TEST(CubePlan, RangesAndUnitsOfPieces) {
    CubePlanner planner = Planner("Ascend910B1", CubeScope::kManyCores);
    planner.SetDim(48);
    planner.SetShape(4096, 4096, 64);
    planner.SetSingleRange({512, 1024, -1}, {512, 16, -1});
    EXPECT_EQ(planner.Plan().singleCoreM, 512);
    planner.SetSingleRange({}, {});
    planner.SetAlignSplit({1000, 1000, -1});
    const TCubeTiling t = planner.Plan();
    EXPECT_EQ(t.singleCoreM, 1000);
    EXPECT_EQ(t.singleCoreN, 1000);
    EXPECT_EQ(t.usedCoreNum, 25);
}

TEST(CubePlan, KIsSplitOnlyWhenAllowed) {
    CubePlanner planner = Planner("Ascend910B1", CubeScope::kManyCores);
    planner.SetDim(24);
    planner.SetShape(16, 16, 10000);
    EXPECT_EQ(planner.Plan().usedCoreNum, 1);
    planner.SetSplitK(true);
    const TCubeTiling t = planner.Plan();
    EXPECT_EQ(t.singleCoreK, 432);  // 10000 / 24 = 417, to 16
    EXPECT_EQ(t.usedCoreNum, 24);
}

TEST(CubePlan, LessSpaceSmallerBlocks) {
    CubePlanner planner = Planner("Ascend910B1", CubeScope::kOneCore);
    planner.SetType(CubeOperand::kBias, TPosition::GM, CubeFormat::ND, kFloat);
    planner.SetBias(true);
    planner.SetShape(512, 512, 512);
    planner.SetBufferSpace(-1, 32768, -1, 256);
    const TCubeTiling t = planner.Plan();
    EXPECT_EQ(t.baseN, 64);  // 64 floats in 256 bytes of bias table
    EXPECT_EQ(t.baseM, 128);
    EXPECT_EQ(t.dbL0C, 1);
}

TEST(CubePlan, ThroughUbOnCoupledChips) {
    CubePlanner planner = Planner("Ascend310P3", CubeScope::kManyCores, kHalf, kHalf);
    planner.SetDim(8);
    planner.SetShape(256, 256, 256);
    const TCubeTiling t = planner.Plan();
    EXPECT_EQ(t.transLength, t.baseM * t.baseN * 4);
    EXPECT_EQ(t.shareUbSize, t.transLength);
}

// B of 8 bits with its rows along N is turned in UB, in two squares of 32 x 32 bytes.
TEST(CubePlan, RoomToTurnBOnCoupledChips) {
    for (const bool transposed : {false, true}) {
        CubePlanner planner = Planner("Ascend310P3", CubeScope::kOneCore, kInt8, kInt32);
        planner.SetType(CubeOperand::kB, TPosition::GM, CubeFormat::ND, kInt8, transposed);
        planner.SetShape(16, 16, 64);
        EXPECT_EQ(planner.Plan().transLength, transposed ? 1024 : 2048);
    }
}

// B of int8_t beside A of half is half in L0B, and is widened in UB.
TEST(CubePlan, WidensBOnCoupledChips) {
    CubePlanner planner = Planner("Ascend310P3", CubeScope::kOneCore, DataType::kHalf, DataType::kFloat);
    planner.SetType(CubeOperand::kB, TPosition::GM, CubeFormat::ND, kInt8, true);
    planner.SetShape(16, 16, 64);
    EXPECT_EQ(planner.Plan().transLength, 2048);
    planner.SetShape(256, 256, 4096);
    const TCubeTiling t = planner.Plan();
    EXPECT_LE(t.baseN * t.baseK * 2 * t.dbL0B, 64 * 1024);
}

TEST(CubePlan, BatchesKeepTheirLayouts) {
    CubePlanner planner = Planner("Ascend910B1", CubeScope::kBatch);
    planner.SetShape(32, 64, 128);
    planner.SetLayout(CubeOperand::kA, {true, 1, 32, 2, 3, 128});
    planner.SetLayout(CubeOperand::kB, {true, 1, 64, 2, 3, 128});
    planner.SetLayout(CubeOperand::kC, {true, 1, 32, 2, 3, 64});
    planner.SetBatchNum(6);
    TCubeTiling t = planner.Plan();
    EXPECT_EQ(t.ALayoutInfoS, 32);
    EXPECT_EQ(t.BLayoutInfoG, 3);
    EXPECT_EQ(t.CLayoutInfoS1, 32);
    EXPECT_EQ(t.CLayoutInfoS2, 64);
    EXPECT_EQ(t.BatchNum, 6);
    planner.SetBatchInfoForNormal(2, 4, 32, 64, 128);
    t = planner.Plan();
    EXPECT_EQ(t.ALayoutInfoB, 2);
    EXPECT_EQ(t.BLayoutInfoB, 4);
    EXPECT_EQ(t.CLayoutInfoB, 4);
    EXPECT_EQ(t.BatchNum, 4);
}

TEST(CubePlan, ThreeBuffersHoldAllOfK) {
    CubePlanner planner = Planner("Ascend910B1", CubeScope::kOneCore);
    planner.SetThreeBuffers(true);
    planner.SetShape(256, 256, 192);
    const TCubeTiling t = planner.Plan();
    EXPECT_EQ(t.stepKa, 3);
    EXPECT_EQ(t.stepKb, 3);
}

}  // namespace
}  // namespace sfumato::tiling
