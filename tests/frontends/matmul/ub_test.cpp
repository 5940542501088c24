// SPDX-License-Identifier: Apache-2.0
// Matmul between the buffers of vector cores: inputs and results in UB, asynchronous results, SyncAll while served.
#include <algorithm>

#include "matmul_support.h"

namespace sfumato::matmul_test {
namespace {

template <class T, CubeFormat format = CubeFormat::ND, bool trans = false>
using InGm = MatmulType<TPosition::GM, format, T, trans>;
template <class T, CubeFormat format = CubeFormat::ND, bool trans = false>
using InUb = MatmulType<TPosition::VECOUT, format, T, trans>;
template <class T, CubeFormat format = CubeFormat::ND>
using OutUb = MatmulType<TPosition::VECIN, format, T>;

// Two blocks of two vector cores, each with a product of its own: A, B and C of core i lie behind one another.
struct Four {
    static constexpr int32_t kCores = 4;
    Shape s;
    std::vector<Matrix<half>> a, b;
    std::vector<half> all_a, all_b;
    std::vector<float> want;

    explicit Four(Shape shape, bool trans_a = false) : s(shape) {
        for (int32_t i = 0; i < kCores; ++i) {
            a.push_back(RandomMatrix<half>(s.m, s.k, trans_a, 11 + static_cast<uint64_t>(i)));
            b.push_back(RandomMatrix<half>(s.k, s.n, false, 21 + static_cast<uint64_t>(i)));
            all_a.insert(all_a.end(), a.back().stored.begin(), a.back().stored.end());
            all_b.insert(all_b.end(), b.back().stored.begin(), b.back().stored.end());
            for (int32_t m = 0; m < s.m; ++m) {
                for (int32_t n = 0; n < s.n; ++n) want.push_back(Sum<float>(a.back(), b.back(), m, n));
            }
        }
    }
    // body(pipe, own tiling, a, b, c) with the tensors of the core.
    template <class Body>
    void Run(const Body& body, uint32_t guard = 0) const {
        for (const std::string& schedule : Schedules()) {
            GlobalMemory memory;
            uint8_t *gm_a = Put(memory, all_a, "a"), *gm_b = Put(memory, all_b, "b");
            uint8_t* gm_c = memory.Allocate(want.size() * 4 + guard, "c");
            LaunchOptions options = Options(schedule, CoreChoice::kMix);
            options.workers = 2;
            const LaunchResult result = Launch(options, 2, memory, [&] {
                const auto i = static_cast<uint64_t>(GetBlockIdx());
                const auto A = Gm<half>(gm_a)[i * a[0].stored.size()], B = Gm<half>(gm_b)[i * b[0].stored.size()];
                const auto C = Gm<float>(gm_c)[i * static_cast<uint64_t>(s.m * s.n)];
                body(A, B, C);
            });
            ASSERT_EQ(Told(result), "") << schedule;
            ASSERT_TRUE(SameBytes(Get<float>(gm_c, want.size()), want, s.n)) << schedule;
        }
    }
};

// A tensor of UB, filled from GM.
template <class Queue, class T>
LocalTensor<T> Fetched(Queue& queue, const GlobalTensor<T>& from, int32_t count) {
    LocalTensor<T> tensor = queue.template AllocTensor<T>();
    DataCopy(tensor, from, static_cast<uint32_t>(count));
    queue.EnQue(tensor);
    return queue.template DeQue<T>();
}

template <bool trans_a>
void CheckInputs() {
    const Four f({32, 48, 64}, trans_a);
    f.Run([&](auto A, auto B, auto C) {
        TPipe pipe;
        TCubeTiling tiling = Tiling(f.s, 16, 32, 32);
        Matmul<InUb<half, CubeFormat::ND, trans_a>, InUb<half>, InGm<float>> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> a_queue, b_queue;
        pipe.InitBuffer(a_queue, 1, 32 * 64 * 2);
        pipe.InitBuffer(b_queue, 1, 64 * 48 * 2);
        auto a = Fetched(a_queue, A, f.s.m * f.s.k);
        auto b = Fetched(b_queue, B, f.s.k * f.s.n);
        mm.SetTensorA(a, trans_a);
        mm.SetTensorB(b);
        mm.IterateAll(C);
        mm.End();
        a_queue.FreeTensor(a);
        b_queue.FreeTensor(b);
    });
}
TEST(MatmulUb, Inputs) { CheckInputs<false>(); }
TEST(MatmulUb, TransposedInputs) { CheckInputs<true>(); }

// A in NZ in UB, the bias in UB, the result in NZ in UB.
TEST(MatmulUb, NzAndBias) {
    Four f({32, 48, 64});
    const std::vector<float> bias = Random<float>(48, 91);
    for (size_t i = 0; i < f.want.size(); ++i) {
        const size_t core = i / (32 * 48), m = i % (32 * 48) / 48, n = i % 48;
        f.want[i] = Sum<float>(f.a[core], f.b[core], static_cast<int32_t>(m), static_cast<int32_t>(n), bias[n]);
    }
    f.Run([&](auto A, auto B, auto C) {
        TPipe pipe;
        TCubeTiling tiling = Tiling(f.s, 16, 32, 32);
        tiling.isBias = 1;
        Matmul<InUb<half, CubeFormat::NZ>, InGm<half>, OutUb<float, CubeFormat::NZ>, InUb<float>> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> a_queue;
        TBuf<TPosition::VECCALC> bias_buffer, c_buffer;
        pipe.InitBuffer(a_queue, 1, 32 * 64 * 2);
        pipe.InitBuffer(bias_buffer, 48 * 4);
        pipe.InitBuffer(c_buffer, 32 * 48 * 4);
        LocalTensor<half> a = a_queue.template AllocTensor<half>();
        for (uint32_t column = 0; column < 4; ++column)  // to NZ
            DataCopy(a[column * 32 * 16], A[column * 16], DataCopyParams(32, 1, 3, 0));
        a_queue.EnQue(a);
        a = a_queue.template DeQue<half>();
        LocalTensor<float> row = bias_buffer.Get<float>(), c = c_buffer.Get<float>();
        for (uint32_t i = 0; i < 48; ++i) row.SetValue(i, bias[i]);
        mm.SetTensorA(a);
        mm.SetTensorB(B);
        mm.SetBias(row);
        mm.IterateAll(c);
        for (uint32_t column = 0; column < 3; ++column)  // to rows
            DataCopy(C[column * 16], c[column * 32 * 16], DataCopyParams(32, 2, 0, 4));
        mm.End();
        a_queue.FreeTensor(a);
    });
}

// The result goes to UB, is doubled there and written.
template <CubeFormat format, class Take>
void CheckOutput(Shape s, const Take& take) {
    Four f(s);
    for (float& value : f.want) value *= 2;
    f.Run([&](auto A, auto B, auto C) {
        TPipe pipe;
        TCubeTiling tiling = Tiling(f.s, 16, 32, 32);
        Matmul<InGm<half>, InGm<half>, OutUb<float, format>> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        TBuf<TPosition::VECCALC> buffer, of_block;
        const int32_t pitch = Rounded(f.s.n, 8);
        pipe.InitBuffer(buffer, static_cast<uint32_t>(f.s.m * pitch) * 4);
        pipe.InitBuffer(of_block, 16 * 32 * 4);
        LocalTensor<float> c = buffer.Get<float>(), block = of_block.Get<float>();
        mm.SetTensorA(A);
        mm.SetTensorB(B);
        take(mm, c, block, f.s);
        Muls(c, c, 2.0f, f.s.m * pitch);
        PipeBarrier<PIPE_ALL>();
        for (int32_t n = f.s.n; n < pitch; ++n) ASSERT_EQ(c.GetValue(static_cast<uint32_t>(n)), 0.0f);
        const DataCopyExtParams rows{static_cast<uint16_t>(f.s.m), static_cast<uint32_t>(f.s.n) * 4, 0, 0, 0};
        DataCopyPad(C, c, rows);
        mm.End();
    });
}
constexpr auto kWhole = [](auto& mm, auto& c, auto&, Shape) { mm.IterateAll(c); };
// Every block lies at the start of its tensor, which holds baseM x baseN elements.
constexpr auto kBlocks = [](auto& mm, auto& c, auto& block, Shape s) {
    const int32_t pitch = Rounded(s.n, 8);
    for (int32_t n = 0; n < s.n; n += 32) {
        for (int32_t m = 0; m < s.m; m += 16) {
            ASSERT_TRUE(mm.Iterate());
            mm.GetTensorC(block);
            const auto rows = static_cast<uint16_t>(std::min(16, s.m - m));
            const int32_t columns = Rounded(std::min(32, s.n - n), 8);
            DataCopy(c[m * pitch + n], block,
                     DataCopyParams(rows, static_cast<uint16_t>(columns / 8), 0, static_cast<uint16_t>((pitch - columns) / 8)));
            PipeBarrier<PIPE_ALL>();
        }
    }
    ASSERT_FALSE(mm.Iterate());
};
TEST(MatmulUb, Result) {
    CheckOutput<CubeFormat::ND>({40, 72, 50}, kWhole);
    CheckOutput<CubeFormat::ND>({40, 72, 50}, kBlocks);
}
TEST(MatmulUb, ResultWithFilledRows) {
    CheckOutput<CubeFormat::ND_ALIGN>({40, 69, 50}, kWhole);
    CheckOutput<CubeFormat::ND_ALIGN>({40, 69, 50}, kBlocks);
}

// B in TSCM, the half of L1 of each vector core: from GM, or from UB.
template <bool from_ub>
void CheckTscm() {
    const Four f({40, 64, 96});
    f.Run([&](auto A, auto B, auto C) {
        TPipe pipe;
        TCubeTiling tiling = Tiling(f.s, 16, 32, 32);
        Matmul<InGm<half>, MatmulType<TPosition::TSCM, CubeFormat::NZ, half>, InGm<float>> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        TSCM<from_ub ? TPosition::VECIN : TPosition::GM, 1> queue;
        TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> ub_queue;
        pipe.InitBuffer(queue, 1, 96 * 64 * 2);
        pipe.InitBuffer(ub_queue, 1, 96 * 64 * 2);
        LocalTensor<half> b = queue.template AllocTensor<half>();
        const Nd2NzParams n(1, 96, 64, 0, 64, 96, 1, 0);
        if constexpr (from_ub) {
            LocalTensor<half> ub = Fetched(ub_queue, B, 96 * 64);
            for (uint32_t row = 0; row < 96; ++row)  // to NZ
                DataCopy(b[row * 16], ub[row * 64], DataCopyParams(4, 1, 0, 95));
            ub_queue.FreeTensor(ub);
        } else {
            DataCopy(b, B, n);
        }
        queue.EnQue(b);
        b = queue.template DeQue<half>();
        mm.SetTensorA(A);
        mm.SetTensorB(b);
        mm.IterateAll(C);
        mm.End();
        queue.FreeTensor(b);
    });
}
TEST(MatmulUb, TscmFromGm) { CheckTscm<false>(); }
TEST(MatmulUb, TscmFromUb) { CheckTscm<true>(); }

// An asynchronous Iterate with a workspace as large as the piece and no larger; `take` fetches its blocks.
template <class Out, class Take>
void CheckAsynchronous(Shape s, const Take& take) {
    const Four f(s);
    f.Run([&](auto A, auto B, auto C) {
        TPipe pipe;
        TCubeTiling tiling = Tiling(f.s, 16, 32, 32);
        Matmul<InGm<half>, InGm<half>, Out> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
        pipe.InitBuffer(queue, 1, 16 * 32 * 4);
        auto workspace = Gm<float>(GetSysWorkSpacePtr() + 8 * 1024 * 1024 + GetBlockIdx() * 65536,
                                   static_cast<uint64_t>(f.s.m * f.s.n));
        mm.SetWorkspace(workspace);
        mm.SetTensorA(A);
        mm.SetTensorB(B);
        mm.template Iterate<false>();
        take(mm, queue, C);
        mm.End();
    });
}
// Every block, taken one by one from the workspace.
TEST(MatmulUb, AsynchronousBlocks) {
    CheckAsynchronous<OutUb<float>>({32, 64, 50}, [](auto& mm, auto& queue, auto& C) {
        for (int32_t i = 0; i < 4; ++i) {
            const GlobalTensor<float> block = mm.template GetTensorC<false>();
            LocalTensor<float> c = Fetched(queue, block, 16 * 32);
            DataCopy(C[i % 2 * 16 * 64 + i / 2 * 32], c, DataCopyParams(16, 4, 0, 4));
            queue.FreeTensor(c);
        }
    });
}
// One row: blocks are as large as they are.
TEST(MatmulUb, AsynchronousRow) {
    CheckAsynchronous<OutUb<float>>({1, 80, 50}, [](auto& mm, auto& queue, auto& C) {
        for (int32_t n = 0; n < 80; n += 32) {
            LocalTensor<float> block = queue.template AllocTensor<float>();
            if (n == 32) {
                const GlobalTensor<float> from = mm.template GetTensorC<false>();
                ASSERT_EQ(from.GetSize(), 32u);
                DataCopy(block, from, 32);
            } else {
                mm.template GetTensorC<false>(block);
                mm.WaitGetTensorC();
            }
            queue.EnQue(block);
            block = queue.template DeQue<float>();
            DataCopy(C[n], block, static_cast<uint32_t>(std::min(32, 80 - n)));
            queue.FreeTensor(block);
        }
    });
}
// Of another size, to their places in global memory.
TEST(MatmulUb, AsynchronousBlocksToGm) {
    CheckAsynchronous<InGm<float>>({32, 50, 50}, [](auto& mm, auto&, auto& C) {
        for (int32_t i = 0; i < 4; ++i) mm.template GetTensorC<false>(C);
    });
}

// Vector cores of two kinds of block meet while their cube cores serve.
TEST(MatmulUb, SyncAllWhileServed) {
    const Four f({32, 64, 50});
    f.Run([&](auto A, auto B, auto C) {
        TPipe pipe;
        TCubeTiling tiling = Tiling(f.s, 16, 32, 32);
        Matmul<InGm<half>, InGm<half>, InGm<float>> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        SyncAll<false>();
        mm.SetTensorA(A);
        mm.SetTensorB(B);
        mm.IterateAll(C);
        mm.End();
        SyncAll<false>();
    });
}

// Blocks that fill L0C: one vector core's block leaves before the other's is computed.
TEST(MatmulUb, BlocksOfAllL0C) {
    const Four f({130, 260, 20});
    f.Run([&](auto A, auto B, auto C) {
        TPipe pipe;
        TCubeTiling tiling = Tiling(f.s, 128, 256, 16);
        Matmul<InGm<half>, InGm<half>, InGm<float>> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        mm.SetTensorA(A);
        mm.SetTensorB(B);
        while (mm.Iterate()) mm.GetTensorC(C);
        mm.End();
    });
}

}  // namespace
}  // namespace sfumato::matmul_test
