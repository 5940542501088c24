// SPDX-License-Identifier: Apache-2.0
// Ascend310B: what no page lists for it and published operators do there, with its note; the calls that its pages have
// and other chips lack; and what stays refused.
#include <gtest/gtest.h>

#include <cstring>

#include "frontends/on_chip.h"
#include "support/raised.h"

namespace sfumato {
namespace {

using namespace AscendC;

constexpr const char* kChip = "Ascend310B1";

std::string Notes(const LaunchResult& result) {
    std::string text;
    for (const Report& report : result.findings) {
        EXPECT_EQ(report.severity, Severity::kNote) << report.Text();
        EXPECT_EQ(Name(report.rule), std::string("unlisted-on-chip")) << report.Text();
        EXPECT_NE(report.Text().find("no page lists this for Ascend310B\n"), std::string::npos) << report.Text();
        text += (text.empty() ? "" : " ") + report.instruction + "=" + report.found;
        Raised(report.rule);
    }
    return text;
}

// The rule and the operand's words of the one fault.
std::string FaultOf(const LaunchResult& result) {
    std::string text;
    for (const Report& report : result.findings) {
        if (report.severity == Severity::kFault) text += std::string(Name(report.rule)) + " " + report.instruction;
    }
    return text;
}

TEST(Unlisted, OnceForEachCallOfAKernel) {
    const LaunchResult result = OnChip(kChip, [] {
        TPipe pipe;
        TBuf<> buffer;
        pipe.InitBuffer(buffer, 1024);
        const auto id = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_S));
        auto t = buffer.Get<int32_t>();
        for (int i = 0; i < 2; ++i) {
            Duplicate(t, -7 - i, 64);
            Abs(t[64], t, 64);
            DataCopy(t[128], t[64], 64);
            SetFlag<HardEvent::V_S>(id);
            WaitFlag<HardEvent::V_S>(id);
            EXPECT_EQ(t.GetValue(128 + 63), 7 + i);
            SyncAll();
        }
        DataCopy(t[64], t, 64);
    });
    EXPECT_EQ(Notes(result),
              "GetTPipePtr=GetTPipePtr FetchEventID=FetchEventID Abs=int32_t DataCopy=UB to UB SetFlag=SetFlag "
              "WaitFlag=WaitFlag SyncAll=SyncAll");
}

TEST(Unlisted, OtherFormsOfTheSameCallsHaveNoNote) {
    GlobalMemory memory;
    uint8_t* gm = memory.Allocate(256, "gm");
    LaunchOptions options;
    options.chip = kChip;
    const LaunchResult result = Launch(options, 1, memory, [gm] {
        GlobalTensor<float> x;
        x.SetGlobalBuffer(reinterpret_cast<float*>(gm), 64);
        TPipe pipe;
        TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
        pipe.InitBuffer(queue, 1, 256);
        auto t = queue.AllocTensor<float>();
        DataCopy(t, x, 64);
        queue.EnQue(t);
        t = queue.DeQue<float>();
        DataCopy(x, t, 64);
        queue.FreeTensor(t);
        TBuf<> buffer;
        pipe.InitBuffer(buffer, 512);
        auto u = buffer.Get<float>();
        Duplicate(u, -1.0f, 64);
        Abs(u, u, 64);
        TQueSync<PIPE_V, PIPE_MTE3> sync;
        sync.SetFlag(3);
        sync.WaitFlag(3);
        DataCopy(x, u, 64);
    });
    EXPECT_EQ(Notes(result), "");
}

TEST(Unlisted, ElsewhereThereIsNone) {
    const LaunchResult result = OnChip("Ascend910B1", [] {
        auto t = Ub<float>(0, 128);
        Duplicate(t, -7.0f, 64);
        PipeBarrier<PIPE_ALL>();
        DataCopy(t[64], t, 64);
    });
    EXPECT_EQ(Notes(result), "");
}

