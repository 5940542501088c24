// SPDX-License-Identifier: Apache-2.0
// Programs that use Matmul wrongly: what each has, and how it runs (adv.md 2.11).
#pragma once

#include <vector>

#include "matmul_support.h"
#include "support/golden.h"
#include "support/raised.h"

namespace sfumato::matmul_test {

using In = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using NzIn = MatmulType<TPosition::GM, CubeFormat::NZ, half>;
using Int8In = MatmulType<TPosition::GM, CubeFormat::ND, int8_t>;
using HalfOut = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using Out = MatmulType<TPosition::GM, CubeFormat::ND, float>;
using Int32Row = MatmulType<TPosition::GM, CubeFormat::ND, int32_t>;
using SharedIn = MatmulType<TPosition::GM, CubeFormat::ND, half, false, LayoutMode::NONE, true>;
using BatchIn = MatmulType<TPosition::GM, CubeFormat::ND, half, false, LayoutMode::NORMAL>;
using OutUb = MatmulType<TPosition::VECIN, CubeFormat::ND, float>;

// What a wrong program gets: memory of zeros, and a plan for 32 x 48 x 64.
struct World {
    uint8_t *a, *b, *c;
    TCubeTiling tiling;
};
constexpr Shape kShape{32, 48, 64};

template <class M>
void Set(M& mm, const World& w) {
    mm.SetTensorA(Gm<half>(w.a));
    mm.SetTensorB(Gm<half>(w.b));
}

// A Matmul of half on the vector cores of a kernel of both kinds; `body` has it registered, and its matrices set.
template <const auto& config = CFG_NORM, class A = In, class C = Out, class Body>
auto Registered(const Body& body) {
    return [body](World& w) {
        TPipe pipe;
        Matmul<A, A, C, Out, config> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &w.tiling);
        body(mm, w);
    };
}

struct Program {
    const char* name;
    std::function<void(World&)> kernel;
    CoreChoice core = CoreChoice::kMixOneToOne;
    const char* chip = "Ascend910B1";
};

// Runs a program: all it is told, each with a line of the program.
inline std::vector<Report> Told(const Program& program) {
    GlobalMemory memory;
    World world{};
    constexpr size_t kBytes = 70000 * 64;
    for (uint8_t** p : {&world.a, &world.b, &world.c}) *p = memory.Allocate(kBytes, "gm");
    for (uint8_t* p : {world.a, world.b, world.c}) std::memset(p, 0, kBytes);
    world.tiling = Tiling(kShape);
    LaunchOptions options = Options("eager", program.core);
    options.chip = program.chip;
    options.check = "none";
    options.workers = 1;
    options.kernel = program.name;
    const LaunchResult result = Launch(options, 1, memory, [&] { program.kernel(world); });
    EXPECT_FALSE(result.findings.empty());
    for (const Report& r : result.findings) {
        Raised(r.rule);
        EXPECT_NE(r.file.find("/wrong_"), std::string::npos) << "no line of the program: " << r.file;
    }
    return result.findings;
}

// It stands in reports/, in the file with the name of the program's file (docs/adding.md, "A rule").
inline void GivesItsReport(const Program& program, const char* source = __builtin_FILE()) {
    ExpectReports(source, program.name, Told(program));
}

inline std::string NameOf(const ::testing::TestParamInfo<Program>& info) { return info.param.name; }

}  // namespace sfumato::matmul_test
