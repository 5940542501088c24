// SPDX-License-Identifier: Apache-2.0
// The matmul kernels of examples/matmul, global memory to global memory on one cube core, against OpenBLAS's sgemm of
// the same size on one thread; int8 against half; the class Matmul against the kernel tiled by hand.
#define ASCENDC_CUBE_ONLY
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "lib/matmul/matmul_tiling.h"
#include "lib/matmul_intf.h"
#include "matmul/fixpipe_out.h"
#include "pairs.h"
#include "sgemm.h"

namespace sfumato::bench {
namespace {

constexpr uint32_t kSide = 1024;
constexpr uint64_t kElements = uint64_t{kSide} * kSide;

// -1, 0 and 1: every type holds every sum of products exactly, so that the results can be compared.
template <class T>
void FillSmall(T* data, uint32_t seed) {
    std::mt19937 random(seed);
    for (uint64_t i = 0; i < kElements; ++i) data[i] = static_cast<T>(static_cast<int>(random() % 3) - 1);
}

// T: of A and B.
template <class T, class C, QuantMode_t mode = NoQuant>
class Product {
public:
    Product() { FillSmall(a_, 1), FillSmall(b_, 2); }

    void Run(benchmark::State& state) {
        LaunchOrFail(state, 1, memory_, [this] {
            KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
            // Two tiles fill L0A, L0B and L0C, two blocks fill L1.
            const MatmulTiling tiling{kSide, kSide, kSide, 128, 128, 256 / sizeof(T), 4};
            AscendC::TPipe pipe;
            using Out = matmul::FixpipeOut<Acc, C, mode>;
            Out out(tiling, reinterpret_cast<uint8_t*>(c_));
            matmul::TiledMatmul<T, Acc, Out> op(pipe, tiling, out);
            op.Process(reinterpret_cast<uint8_t*>(a_), reinterpret_cast<uint8_t*>(b_));
        });
    }
    std::vector<float> Result() const {
        std::vector<float> c(kElements);
        for (uint64_t i = 0; i < kElements; ++i) c[i] = static_cast<float>(c_[i]);
        return c;
    }

private:
    using Acc = std::conditional_t<sizeof(T) == 1, int32_t, float>;
    template <class E>
    E* Allocate(const char* name) {
        return reinterpret_cast<E*>(memory_.Allocate(kElements * sizeof(E), name));
    }
    GlobalMemory memory_;
    T *a_ = Allocate<T>("a"), *b_ = Allocate<T>("b");
    C* c_ = Allocate<C>("c");
};

// The high-level Matmul in the host's plan.
class HighLevel {
public:
    HighLevel() {
        FillSmall(a_, 1), FillSmall(b_, 2);
        matmul_tiling::MatmulApiTiling plan(*platform_ascendc::PlatformAscendCManager::GetInstance("Ascend910B1"));
        plan.SetAType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
        plan.SetBType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
        plan.SetCType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
        plan.SetShape(kSide, kSide, kSide);
        plan.GetTiling(tiling_);
    }

    void Run(benchmark::State& state) {
        LaunchOrFail(state, 1, memory_, [this] {
            KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
            using Half = AscendC::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, half>;
            AscendC::TPipe pipe;
            AscendC::Matmul<Half, Half, Half> mm;
            REGIST_MATMUL_OBJ(&pipe, nullptr, mm, &tiling_);
            AscendC::GlobalTensor<half> a, b, c;
            a.SetGlobalBuffer(a_, kElements), b.SetGlobalBuffer(b_, kElements), c.SetGlobalBuffer(c_, kElements);
            mm.SetTensorA(a);
            mm.SetTensorB(b);
            mm.IterateAll(c);
            mm.End();
        });
    }
    std::vector<float> Result() const { return {c_, c_ + kElements}; }

private:
    half* Allocate(const char* name) {
        return reinterpret_cast<half*>(memory_.Allocate(kElements * sizeof(half), name));
    }
    GlobalMemory memory_;
    half *a_ = Allocate("a"), *b_ = Allocate("b"), *c_ = Allocate("c");
    optiling::TCubeTiling tiling_;
};

class Sgemm {
public:
    Sgemm() { FillSmall(a_.data(), 1), FillSmall(b_.data(), 2); }
    void Run(benchmark::State&) { MultiplySquares(kSide, a_.data(), b_.data(), c_.data()); }
    const std::vector<float>& Result() const { return c_; }

private:
    std::vector<float> a_ = std::vector<float>(kElements), b_ = a_, c_ = a_;
};

template <class Ours, class Twin>
void Compare(benchmark::State& state, double bound) {
    Ours ours;
    Twin twin;
    ours.Run(state);
    twin.Run(state);
    if (ours.Result() != twin.Result()) return state.SkipWithError("the twin computes another product");
    MeasurePairs(state, {Measure::kSpeed, bound}, Clock::kProcess, {[&] { ours.Run(state); }, 1},
                 {[&] { twin.Run(state); }, 1}, 1);
}

using HalfProduct = Product<half, half, F322F16>;

[[maybe_unused]] const bool registered = [] {
    const auto add = [](const std::string& name, void (*body)(benchmark::State&, double), double bound) {
        benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& s) { body(s, bound); })
            ->UseManualTime()
            ->MinTime(2);
    };
    if (kHaveSgemm) {
        add("kernel_matmul_half", Compare<HalfProduct, Sgemm>, 0.5);
        add("kernel_matmul_bfloat16", Compare<Product<bfloat16_t, bfloat16_t, F322BF16>, Sgemm>, 0.25);
        add("kernel_matmul_float", Compare<Product<float, float>, Sgemm>, 0.25);
    }
    add("kernel_matmul_class_over_hand_tiled", Compare<HighLevel, HalfProduct>, 0.8);
    add("kernel_matmul_int8_over_half", Compare<Product<int8_t, int32_t>, HalfProduct>, 1);
    return true;
}();

}  // namespace
}  // namespace sfumato::bench