TEST(Unlisted, WorkspaceCalls) {
    LaunchOptions options;
    options.system_workspace = kSystemWorkspaceBytes;
    const LaunchResult result = OnChip(kChip, [] { SetSysWorkspace(GetSysWorkSpacePtr()); }, options);
    EXPECT_EQ(Notes(result), "GetSysWorkSpacePtr=GetSysWorkSpacePtr SetSysWorkspace=SetSysWorkspace");
}

// What the pages of 310B list beyond vector calls, each as it may stand in a kernel.
TEST(Unlisted, ListedCallsOfTheCubeAndTheSystem) {
    GlobalMemory memory;
    uint8_t* gm = memory.Allocate(4096, "gm");
    LaunchOptions options;
    options.chip = kChip;
    const auto rule = [&](const std::function<void()>& kernel) {
        const LaunchResult result = Launch(options, 1, memory, kernel);
        return result.findings.empty() ? std::string() : result.findings[0].Text();
    };
    const auto at = [](TPosition position, uint32_t count) { return LocalTensor<half>(position, 0, count); };
    EXPECT_EQ(rule([&] { SetHF32Mode(true), SetHF32TransMode(false), SetMMRowMajor(), SetMMColumnMajor(); }), "");
    EXPECT_EQ(rule([&] {
                  Fill(at(TPosition::A1, 1024), {1, 4, 0, half(1.0f)});
                  Fill(at(TPosition::A2, 512), {1, 1, 0, half(1.0f)});
              }),
              "");
    EXPECT_EQ(rule([&] {
                  const uint8_t pads[4] = {};
                  SetFmatrix(4, 4, pads, FmatrixMode::FMATRIX_LEFT);
                  SetLoadDataPaddingValue<half>(0.0f);
                  SetLoadDataRepeat({0, 1, 0});
              }),
              "");
    EXPECT_EQ(rule([&] {
                  GlobalTensor<half> x;
                  x.SetGlobalBuffer(reinterpret_cast<half*>(gm), 2048);
                  auto l1 = at(TPosition::A1, 1024);
                  DataCopy(l1, x, 1024);
                  PipeBarrier<PIPE_ALL>();
                  LoadData2DParams load;
                  load.repeatTimes = 1;
                  LoadData(at(TPosition::A2, 512), l1, load);
                  LoadDataWithTranspose(at(TPosition::B2, 512), l1, {0, 1, 1, 0, 0, 0});
                  PipeBarrier<PIPE_ALL>();
              }),
              "");
    EXPECT_EQ(rule([&] { SetFixpipeNz2ndFlag(1, 1, 1), SetFixpipePreQuantFlag(0x3F800000); }), "");
    EXPECT_EQ(rule([&] {
                  SetAtomicAdd<float>(), SetAtomicType<half>(), DisableDmaAtomic();
                  GlobalTensor<half> x;
                  x.SetGlobalBuffer(reinterpret_cast<half*>(gm), 2048);
                  DataCacheCleanAndInvalid<half, CacheLine::ENTIRE_DATA_CACHE>(x);
                  SetMaskCount(), SetVectorMask<half, MaskMode::COUNTER>(0, 64), SetMaskNorm(), ResetMask();
              }),
              "");
    EXPECT_EQ(rule([&] {
                  auto t = Ub<float>(0, 64);
                  Duplicate(t, 1.0f, 64);
                  PipeBarrier<PIPE_ALL>();
                  DumpTensor(t, 1, 8);
              }),
              "");
}

TEST(Unlisted, WhatIsInNoListStaysRefused) {
    EXPECT_EQ(FaultOf(OnChip(kChip, [] { Abs(Ub<int16_t>(0, 64), Ub<int16_t>(0, 64), 64); })), "");
    EXPECT_EQ(FaultOf(OnChip(kChip, [] { Brcb(Ub<float>(0, 64), Ub<float>(512, 8), 1, {1, 8}); })),
              "instruction-unsupported Brcb");
    EXPECT_EQ(FaultOf(OnChip(kChip, [] { DataCopy(Ub<float>(0, 64), LocalTensor<float>(TPosition::A1, 0, 64), 64); })),
              "memory-path DataCopy");
    EXPECT_EQ(FaultOf(OnChip(kChip, [] { CrossCoreSetFlag<0, PIPE_MTE3>(1); })),
              "cross-core-unsupported CrossCoreSetFlag");
}

