// SPDX-License-Identifier: Apache-2.0
// Matmul on Ascend310P, whose cores have a cube unit and UB: tensors of UB, results in NZ, scratch.
#include <algorithm>
#include <cmath>

#include "matmul_support.h"

namespace sfumato::matmul_test {
namespace {

template <class T, CubeFormat format = CubeFormat::ND, bool trans = false>
using InGm = MatmulType<TPosition::GM, format, T, trans>;
template <class T, CubeFormat format = CubeFormat::ND, bool trans = false>
using InUb = MatmulType<TPosition::VECOUT, format, T, trans>;
using OutNz = MatmulType<TPosition::VECIN, CubeFormat::NZ, float>;

constexpr Shape kShape{48, 64, 96};

struct Product {
    Matrix<half> a, b;
    std::vector<float> bias = Random<float>(static_cast<size_t>(kShape.n), 3);
    std::vector<float> want;  // rows

    Product(bool trans_a, bool trans_b)
        : a(RandomMatrix<half>(kShape.m, kShape.k, trans_a, 1)), b(RandomMatrix<half>(kShape.k, kShape.n, trans_b, 2)) {
        for (int32_t m = 0; m < kShape.m; ++m) {
            for (int32_t n = 0; n < kShape.n; ++n)
                want.push_back(Sum<float>(a, b, m, n, bias[static_cast<size_t>(n)]));
        }
    }
    // body(a, b, bias, c): tensors of global memory.
    template <class Body>
    void Run(const std::vector<float>& result, const Body& body) const {
        for (const std::string& schedule : Schedules()) {
            GlobalMemory memory;
            uint8_t *gm_a = Put(memory, a.stored, "a"), *gm_b = Put(memory, b.stored, "b");
            uint8_t *gm_bias = Put(memory, bias, "bias"), *gm_c = memory.Allocate(result.size() * 4, "c");
            LaunchOptions options = Options(schedule, CoreChoice::kDefault);
            options.chip = "Ascend310P3";
            const LaunchResult told = Launch(options, 1, memory, [&] {
                body(Gm<half>(gm_a, a.stored.size()), Gm<half>(gm_b, b.stored.size()), Gm<float>(gm_bias, bias.size()),
                     Gm<float>(gm_c, result.size()));
            });
            ASSERT_EQ(Told(told), "") << schedule;
            ASSERT_TRUE(SameBytes(Get<float>(gm_c, result.size()), result, kShape.n)) << schedule;
        }
    }
};

TCubeTiling Plan() {
    TCubeTiling tiling = Tiling(kShape, 32, 48, 32);
    tiling.isBias = 1;
    return tiling;
}

// A tensor of UB, filled from GM.
template <class T>
LocalTensor<T> Fetched(TPipe& pipe, TBuf<TPosition::VECCALC>& buffer, const GlobalTensor<T>& from, uint32_t count) {
    pipe.InitBuffer(buffer, count * sizeof(T));
    LocalTensor<T> tensor = buffer.Get<T>();
    DataCopy(tensor, from, count);
    return tensor;
}

template <bool trans_a, bool trans_b>
void CheckInputs() {
    const Product p(trans_a, trans_b);
    p.Run(p.want, [&](auto A, auto B, auto Row, auto C) {
        TPipe pipe;
        TCubeTiling tiling = Plan();
        Matmul<InUb<half, CubeFormat::ND, trans_a>, InUb<half, CubeFormat::ND, trans_b>, InGm<float>, InUb<float>> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        TBuf<TPosition::VECCALC> a, b, bias, scratch;
        pipe.InitBuffer(scratch, 32 * 48 * 4);
        mm.SetLocalWorkspace(scratch.Get<uint8_t>());
        mm.SetTensorA(Fetched(pipe, a, A, static_cast<uint32_t>(p.a.stored.size())), trans_a);
        mm.SetTensorB(Fetched(pipe, b, B, static_cast<uint32_t>(p.b.stored.size())), trans_b);
        mm.SetBias(Fetched(pipe, bias, Row, static_cast<uint32_t>(p.bias.size())));
        mm.IterateAll(C);
        mm.End();
    });
}
TEST(MatmulCoupled, InputsInUb) {
    CheckInputs<false, false>();
    CheckInputs<true, false>();
    CheckInputs<false, true>();
    CheckInputs<true, true>();
}

std::vector<half> ToNz(const Matrix<half>& m) {
    std::vector<half> nz(static_cast<size_t>(m.rows * m.columns));
    for (int32_t r = 0; r < m.rows; ++r) {
        for (int32_t c = 0; c < m.columns; ++c)
            nz[static_cast<size_t>(c / 16 * m.rows * 16 + r * 16 + c % 16)] = m.At(r, c);
    }
    return nz;
}

// A in NZ in UB; C in NZ in UB, and with `both` in global memory, too.
void CheckNz(bool both) {
    Product p(false, false);
    p.a.stored = ToNz(p.a);
    std::vector<float> nz(p.want.size());
    for (int32_t m = 0; m < kShape.m; ++m) {
        for (int32_t n = 0; n < kShape.n; ++n)
            nz[static_cast<size_t>(n / 16 * kShape.m * 16 + m * 16 + n % 16)] =
                p.want[static_cast<size_t>(m * kShape.n + n)];
    }
    p.Run(nz, [&](auto A, auto B, auto Row, auto C) {
        TPipe pipe;
        TCubeTiling tiling = Plan();
        Matmul<InUb<half, CubeFormat::NZ>, InGm<half>, OutNz, InGm<float>> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        TBuf<TPosition::VECCALC> a, result, scratch;
        pipe.InitBuffer(scratch, 32 * 48 * 4);
        pipe.InitBuffer(result, kShape.m * kShape.n * 4);
        mm.SetLocalWorkspace(scratch.Get<uint8_t>());
        mm.SetTensorA(Fetched(pipe, a, A, static_cast<uint32_t>(p.a.stored.size())));
        mm.SetTensorB(B);
        mm.SetBias(Row);
        LocalTensor<float> c = result.Get<float>();
        for (int32_t n = 0; n < kShape.n; n += tiling.baseN) {
            for (int32_t m = 0; m < kShape.m; m += tiling.baseM) {
                ASSERT_TRUE(mm.Iterate());
                both ? mm.GetTensorC(C, c) : mm.GetTensorC(c);
                if (both) continue;
                // Every block lies at the start of the tensor.
                const int32_t rows = std::min(tiling.baseM, kShape.m - m);
                for (int32_t i = 0; i < std::min(tiling.baseN, kShape.n - n); i += 16)
                    DataCopy(C[(n + i) * kShape.m + m * 16], c[i * rows], static_cast<uint32_t>(rows * 16));
                PipeBarrier<PIPE_ALL>();
            }
        }
        mm.End();
    });
}
// B of int8_t with its rows along N: squares are turned in UB. k ends in the middle of a square.
template <class B>
void CheckTurned(bool nz, bool in_ub) {
    constexpr Shape kSize{32, 96, 80};
    const Matrix<int8_t> a = RandomMatrix<int8_t>(kSize.m, kSize.k, false, 4);
    Matrix<int8_t> b = RandomMatrix<int8_t>(kSize.k, kSize.n, false, 5);
    std::vector<int32_t> want;
    for (int32_t m = 0; m < kSize.m; ++m) {
        for (int32_t n = 0; n < kSize.n; ++n) want.push_back(Sum<int32_t>(a, b, m, n));
    }
    if (nz) {
        std::vector<int8_t> fractals(b.stored.size());
        for (int32_t r = 0; r < b.rows; ++r) {
            for (int32_t c = 0; c < b.columns; ++c)
                fractals[static_cast<size_t>(c / 32 * b.rows * 32 + r * 32 + c % 32)] = b.At(r, c);
        }
        b.stored = fractals;
    }
    for (const std::string& schedule : Schedules()) {
        GlobalMemory memory;
        uint8_t *gm_a = Put(memory, a.stored, "a"), *gm_b = Put(memory, b.stored, "b");
        uint8_t* gm_c = memory.Allocate(want.size() * 4, "c");
        LaunchOptions options = Options(schedule, CoreChoice::kDefault);
        options.chip = "Ascend310P3";
        const LaunchResult told = Launch(options, 1, memory, [&] {
            TPipe pipe;
            TCubeTiling tiling = Tiling(kSize, 32, 64, 64);
            Matmul<InGm<int8_t>, B, InGm<int32_t>> mm;
            REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
            TBuf<TPosition::VECCALC> buffer, scratch;
            pipe.InitBuffer(scratch, 32 * 64 * 4);
            mm.SetLocalWorkspace(scratch.Get<uint8_t>());
            mm.SetTensorA(Gm<int8_t>(gm_a, a.stored.size()));
            const auto from = Gm<int8_t>(gm_b, b.stored.size());
            if (in_ub) {
                mm.SetTensorB(Fetched(pipe, buffer, from, static_cast<uint32_t>(b.stored.size())));
            } else {
                mm.SetTensorB(from);
            }
            mm.IterateAll(Gm<int32_t>(gm_c, want.size()));
            mm.End();
        });
        ASSERT_EQ(Told(told), "") << schedule;
        ASSERT_TRUE(SameBytes(Get<int32_t>(gm_c, want.size()), want, kSize.n)) << schedule;
    }
}
TEST(MatmulCoupled, Int8RowsAlongN) {
    CheckTurned<InGm<int8_t>>(false, false);
    CheckTurned<InGm<int8_t, CubeFormat::NZ>>(true, false);
    CheckTurned<InUb<int8_t>>(false, true);
    CheckTurned<InUb<int8_t, CubeFormat::NZ>>(true, true);
}

// ND_ALIGN: rows of C are filled with 0 up to 32 bytes, whatever the last block of a row holds.
template <class In, class Out, class Acc>
void CheckFilled(int32_t n, const std::function<Out(Acc)>& convert, uint64_t scale = 0) {
    const Shape size{20, n, 48};
    const Matrix<In> a = RandomMatrix<In>(size.m, size.k, false, 6), b = RandomMatrix<In>(size.k, n, true, 7);
    const int32_t row = Rounded(n, static_cast<int32_t>(32 / sizeof(Out)));
    std::vector<Out> want(static_cast<size_t>(size.m * row)), before(want.size(), Out(9));
    for (int32_t m = 0; m < size.m; ++m) {
        for (int32_t i = 0; i < n; ++i) want[static_cast<size_t>(m * row + i)] = convert(Sum<Acc>(a, b, m, i));
    }
    for (const std::string& schedule : Schedules()) {
        GlobalMemory memory;
        uint8_t *gm_a = Put(memory, a.stored, "a"), *gm_b = Put(memory, b.stored, "b"), *gm_c = Put(memory, before, "c");
        LaunchOptions options = Options(schedule, CoreChoice::kDefault);
        options.chip = "Ascend310P3";
        const LaunchResult told = Launch(options, 1, memory, [&] {
            TPipe pipe;
            TCubeTiling tiling = Tiling(size, 16, 32, 32);
            Matmul<InGm<In>, InGm<In, CubeFormat::ND, true>, InGm<Out, CubeFormat::ND_ALIGN>> mm;
            REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
            TBuf<TPosition::VECCALC> scratch;
            pipe.InitBuffer(scratch, 16 * 32 * 4);
            mm.SetLocalWorkspace(scratch.Get<uint8_t>());
            mm.SetTensorA(Gm<In>(gm_a, a.stored.size()));
            mm.SetTensorB(Gm<In>(gm_b, b.stored.size()), true);
            if (scale) mm.SetQuantScalar(scale);
            mm.IterateAll(Gm<Out>(gm_c, want.size()));
            mm.End();
        });
        ASSERT_EQ(Told(told), "") << schedule << ", " << n;
        ASSERT_TRUE(SameBytes(Get<Out>(gm_c, want.size()), want, row)) << schedule << ", " << n;
    }
}
TEST(MatmulCoupled, FilledRows) {
    const auto scaled = [](int32_t sum) {
        const float whole = std::nearbyint(std::clamp(static_cast<float>(sum) / 1024, -256.0f, 255.0f));
        return static_cast<int8_t>(std::clamp(whole + 3, -128.0f, 127.0f));
    };
    for (const int32_t n : {1, 2, 13, 16, 17, 31, 32, 33, 45, 64, 78}) {
        CheckFilled<half, half, float>(n, [](float sum) { return half(sum); });
        CheckFilled<half, float, float>(n, [](float sum) { return sum; });
        CheckFilled<int8_t, int32_t, int32_t>(n, [](int32_t sum) { return sum; });
        // 2^-10, and 3 added, which no filled element may keep.
        CheckFilled<int8_t, int8_t, int32_t>(n, scaled, uint64_t{1} << 46 | uint64_t{3} << 37 | 0x3a800000);
    }
}

TEST(MatmulCoupled, ResultInUb) { CheckNz(false); }
TEST(MatmulCoupled, ResultInBoth) { CheckNz(true); }

}  // namespace
}  // namespace sfumato::matmul_test
