// SPDX-License-Identifier: Apache-2.0
// The constraints of adv.md 3.2 once more, written without the planner: what every plan must pass.
#pragma once

#include <string>
#include <vector>

#include "sfumato/tiling/cube_planner.h"

namespace sfumato::tiling {

// The names of the constraints that a tiling breaks.
inline std::vector<std::string> Broken(const TCubeTiling& t, const CubeTypes& types, const CubeMachine& chip) {
    std::vector<std::string> broken;
    const auto check = [&broken](bool holds, const char* name) {
        if (!holds) broken.emplace_back(name);
    };
    const auto up = [](uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; };
    for (const int32_t value : {t.usedCoreNum, t.M,      t.N,      t.Ka,    t.Kb,      t.singleCoreM, t.singleCoreN,
                                t.singleCoreK, t.baseM,  t.baseN,  t.baseK, t.depthA1, t.depthB1,     t.stepM,
                                t.stepN,       t.stepKa, t.stepKb, t.dbL0A, t.dbL0B,   t.dbL0C}) {
        if (value <= 0) return {"positive"};
    }
    const uint64_t m = static_cast<uint64_t>(t.baseM), n = static_cast<uint64_t>(t.baseN),
                   k = static_cast<uint64_t>(t.baseK);
    const uint64_t bits = BitsOf(types.a.type), c0 = 256 / bits;
    check(m * k * bits / 8 * static_cast<uint64_t>(t.dbL0A) <= chip.l0a, "L0A");
    check(n * k * bits / 8 * static_cast<uint64_t>(t.dbL0B) <= chip.l0b, "L0B");
    check(m * n * 4 * static_cast<uint64_t>(t.dbL0C) <= chip.l0c, "L0C");
    const uint64_t bias = t.isBias ? n * BitsOf(types.bias.type) / 8 : 0;
    if (chip.bt) check(bias <= chip.bt, "bias table");
    check(t.depthA1 % (t.stepM * t.stepKa) == 0 && t.depthA1 / (t.stepM * t.stepKa) <= 2, "depthA1");
    check(t.depthB1 % (t.stepN * t.stepKb) == 0 && t.depthB1 / (t.stepN * t.stepKb) <= 2, "depthB1");
    const uint64_t outer_a = types.a.transposed ? up(m, c0) : m, outer_b = types.b.transposed ? n : up(n, c0);
    check(outer_a * k * bits / 8 * static_cast<uint64_t>(t.depthA1) +
                  outer_b * k * bits / 8 * static_cast<uint64_t>(t.depthB1) + bias <=
              chip.l1,
          "L1");
    check(m % 16 == 0, "baseM");
    check(n % 16 == 0, "baseN");
    const bool inner = !types.a.transposed && types.b.transposed;
    check(k % c0 == 0 && (inner || k % 16 == 0), "baseK");
    const auto loads = [&](int32_t step) {
        return (static_cast<uint64_t>(t.singleCoreK) + k * static_cast<uint64_t>(step) - 1) /
               (k * static_cast<uint64_t>(step));
    };
    const uint64_t a = loads(t.stepKa), b = loads(t.stepKb);
    check(a % b == 0 || b % a == 0, "loads");
    check(a == 1 || t.stepM == 1, "stepM");
    check(b == 1 || t.stepN == 1, "stepN");
    check(static_cast<uint32_t>(t.usedCoreNum) <= std::max(chip.cube_cores, chip.vector_cores), "cores");
    check(t.singleCoreM <= t.M && t.singleCoreN <= t.N && t.singleCoreK <= t.Ka && t.singleCoreK <= t.Kb, "single");
    using AscendC::CubeFormat;
    using AscendC::TPosition;
    const auto multiples = [](uint64_t unit, int32_t one, int32_t other) {
        return static_cast<uint64_t>(one) % unit == 0 && static_cast<uint64_t>(other) % unit == 0;
    };
    if (types.a.format == CubeFormat::NZ && types.a.position != TPosition::TSCM) {
        check(multiples(16, t.singleCoreM, t.M) && multiples(types.a.transposed ? 16 : c0, t.singleCoreK, t.Ka),
              "NZ of A");
    }
    if (types.b.format == CubeFormat::NZ && types.b.position != TPosition::TSCM) {
        check(multiples(16, t.singleCoreN, t.N) && multiples(types.b.transposed ? c0 : 16, t.singleCoreK, t.Kb),
              "NZ of B");
    }
    if (types.c.format == CubeFormat::NZ && types.c.position != TPosition::CO1) {
        check(multiples(16, t.singleCoreM, t.M) &&
                  multiples(types.c.type == DataType::kInt8 ? 32 : 16, t.singleCoreN, t.N),
              "NZ of C");
    }
    return broken;
}

}  // namespace sfumato::tiling
