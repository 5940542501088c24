// SPDX-License-Identifier: Apache-2.0
// Products on one cube core, for the tests of Matmul's forms and formats. They define ASCENDC_CUBE_ONLY before.
#pragma once

#include "matmul_support.h"

namespace sfumato::matmul_test {

template <class T, CubeFormat format = CubeFormat::ND, bool trans = false>
using InGm = MatmulType<TPosition::GM, format, T, trans>;

template <class Acc, class T>
std::vector<Acc> Whole(const Matrix<T>& a, const Matrix<T>& b) {
    std::vector<Acc> c;
    for (int32_t m = 0; m < a.rows; ++m) {
        for (int32_t n = 0; n < b.columns; ++n) c.push_back(Sum<Acc>(a, b, m, n));
    }
    return c;
}

// Runs the kernel on one cube core under every schedule over fresh memory: nothing is reported, and `c` holds `want`.
template <class C>
void Same(const std::vector<C>& want, int32_t row, const std::vector<C>& before,
          const std::function<std::function<void(uint8_t* c)>(GlobalMemory&)>& make) {
    for (const std::string& schedule : Schedules()) {
        GlobalMemory memory;
        const auto kernel = make(memory);
        uint8_t* c = Put(memory, before, "c");
        const LaunchResult result = Launch(Options(schedule, CoreChoice::kCube), 1, memory, [&] { kernel(c); });
        ASSERT_EQ(Told(result), "") << schedule;
        ASSERT_TRUE(SameBytes(Get<C>(c, want.size()), want, row)) << schedule;
    }
}
template <class C>
std::vector<C> Fives(size_t count) {
    return std::vector<C>(count, C(5));
}

// The product of half with float results, and what a test does with it.
struct Plain {
    Shape s{70, 90, 130};
    Matrix<half> a = RandomMatrix<half>(s.m, s.k, false, 5), b = RandomMatrix<half>(s.k, s.n, false, 6);
    std::vector<float> sums = Whole<float>(a, b);
    TCubeTiling tiling = Tiling(s);

    template <const auto& config = CFG_NORM, class CallBack = MatmulCallBackFunc<>, class Body>
    void Run(const std::vector<float>& want, const std::vector<float>& before, const Body& body) const {
        Same<float>(want, s.n, before, [&](GlobalMemory& memory) {
            uint8_t *gm_a = Put(memory, a.stored, "a"), *gm_b = Put(memory, b.stored, "b");
            return [=, this](uint8_t* c) {
                TPipe pipe;
                TCubeTiling own = tiling;
                Matmul<InGm<half>, InGm<half>, InGm<float>, InGm<float>, config, CallBack> mm;
                REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &own);
                mm.SetTensorA(Gm<half>(gm_a));
                mm.SetTensorB(Gm<half>(gm_b));
                body(mm, Gm<float>(c), Gm<half>(gm_a), Gm<half>(gm_b));
                mm.End();
            };
        });
    }
};

}  // namespace sfumato::matmul_test