// C = A x B with B the unit matrix: L0C has A, 16 x 16 floats.
void FillL0C(uint8_t* gm) {
    GlobalTensor<half> x;
    x.SetGlobalBuffer(reinterpret_cast<half*>(gm), 512);
    LocalTensor<half> l1(TPosition::A1, 0, 512), a(TPosition::A2, 0, 256), b(TPosition::B2, 0, 256);
    DataCopy(l1, x, 512);
    PipeBarrier<PIPE_ALL>();
    LoadData2DParams load;
    load.repeatTimes = 1;
    load.srcStride = 1;
    LoadData(a, l1, load);
    LoadData(b, l1[256], load);
    PipeBarrier<PIPE_ALL>();
    LocalTensor<float> c(TPosition::CO1, 0, 256);
    MmadParams multiply;
    multiply.m = multiply.n = multiply.k = 16;
    Mmad(c, a, b, multiply);
    PipeBarrier<PIPE_ALL>();
}

struct Out {
    const char* name;
    bool row_major, relu;
    uint32_t rows, stride;  // of dst
};

// FixpipeParamsM300: from L0C to UB, in the layouts of cube.md 5.1.
TEST(Fixpipe310B, ToUb) {
    for (const Out& out : {Out{"rows", true, false, 16, 16}, Out{"rows with a gap", true, true, 11, 32},
                           Out{"NZ", false, false, 16, 16}, Out{"NZ of fewer rows", false, true, 9, 9}}) {
        SCOPED_TRACE(out.name);
        GlobalMemory memory;
        uint8_t* gm = memory.Allocate(1024, "gm");
        uint8_t* result_gm = memory.Allocate(2048, "result");
        auto value = [](uint32_t m, uint32_t n) { return static_cast<float>(static_cast<int>(m * 16 + n) - 100); };
        for (uint32_t m = 0; m < 16; ++m) {
            for (uint32_t n = 0; n < 16; ++n) {
                const half a(value(m, n)), b(m == n ? 1.0f : 0.0f);
                std::memcpy(gm + 2 * (m * 16 + n), &a, 2);
                std::memcpy(gm + 512 + 2 * (m * 16 + n), &b, 2);
            }
        }
        LaunchOptions options;
        options.chip = kChip;
        const LaunchResult result = Launch(options, 1, memory, [&] {
            FillL0C(gm);
            auto ub = Ub<half>(0, 1024);
            Duplicate(ub, half(77.0f), 1024);
            PipeBarrier<PIPE_ALL>();
            FixpipeParamsM300 params;
            params.nSize = 16;
            params.mSize = static_cast<uint16_t>(out.rows);
            params.srcStride = 16;
            params.dstStride = out.stride;
            params.quantPre = F322F16;
            params.reluEn = out.relu;
            LocalTensor<float> c(TPosition::CO1, 0, 256);
            if (out.row_major) {
                Fixpipe<half, float, CFG_ROW_MAJOR>(ub, c, params);
            } else {
                Fixpipe<half, float, CFG_NZ>(ub, c, params);
            }
            PipeBarrier<PIPE_ALL>();
            GlobalTensor<half> y;
            y.SetGlobalBuffer(reinterpret_cast<half*>(result_gm), 1024);
            DataCopy(y, ub, 1024);
        });
        EXPECT_EQ(Notes(result), "");
        std::vector<float> wanted(1024, 77.0f);
        for (uint32_t m = 0; m < out.rows; ++m) {
            for (uint32_t n = 0; n < 16; ++n) {
                const size_t at = out.row_major ? m * out.stride + n : m * 16 + n;
                wanted[at] = out.relu ? std::max(value(m, n), 0.0f) : value(m, n);
            }
        }
        for (size_t i = 0; i < wanted.size(); ++i) {
            half found;
            std::memcpy(&found, result_gm + 2 * i, 2);
            ASSERT_EQ(static_cast<float>(found), wanted[i]) << i;
        }
    }
}

