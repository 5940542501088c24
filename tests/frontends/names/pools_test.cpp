// SPDX-License-Identifier: Apache-2.0
// Pools that a class of the program fills, TBufs made as queues are, and the address of a memory
// (framework.md 1.2, 1.6).
#include <gtest/gtest.h>

#include "../on_chip.h"

namespace sfumato::names_test {
namespace {

using namespace AscendC;

// Hands out its memory from the first byte on; `step` bytes lie between two blocks.
template <TPosition pos>
class InOrder {
public:
    EXTERN_IMPL_BUFPOOL(InOrder, pos, 16);

    template <class Buffer>
    void InitBuffer(Buffer& buffer, uint8_t num, uint32_t len, uint32_t step = 0) {
        const TBufHandle handle = GetBufHandle(GetCurBufSize());
        buffer.InitStartBufHandle(handle, num, len);
        uint32_t at = GetCurAddr();
        for (uint8_t i = 0; i < num; ++i, at += len + step) buffer.InitBufHandle(this, i, handle, at, len);
        SetCurAddr(at);
        SetCurBufSize(static_cast<uint8_t>(GetCurBufSize() + num));
    }
};

uint64_t OffsetOf(TPipe& pipe, const LocalTensor<float>& tensor) {
    return tensor.GetPhyAddr() - reinterpret_cast<uint64_t>(pipe.GetBaseAddr(static_cast<int8_t>(TPosition::VECIN)));
}

TEST(Pools, BlocksLieWhereTheProgramPutsThem) {
    for (const char* chip : {"Ascend910A", "Ascend310P3", "Ascend910B1"}) {
        const LaunchResult result = OnChip(chip, [] {
            TPipe pipe;
            TBuf<> before;
            pipe.InitBuffer(before, 1, 96);
            InOrder<TPosition::VECIN> pool;
            pipe.InitBufPool(pool, 4096);
            EXPECT_EQ(pool.GetCurAddr(), 96u) << "the first byte of the pool";
            EXPECT_EQ(pool.GetCurBufSize(), 0);
            TQue<TPosition::VECIN, 2> queue;
            TBuf<TPosition::VECIN> buffer;
            pool.InitBuffer(queue, 2, 256, 64);
            pool.InitBuffer(buffer, 1, 512);
            EXPECT_EQ(pool.GetCurBufSize(), 3);
            EXPECT_EQ(pool.GetCurAddr(), 96u + 2 * 320 + 512);
            LocalTensor<float> a = queue.AllocTensor<float>(), b = queue.AllocTensor<float>();
            EXPECT_EQ(OffsetOf(pipe, a), 96u);
            EXPECT_EQ(OffsetOf(pipe, b), 96u + 320);
            EXPECT_EQ(a.GetSize(), 64u);
            EXPECT_EQ(OffsetOf(pipe, buffer.Get<float>()), 96u + 640);
            EXPECT_EQ(buffer.Get<float>().GetSize(), 128u);
            queue.FreeTensor(a);
            queue.FreeTensor(b);
        });
        EXPECT_TRUE(result.findings.empty()) << chip << (result.findings.empty() ? "" : result.findings[0].Text());
    }
}

// Two pools of one memory, and blocks of a pool that overlap: both are the program's own affair.
TEST(Pools, SharedAndOverlapping) {
    const LaunchResult result = OnChip("Ascend910B1", [] {
        TPipe pipe;
        InOrder<TPosition::VECCALC> first, second;
        pipe.InitBufPool(first, 1024);
        pipe.InitBufPool(second, 512, first);
        EXPECT_EQ(first.GetCurAddr(), second.GetCurAddr());
        TBuf<> a, b, c;
        first.InitBuffer(a, 1, 256);
        first.SetCurAddr(0);
        first.InitBuffer(b, 1, 256);
        second.InitBuffer(c, 1, 256);
        EXPECT_EQ(a.Get<float>().GetPhyAddr(), b.Get<float>().GetPhyAddr());
        EXPECT_EQ(a.Get<float>().GetPhyAddr(), c.Get<float>().GetPhyAddr());
        Duplicate(a.Get<float>(), 1.0f, 64);
        PipeBarrier<PIPE_V>();
        Duplicate(b.Get<float>(), 2.0f, 64);
        first.Reset();
        EXPECT_EQ(first.GetCurAddr(), 0u);
        EXPECT_EQ(first.GetCurBufSize(), 0);
        TBuf<> d;
        first.InitBuffer(d, 1, 1024);
        EXPECT_EQ(d.Get<float>().GetSize(), 256u);
    });
    EXPECT_TRUE(result.findings.empty()) << (result.findings.empty() ? "" : result.findings[0].Text());
}

TEST(Pools, ABlockOutsideIsRefused) {
    const auto rule = [](const std::function<void(InOrder<TPosition::VECCALC>&)>& use,
                         const char* chip = "Ascend910B1") {
        const LaunchResult result = OnChip(chip, [&] {
            TPipe pipe;
            InOrder<TPosition::VECCALC> pool;
            pipe.InitBufPool(pool, 1024);
            use(pool);
        });
        return result.findings.empty() ? std::string() : std::string(Name(result.findings[0].rule));
    };
    TBuf<> buffer;
    EXPECT_EQ(rule([](auto& pool) {
                  TBuf<> b;
                  pool.InitBuffer(b, 1, 1024);
              }),
              "");
    EXPECT_EQ(rule([](auto& pool) {
                  TBuf<> b;
                  pool.InitBuffer(b, 1, 1056);
              }),
              "pool-memory");
    EXPECT_EQ(rule([](auto& pool) {
                  TBuf<> b;
                  pool.SetCurAddr(16), pool.InitBuffer(b, 1, 32);
              }),
              "pool-memory");
    EXPECT_EQ(rule([](auto& pool) {
                  TBuf<> b;
                  pool.InitBuffer(b, 2, 32);
              }),
              "buffer-blocks");
    EXPECT_EQ(rule([](auto& pool) {
                  TQue<TPosition::A1, 1> q;
                  pool.InitBuffer(q, 1, 32);
              }),
              "pool-memory");
    EXPECT_EQ(rule([](auto&) {}, "Ascend310B1"), "instruction-unsupported");
}

TEST(Pools, TBufsAreMadeAsQueuesAre) {
    const LaunchResult result = OnChip("Ascend910B1", [] {
        TPipe pipe;
        TBuf<> one, other;
        pipe.InitBuffer(one, 1, 64);
        pipe.InitBuffer(other, 64);
        EXPECT_EQ(one.Get<float>().GetSize(), other.Get<float>().GetSize());
    });
    EXPECT_TRUE(result.findings.empty());
}

}  // namespace
}  // namespace sfumato::names_test
