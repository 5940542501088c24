// SPDX-License-Identifier: Apache-2.0
// Matmul in kernels: tilings filled by hand that break adv.md 3.2, each constraint once, and constants that disagree.
#include "sfumato/tiling/cube_planner.h"
#include "wrong_programs.h"

namespace sfumato::matmul_test {
namespace {

using Change = std::function<void(TCubeTiling&)>;

// A Matmul that is only given its tiling: the usual one, changed.
template <class A = In, class B = A, class C = Out, const auto& config = CFG_NORM>
std::function<void(World&)> Given(const Change& change) {
    return [change](World& w) {
        TCubeTiling tiling = w.tiling;
        change(tiling);
        TPipe pipe;
        Matmul<A, B, C, Out, config> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    };
}
Change Field(int32_t TCubeTiling::*field, int32_t value) {
    return [field, value](TCubeTiling& t) { t.*field = value; };
}

// K of 640 in ten base blocks, of which L1 holds a few.
void Long(TCubeTiling& t, int32_t step_ka, int32_t step_kb) {
    t.Ka = t.Kb = t.singleCoreK = 640;
    t.stepKa = t.depthA1 = step_ka;
    t.stepKb = t.depthB1 = step_kb;
}

struct Row {
    const char* name;
    std::function<void(World&)> kernel;
    const char *found, *legal;
};

using FloatIn = MatmulType<TPosition::GM, CubeFormat::ND, float>;
using FloatTransposed = MatmulType<TPosition::GM, CubeFormat::ND, float, true>;
using NzOut = MatmulType<TPosition::GM, CubeFormat::NZ, float>;

std::vector<Row> Rows() {
    using T = TCubeTiling;
    return {
        {"m", Given(Field(&T::M, 0)), "M is 0", "it is at least 1"},
        {"n", Given(Field(&T::N, -3)), "N is -3", "it is at least 1"},
        {"ka", Given(Field(&T::Ka, 0)), "Ka is 0", "it is at least 1"},
        {"single_k", Given(Field(&T::singleCoreK, 0)), "singleCoreK is 0", "it is at least 1"},
        {"base_k", Given(Field(&T::baseK, 0)), "baseK is 0", "it is at least 1"},
        {"step_m", Given(Field(&T::stepM, 0)), "stepM is 0", "it is at least 1"},
        {"depth_b", Given(Field(&T::depthB1, -1)), "depthB1 is -1", "it is at least 1"},
        {"db_l0a", Given(Field(&T::dbL0A, 3)), "dbL0A is 3", "legal are 1 and 2"},
        {"db_l0c", Given(Field(&T::dbL0C, 0)), "dbL0C is 0", "legal are 1 and 2"},
        {"no_cores", Given(Field(&T::usedCoreNum, 0)), "usedCoreNum is 0", "it is at least 1"},
        {"many_cores", Given(Field(&T::usedCoreNum, 49)), "usedCoreNum is 49", "Ascend910B1 has 48 cores"},
        {"single_m", Given(Field(&T::singleCoreM, 33)), "singleCoreM is 33", "M is 32"},
        {"single_n", Given(Field(&T::singleCoreN, 50)), "singleCoreN is 50", "N is 48"},
        {"whole_kb", Given(Field(&T::Kb, 63)), "singleCoreK is 64", "Kb is 63"},
        {"base_n", Given(Field(&T::baseN, 24)), "baseN is 24", "it is a multiple of 16"},
        {"base_k_half", Given(Field(&T::baseK, 40)), "baseK is 40", "it is a multiple of 16"},
        {"base_k_int8", Given<Int8In, Int8In, Int32Row>(Field(&T::baseK, 48)), "baseK is 48", "it is a multiple of 32"},
        {"base_k_float", Given<FloatIn>(Field(&T::baseK, 24)), "baseK is 24", "it is a multiple of 16"},
        {"base_k_float_inner", Given<FloatIn, FloatTransposed>(Field(&T::baseK, 20)), "baseK is 20",
         "it is a multiple of 8"},
        {"nz_single", Given<NzIn, In>([](T& t) { t.M = 40, t.singleCoreM = 20; }), "singleCoreM is 20",
         "it is a multiple of 16, since A is NZ"},
        {"nz_whole", Given<In, NzIn>(Field(&T::N, 50)), "N is 50", "it is a multiple of 16, since B is NZ"},
        {"nz_out", Given<In, In, NzOut>([](T& t) { t.N = 96, t.singleCoreN = 40; }), "singleCoreN is 40",
         "it is a multiple of 16, since C is NZ"},
        {"l0a", Given(Field(&T::baseK, 1024)), "baseM x baseK of half x dbL0A = 32 x 1024 x 2 are 131072 bytes",
         "L0A has 65536"},
        {"l0b", Given(Field(&T::baseN, 512)), "baseN x baseK of half x dbL0B = 512 x 64 x 2 are 131072 bytes",
         "L0B has 65536"},
        {"l0c", Given([](T& t) { t.baseM = t.baseN = 256; }),
         "baseM x baseN x 4 x dbL0C = 256 x 256 x 4 x 1 are 262144 bytes", "L0C has 131072"},
        {"bias_table", Given([](T& t) { t.isBias = 1, t.baseN = 512, t.baseK = 32; }),
         "baseN of float = 512 are 2048 bytes", "the bias table has 1024"},
        {"l1", Given([](T& t) { t.stepKa = 64, t.depthA1 = 128; }),
         "depthA1 128 and depthB1 2 of base blocks 32 x 64 and 64 x 48 take 524288 + 12288 + 0 bytes",
         "L1 has 524288"},
        {"trans_length", Given(Field(&T::transLength, 200000)), "transLength is 200000 bytes", "UB has 196608"},
        {"depth_a", Given(Field(&T::depthA1, 3)), "depthA1 is 3", "stepM x stepKa = 1 x 1, once or twice"},
        {"depth_of_step_n", Given(Field(&T::stepN, 4)), "depthB1 is 2", "stepN x stepKb = 4 x 1, once or twice"},
        {"loads", Given([](T& t) { Long(t, 2, 3); }),
         "K 640 in loads of baseK 64 x stepKa 2 and x stepKb 3 takes 5 and 4 loads", "one divides the other"},
        {"step_m_long", Given([](T& t) { Long(t, 2, 2), t.stepM = 2, t.depthA1 = 4; }), "stepM is 2",
         "it is 1 where L1 holds only 128 of K 640 of A"},
        {"step_n_long", Given([](T& t) { Long(t, 2, 2), t.stepN = 2, t.depthB1 = 4; }), "stepN is 2",
         "it is 1 where L1 holds only 128 of K 640 of B"},
    };
}

// Init told it, of one parameter; all else is the same for each.
void ExpectInit(const Program& program, const char* rule, const char* message, const std::string& words) {
    const std::vector<Report> told = Told(program);
    ASSERT_EQ(told.size(), 1u);
    const Report& r = told[0];
    EXPECT_EQ(r.severity, Severity::kFault);
    EXPECT_EQ(r.rule, rule);
    EXPECT_EQ(r.instruction, "Init");
    EXPECT_EQ(r.message, message);
    EXPECT_EQ(r.operand + "; " + r.found + "; " + r.legal + "; " + r.hint + "; " + r.core, words);
}

class WrongTiling : public ::testing::TestWithParam<Row> {};
TEST_P(WrongTiling, IsNamed) {
    const Row& row = GetParam();
    ExpectInit({row.name, row.kernel}, "matmul-tiling", "Init: the tiling breaks a constraint",
               std::string("tiling; ") + row.found + "; " + row.legal +
                   "; let the host's GetTiling compute it; check what SetFixSplit was given; aiv0");
}
INSTANTIATE_TEST_SUITE_P(All, WrongTiling, ::testing::ValuesIn(Rows()),
                         [](const auto& row) { return std::string(row.param.name); });

// A full set of constants, one of which the tiling contradicts.
constexpr MatmulConfig kAll = GetMMConfig<MatmulConfigMode::CONFIG_NORM>(MatmulShapeParams{32, 48, 64, 32, 48, 64});
constexpr auto kFull = GetMatmulApiTiling<In, In, Out, Out>(kAll);

class WrongConstant : public ::testing::TestWithParam<std::tuple<const char*, int32_t TCubeTiling::*, int32_t, int32_t>> {};
TEST_P(WrongConstant, IsNamed) {
    const auto [name, field, value, constant] = GetParam();
    ExpectInit({name, Given<In, In, Out, kFull>(Field(field, value))}, "matmul-static",
               "Init: the constant is not what the tiling says",
               std::string(name) + "; " + std::to_string(value) + "; " + std::to_string(constant) +
                   "; let the host compute the tiling from the same sizes; aiv0");
}
INSTANTIATE_TEST_SUITE_P(All, WrongConstant,
                         ::testing::Values(std::tuple{"singleCoreM", &TCubeTiling::singleCoreM, 16, 32},
                                           std::tuple{"singleCoreN", &TCubeTiling::singleCoreN, 32, 48},
                                           std::tuple{"singleCoreK", &TCubeTiling::singleCoreK, 32, 64},
                                           std::tuple{"baseN", &TCubeTiling::baseN, 16, 48},
                                           std::tuple{"baseK", &TCubeTiling::baseK, 32, 64},
                                           std::tuple{"depthA1", &TCubeTiling::depthA1, 1, 2},
                                           std::tuple{"dbL0B", &TCubeTiling::dbL0B, 1, 2}),
                         [](const auto& row) { return std::string(std::get<0>(row.param)); });

// The constants of a static tiling are the host's plan of the same base blocks (adv.md 3.4).
TEST(StaticTiling, IsThePlanOfTheHost) {
    EXPECT_EQ(kFull.depthA1, 2);
    constexpr MatmulConfig kLong = GetMMConfig<MatmulConfigMode::CONFIG_NORM>(MatmulShapeParams{256, 256, 4096, 128, 256, 64});
    using Transposed = MatmulType<TPosition::GM, CubeFormat::ND, int8_t, true>;
    constexpr auto kHalf = GetMatmulApiTiling<In, In, Out, Out>(kLong);
    constexpr auto kTurned = GetMatmulApiTiling<Transposed, Int8In, Int32Row, Int32Row>(kLong, 200 * 1024);
    const auto planned = [](bool transposed, DataType in, DataType out, int32_t l1) {
        tiling::CubePlanner planner(tiling::CubeMachineOf("Ascend910B1"), tiling::CubeScope::kOneCore);
        using tiling::CubeOperand;
        planner.SetType(CubeOperand::kA, TPosition::GM, CubeFormat::ND, in, transposed);
        planner.SetType(CubeOperand::kB, TPosition::GM, CubeFormat::ND, in);
        planner.SetType(CubeOperand::kC, TPosition::GM, CubeFormat::ND, out);
        planner.SetType(CubeOperand::kBias, TPosition::GM, CubeFormat::ND, out);
        planner.SetBias(true);
        planner.SetShape(256, 256, 4096);
        planner.SetFixSplit({128, 256, -1});
        planner.SetBufferSpace(l1, -1, -1, -1);
        return planner.Plan();
    };
    const auto same = [](const TCubeTiling& constants, const TCubeTiling& plan) {
        EXPECT_EQ(constants.stepKa * constants.baseK, plan.stepKa * plan.baseK);
        EXPECT_EQ(constants.depthA1 * constants.baseK, plan.depthA1 * plan.baseK);
        EXPECT_EQ(constants.dbL0C, plan.dbL0C);
        EXPECT_EQ(constants.dbL0A, 2);
    };
    same(kHalf, planned(false, DataType::kHalf, DataType::kFloat, -1));
    same(kTurned, planned(true, DataType::kInt8, DataType::kInt32, 200 * 1024));
}

}  // namespace
}  // namespace sfumato::matmul_test
