// SPDX-License-Identifier: Apache-2.0
// Kernels that use data nobody wrote, and their exact reports; the same mended, without a finding.
#include <gtest/gtest.h>
#include <kernel_operator.h>
#include <sfumato/launch.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "support/golden.h"
#include "support/raised.h"

namespace sfumato::sanitize {
namespace {

using namespace AscendC;

// The line of a call.
Where At(uint32_t line) { return {"k.cpp", line}; }

struct Result {
    std::string texts;
    std::vector<Report> findings;
};

// half x[256], half y[256], uint8_t workspace[4096]; y is an output.
using Kernel = std::function<void(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)>;

Result RunKernel(const Kernel& kernel, const std::string& schedule = "eager", uint32_t blocks = 1,
                 CoreChoice core = CoreChoice::kVector, GlobalMemory::Role role = GlobalMemory::Role::kOutput) {
    GlobalMemory memory;
    const std::vector<uint8_t> content(512, 1);
    uint8_t* x = memory.Allocate(512, "x", content.data());
    uint8_t* y = memory.Allocate(512, "y");
    uint8_t* workspace = memory.Allocate(4096, "workspace");
    memory.SetRole(x, GlobalMemory::Role::kInput);
    memory.SetRole(y, role);
    memory.SetRole(workspace, GlobalMemory::Role::kWorkspace);
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.kernel = "k";
    options.check = "init";
    options.schedule = schedule;
    options.core = core;
    options.print = [](std::string_view) {};
    const LaunchResult result = Launch(options, blocks, memory, [&] { kernel(x, y, workspace); });
    Result run;
    for (const Report& report : result.findings) {
        if (report.rule == "saturated") continue;  // what nobody wrote is large
        run.texts += report.Text() + "\n";
        run.findings.push_back(report);
    }
    return run;
}

// Its reports are those of reports/, under the name of the test.
void ExpectReport(const Kernel& kernel, CoreChoice core = CoreChoice::kVector) {
    const Result run = RunKernel(kernel, "eager", 1, core);
    ExpectText(__FILE__, NameOfTest(), run.texts);
    for (const Report& report : run.findings) Raised(report.rule);
    for (const char* schedule : {"late", "ahead", "seed:1", "seed:2"}) {
        const Result other = RunKernel(kernel, schedule, 1, core);
        ASSERT_EQ(other.findings.size(), run.findings.size()) << schedule << "\n" << other.texts;
        for (size_t i = 0; i < run.findings.size(); ++i) EXPECT_EQ(other.findings[i].Text(), run.findings[i].Text());
    }
}

void ExpectNothing(const Kernel& kernel, uint32_t blocks = 1) {
    for (const char* schedule : {"eager", "late", "ahead", "seed:1"})
        EXPECT_EQ(RunKernel(kernel, schedule, blocks).texts, "") << schedule;
}

// x through two queues, of the last tile `loaded` of `used` halves, and `stored` of them to y.
template <uint32_t loaded, uint32_t used, uint32_t stored, uint32_t tiles = 1>
void AddOne(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> in;
    TQue<QuePosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 256);
    pipe.InitBuffer(out, 1, 256);
    GlobalTensor<half> from, to;
    from.SetGlobalBuffer((__gm__ half*)x, 256);
    to.SetGlobalBuffer((__gm__ half*)y, 256);
    for (uint32_t tile = 0; tile < tiles; ++tile) {
        const bool last = tile + 1 == tiles;
        LocalTensor<half> a = in.AllocTensor<half>(At(10));
        DataCopy(a, from[tile * 128], last ? loaded : 128, At(11));
        in.EnQue(a);
        a = in.DeQue<half>();
        LocalTensor<half> b = out.AllocTensor<half>(At(12));
        Adds(b, a, (half)1, used, At(13));
        out.EnQue(b);
        b = out.DeQue<half>();
        DataCopyPad(to[tile * 128], b, DataCopyExtParams{1, 2 * (last ? stored : 128), 0, 0, 0}, At(14));
        in.FreeTensor(a);
        out.FreeTensor(b);
    }
}

TEST(Init, StoredTail) {
    ExpectReport([](GM_ADDR x, GM_ADDR y, GM_ADDR) { AddOne<96, 128, 100>(x, y); });
}
TEST(Init, StaleTail) {
    ExpectReport([](GM_ADDR x, GM_ADDR y, GM_ADDR) { AddOne<96, 128, 100, 2>(x, y); });
}
TEST(Init, TailNobodyStores) {
    ExpectNothing([](GM_ADDR x, GM_ADDR y, GM_ADDR) { AddOne<96, 128, 96, 2>(x, y); });
}

// A TBuf of 1024 bytes, and y; every call after those before it.
struct Buffer {
    explicit Buffer(GM_ADDR y, GM_ADDR x = nullptr) {
        pipe.InitBuffer(memory, 1024, At(1));
        to.SetGlobalBuffer((__gm__ half*)y, 256);
        from.SetGlobalBuffer((__gm__ half*)x, 256);
        all = memory.Get<half>();
    }
    void Store(const LocalTensor<half>& tensor, uint32_t count, Where where) {
        PipeBarrier<PIPE_ALL>();
        DataCopy(to, tensor, count, where);
        PipeBarrier<PIPE_ALL>();
    }
    TPipe pipe;
    TBuf<> memory;
    GlobalTensor<half> to, from;
    LocalTensor<half> all;
};

TEST(Init, BufferNobodyWrote) {
    ExpectReport([](GM_ADDR, GM_ADDR y, GM_ADDR) {
        Buffer b(y);
        b.Store(b.all, 16, At(2));
    });
}

// Inside an array every byte counts; of memory nobody said more about the rest of a block is padding.
TEST(Init, PaddingOfABlock) {
    ExpectReport([](GM_ADDR, GM_ADDR y, GM_ADDR) {
        Buffer b(y);
        Duplicate(b.all, (half)1, 1, At(2));
        b.Store(b.all, 16, At(3));
    });
    EXPECT_EQ(RunKernel(
                  [](GM_ADDR, GM_ADDR y, GM_ADDR) {
                      Buffer b(y);
                      Duplicate(b.all, (half)1, 1);
                      b.Store(b.all, 16, At(3));
                  },
                  "eager", 1, CoreChoice::kVector, GlobalMemory::Role::kUnknown)
                  .texts,
              "");
}

TEST(Init, StoreMendedByALaterOne) {
    ExpectNothing([](GM_ADDR, GM_ADDR y, GM_ADDR) {
        Buffer b(y);
        Duplicate(b.all, (half)1, 64);
        b.Store(b.all, 128, At(2));  // the second half is nobody's
        Duplicate(b.all, (half)1, 128);
        b.Store(b.all, 128, At(3));
    });
}

TEST(Init, ElementOfTheScalarUnit) {
    ExpectReport([](GM_ADDR, GM_ADDR y, GM_ADDR) {
        Buffer b(y);
        Duplicate(b.all, (half)1, 16, At(2));
        PipeBarrier<PIPE_ALL>();
        if (b.all.GetValue(15, At(3)) != half(1) || b.all.GetValue(20, At(4)) == half(7)) b.all.SetValue(0, half(2));
    });
}

TEST(Init, OffsetsOfAGather) {
    ExpectReport([](GM_ADDR, GM_ADDR y, GM_ADDR) {
        Buffer b(y);
        LocalTensor<half> all = b.all;
        Duplicate(all, (half)1, 64, At(2));
        LocalTensor<uint32_t> offsets = all[256].ReinterpretCast<uint32_t>();
        Duplicate(offsets, (uint32_t)0, 24, At(3));
        Duplicate(all[256 + 64], (half)0, 16, At(4));
        Gather(all[128], all, offsets, 0, 32, At(5));
    });
}

TEST(Init, BitsOfAGatherMask) {
    ExpectReport([](GM_ADDR, GM_ADDR y, GM_ADDR) {
        Buffer b(y);
        LocalTensor<half> all = b.all;
        Duplicate(all, (half)1, 128, At(2));
        uint64_t kept = 0;
        GatherMask(all[128], all, all[256].ReinterpretCast<uint16_t>(), false, 0, {1, 1, 8, 8}, kept, At(3));
    });
}

// One bit of eight decides each element; only those of the second byte are nobody's.
TEST(Init, BitsOfASelect) {
    const auto kernel = [](uint32_t stored) {
        return [stored](GM_ADDR, GM_ADDR y, GM_ADDR) {
            Buffer b(y);
            LocalTensor<half> all = b.all;
            Duplicate(all, (half)1, 256);
            LocalTensor<uint8_t> bits = all[256].ReinterpretCast<uint8_t>();
            bits.SetValue(0, 0x55, At(2)), bits.SetValue(1, 0x55, At(2));
            PipeBarrier<PIPE_ALL>();
            Select(all[128], bits, all, all, SELMODE::VSEL_TENSOR_TENSOR_MODE, 128, At(3));
            b.Store(all[128], stored, At(4));
        };
    };
    ExpectReport(kernel(32));
    ExpectNothing(kernel(16));
}

// The bits of a Compare are those of its lanes.
TEST(Init, BitsOfACompare) {
    const auto kernel = [](uint32_t stored) {
        return [stored](GM_ADDR, GM_ADDR y, GM_ADDR) {
            Buffer b(y);
            LocalTensor<half> all = b.all;
            Duplicate(all, (half)1, 72, At(2));
            LocalTensor<uint8_t> bits = all[256].ReinterpretCast<uint8_t>();
            CompareScalar(bits, all, (half)2, CMPMODE::LT, 128, At(3));
            PipeBarrier<PIPE_ALL>();
            for (uint32_t i = 0; i < stored; ++i) bits.GetValue(i, At(4));
        };
    };
    ExpectReport(kernel(16));
    ExpectNothing(kernel(9));
}

TEST(Init, ReductionOfLanes) {
    const auto kernel = [](int32_t mask) {
        return [mask](GM_ADDR, GM_ADDR y, GM_ADDR) {
            Buffer b(y);
            LocalTensor<half> all = b.all;
            Duplicate(all, (half)1, 100, At(2));
            Duplicate(all[256], (half)0, 16);
            WholeReduceSum(all[256], all, mask, 1, 1, 1, 8, At(3));
            b.Store(all[256], 16, At(4));
        };
    };
    ExpectReport(kernel(101));
    ExpectNothing(kernel(100));
}

TEST(Init, Workspace) {
    ExpectReport([](GM_ADDR, GM_ADDR y, GM_ADDR workspace) {
        Buffer b(y, workspace);
        DataCopy(b.all, b.from[64], 64, At(2));
        b.Store(b.all, 64, At(3));
    });
}

// What one core wrote, another may read.
TEST(Init, WorkspaceOfAnotherCore) {
    ExpectNothing(
        [](GM_ADDR, GM_ADDR y, GM_ADDR workspace) {
            Buffer b(y, workspace);
            const uint32_t me = static_cast<uint32_t>(GetBlockIdx()), other = 1 - me;
            Duplicate(b.all, (half)1, 64);
            PipeBarrier<PIPE_ALL>();
            DataCopy(b.from[64 * me], b.all, 64);
            SyncAll();
            DataCopy(b.all, b.from[64 * other], 64);
            PipeBarrier<PIPE_ALL>();
            DataCopy(b.to[64 * me], b.all, 64);
        },
        2);
}

// What `outputs` reports for an output matters in a workspace where it is read.
TEST(Init, SumOntoAWorkspace) {
    const auto kernel = [](bool zeroed) {
        return [zeroed](GM_ADDR, GM_ADDR y, GM_ADDR workspace) {
            Buffer b(y, workspace);
            Duplicate(b.all, (half)0, 64);
            PipeBarrier<PIPE_ALL>();
            if (zeroed) DataCopy(b.from, b.all, 64);
            PipeBarrier<PIPE_ALL>();
            SetAtomicAdd<half>();
            DataCopy(b.from, b.all, 64, At(2));
            SetAtomicNone();
            PipeBarrier<PIPE_ALL>();
            DataCopy(b.all, b.from, 64, At(3));
            b.Store(b.all, 64, At(4));
        };
    };
    ExpectReport(kernel(false));
    ExpectNothing(kernel(true));
}

TEST(Init, Dump) {
    ExpectReport([](GM_ADDR, GM_ADDR y, GM_ADDR) {
        Buffer b(y);
        Duplicate(b.all, (half)1, 24, At(2));
        PipeBarrier<PIPE_ALL>();
        DumpTensor(b.all, 1, 32, At(3));
    });
}

// 16 x 16 of A and B; the product adds up `k` of the 16 that were loaded, or 32.
void Product(GM_ADDR x, GM_ADDR workspace, uint16_t k) {
    TPipe pipe;
    TBuf<TPosition::A1> a1;
    TBuf<TPosition::A2> a2;
    TBuf<TPosition::B2> b2;
    TBuf<TPosition::CO1> co1;
    pipe.InitBuffer(a1, 1024, At(1));
    pipe.InitBuffer(a2, 1024, At(2));
    pipe.InitBuffer(b2, 1024, At(3));
    pipe.InitBuffer(co1, 1024, At(4));
    GlobalTensor<half> from;
    GlobalTensor<float> to;
    from.SetGlobalBuffer((__gm__ half*)x, 256);
    to.SetGlobalBuffer((__gm__ float*)workspace, 256);
    const LocalTensor<half> l1 = a1.Get<half>(), a = a2.Get<half>(), b = b2.Get<half>();
    const LocalTensor<float> c = co1.Get<float>();
    DataCopy(l1, from, 256, At(5));
    PipeBarrier<PIPE_ALL>();
    LoadData(a, l1, LoadData2DParams(0, 1, 1, 0, 0, false, 0), At(6));
    LoadData(b, l1, LoadData2DParams(0, 1, 1, 0, 0, false, 0), At(7));
    PipeBarrier<PIPE_ALL>();
    MmadParams params(8, 16, k, 0, false, true);
    Mmad(c, a, b, params, At(8));
    PipeBarrier<PIPE_ALL>();
    Fixpipe(to, c, FixpipeParamsV220(16, 8, 16, 16, false), At(9));
}

TEST(Init, RestOfK) {
    ExpectReport([](GM_ADDR x, GM_ADDR y, GM_ADDR) { Product(x, y, 32); }, CoreChoice::kCube);
    const Result run =
        RunKernel([](GM_ADDR x, GM_ADDR y, GM_ADDR) { Product(x, y, 16); }, "eager", 1, CoreChoice::kCube);
    EXPECT_EQ(run.texts, "");
}

}  // namespace
}  // namespace sfumato::sanitize