// min(max(x, 0), bound) of each element on its way out of L0C.
template <class T>
void Clipped(float bound, QuantMode_t quant) {
    GlobalMemory memory;
    uint8_t* gm = memory.Allocate(1024, "gm");
    uint8_t* out = memory.Allocate(256 * sizeof(T), "out");
    for (int i = 0; i < 256; ++i) {
        const half a(static_cast<float>(i - 100)), b(i % 17 == 0 ? 1.0f : 0.0f);
        std::memcpy(gm + 2 * i, &a, 2);
        std::memcpy(gm + 512 + 2 * i, &b, 2);
    }
    LaunchOptions options;
    options.chip = kChip;
    const LaunchResult result = Launch(options, 1, memory, [&] {
        FillL0C(gm);
        const half limit(bound);
        uint16_t bits = 0;
        std::memcpy(&bits, &limit, 2);
        SetFixPipeClipRelu(bits);
        DataCopyCO12DstParams params;
        params.nSize = params.mSize = params.srcStride = params.dstStride = 16;
        params.quantPre = quant;
        params.clipReluPre = 1;
        params.nz2ndEn = true;
        GlobalTensor<T> y;
        y.SetGlobalBuffer(reinterpret_cast<T*>(out), 256);
        DataCopy(y, LocalTensor<float>(TPosition::CO1, 0, 256), params);
    });
    EXPECT_EQ(Notes(result), "");
    for (int i = 0; i < 256; ++i) {
        T found;
        std::memcpy(&found, out + sizeof(T) * i, sizeof(T));
        ASSERT_EQ(static_cast<float>(found), std::min(std::max(static_cast<float>(i - 100), 0.0f), bound)) << i;
    }
}

TEST(Fixpipe310B, ReluWithABound) {
    Clipped<half>(6.0f, F322F16);
    Clipped<half>(0.5f, F322F16);
    Clipped<half>(1000.0f, F322F16);
    Clipped<float>(6.25f, NoQuant);
}

TEST(Fixpipe310B, WrongBounds) {
    const auto copy = [](auto type, QuantMode_t quant) {
        using T = decltype(type);
        DataCopyCO12DstParams params;
        params.nSize = params.mSize = params.srcStride = params.dstStride = 16;
        params.quantPre = quant;
        params.clipReluPre = 1;
        DataCopy(LocalTensor<T>(TPosition::A1, 0, 256), LocalTensor<float>(TPosition::CO1, 0, 256), params);
    };
    EXPECT_EQ(FaultOf(OnChip(kChip, [&] { copy(half(), F322F16); })), "fixpipe-field DataCopy");  // no bound
    EXPECT_EQ(FaultOf(OnChip(kChip, [&] { SetFixPipeClipRelu(0x4600), copy(int8_t(), QF322B8_PRE); })),
              "fixpipe-field DataCopy");
    EXPECT_EQ(FaultOf(OnChip(kChip, [&] { SetFixPipeClipRelu(0x4600), copy(half(), F322F16); })), "");
    for (const uint64_t wrong : {0x0, 0x7C00, 0xC600}) {
        EXPECT_EQ(FaultOf(OnChip(kChip, [&] { SetFixPipeClipRelu(wrong); })), "fixpipe-field SetFixPipeClipRelu");
    }
    LaunchOptions cube;
    cube.core = CoreChoice::kCube;
    EXPECT_EQ(FaultOf(OnChip("Ascend910B1", [&] { SetFixPipeClipRelu(0x4600); }, cube)),
              "instruction-unsupported SetFixPipeClipRelu");
}

TEST(Fixpipe310B, ToUbOfAnotherChipIsRefused) {
    const LaunchResult result = OnChip("Ascend910B1", [] {
        FixpipeParamsM300 params;
        params.nSize = params.mSize = params.srcStride = params.dstStride = 16;
        Fixpipe<float, float, CFG_NZ>(Ub<float>(0, 256), LocalTensor<float>(TPosition::CO1, 0, 256), params);
    });
    EXPECT_NE(FaultOf(result), "");
}

}  // namespace
}  // namespace sfumato
