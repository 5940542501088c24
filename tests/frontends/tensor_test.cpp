// SPDX-License-Identifier: Apache-2.0
// Operators and addresses of tensors, what is left of a memory, pools, fills of global memory.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "on_chip.h"

namespace sfumato::tensor_test {
namespace {

using namespace AscendC;

constexpr const char* k910B = "Ascend910B1";

void ExpectClean(const LaunchResult& result) {
    EXPECT_TRUE(result.findings.empty()) << result.findings.front().Text();
}

TEST(Operators, WorkOnAllOfTheDestination) {
    for (const char* chip : {k910B, "Ascend310P3", "Ascend910A"}) {
        ExpectClean(OnChip(chip, [] {
            auto a = Ub<float>(0, 64), b = Ub<float>(1024, 64), dst = Ub<float>(2048, 40);
            for (uint32_t i = 0; i < 64; ++i) a.SetValue(i, static_cast<float>(i) + 1), b.SetValue(i, 2.0f);
            for (uint32_t i = 0; i < 64; ++i) Ub<float>(2048, 64).SetValue(i, -1.0f);
            const auto expect = [&](auto value) {
                for (uint32_t i = 0; i < 40; ++i) EXPECT_EQ(dst.GetValue(i), value(static_cast<float>(i) + 1, 2.0f));
                EXPECT_EQ(Ub<float>(2048, 64).GetValue(40), -1.0f);
            };
            dst = a + b;
            expect([](float x, float y) { return x + y; });
            dst = a - b;
            expect([](float x, float y) { return x - y; });
            dst = a * b;
            expect([](float x, float y) { return x * y; });
            dst = a / b;
            expect([](float x, float y) { return x / y; });
            // A part of a tensor, as a value without a name.
            dst[8] = a[8] + a[8];
            EXPECT_EQ(dst.GetValue(7), 4.0f);
            EXPECT_EQ(dst.GetValue(8), 18.0f);
        }));
    }
}

TEST(Operators, OfBits) {
    ExpectClean(OnChip(k910B, [] {
        auto a = Ub<uint16_t>(0, 128), b = Ub<uint16_t>(1024, 128), dst = Ub<uint16_t>(2048, 128);
        for (uint32_t i = 0; i < 128; ++i) a.SetValue(i, i * 3), b.SetValue(i, 0x5A);
        dst = a & b;
        for (uint32_t i = 0; i < 128; ++i) EXPECT_EQ(dst.GetValue(i), (i * 3) & 0x5A);
        dst = a | b;
        for (uint32_t i = 0; i < 128; ++i) EXPECT_EQ(dst.GetValue(i), (i * 3) | 0x5A);
    }));
}

// A bit for each element of the sources, as Compare.
TEST(Operators, OfOrder) {
    ExpectClean(OnChip(k910B, [] {
        auto a = Ub<half>(0, 256), b = Ub<half>(1024, 256);
        auto dst = Ub<uint8_t>(2048, 32);
        for (uint32_t i = 0; i < 256; ++i) a.SetValue(i, half(static_cast<float>(i % 7))), b.SetValue(i, half(3.0f));
        const auto expect = [&](auto value) {
            for (uint32_t i = 0; i < 256; ++i) EXPECT_EQ((dst.GetValue(i / 8) >> (i % 8)) & 1, value(i % 7)) << i;
        };
        dst = a < b;
        expect([](uint32_t x) { return x < 3; });
        dst = a > b;
        expect([](uint32_t x) { return x > 3; });
        dst = a <= b;
        expect([](uint32_t x) { return x <= 3; });
        dst = a >= b;
        expect([](uint32_t x) { return x >= 3; });
        dst = a == b;
        expect([](uint32_t x) { return x == 3; });
        dst = a != b;
        expect([](uint32_t x) { return x != 3; });
    }));
}

TEST(Address, InEitherOrder) {
    ExpectClean(OnChip(k910B, [] {
        auto whole = Ub<float>(0, 256);
        for (uint32_t i = 0; i < 256; ++i) whole.SetValue(i, static_cast<float>(i));
        TBuffAddr address;
        address.logicPos = static_cast<uint8_t>(TPosition::VECCALC);
        LocalTensor<float> a;
        a.SetAddr(address);
        a.InitBuffer(256, 64);
        EXPECT_EQ(a.GetSize(), 64u);
        EXPECT_EQ(a.GetValue(3), 67.0f);
        LocalTensor<uint8_t> b;
        b.InitBuffer(0, 1024);
        b.address_.logicPos = static_cast<uint8_t>(TPosition::VECIN);
        EXPECT_EQ(b[512].ReinterpretCast<float>().GetValue(2), 130.0f);
        EXPECT_EQ(b.GetPosition(), static_cast<int32_t>(TPosition::VECIN));
        EXPECT_EQ(whole[8].address_.logicPos, static_cast<uint8_t>(TPosition::VECCALC));
    }));
}

TEST(Address, OfGlobalMemory) {
    GlobalMemory memory;
    uint8_t* gm = memory.Allocate(256, "gm");
    LaunchOptions options;
    options.chip = k910B;
    ExpectClean(Launch(options, 1, memory, std::function<void()>([&] {
                           GlobalTensor<int32_t> tensor;
                           tensor.SetGlobalBuffer(reinterpret_cast<int32_t*>(gm), 64);
                           for (int i = 0; i < 64; ++i) tensor(i) = i * i;
                           EXPECT_EQ(tensor.GetValue(9), 81);
                           EXPECT_EQ(tensor(8), 64);
                       })));
}

TEST(Buffers, WhatIsLeft) {
    ExpectClean(OnChip(k910B, [] {
        TPipe pipe;
        TBuf<TPosition::VECCALC> buffer, copy;
        pipe.InitBuffer(buffer, 1024);
        LocalTensor<half> rest;
        EXPECT_TRUE((PopStackBuffer<half, TPosition::VECCALC>(rest)));
        EXPECT_EQ(rest.GetLength(), 196608u - 1024u);
        EXPECT_EQ(rest.GetPhyAddr(), buffer.Get<half>().GetPhyAddr() + 1024);
        copy = buffer;
        auto tensor = copy.AllocTensor<half>();
        EXPECT_EQ(tensor.GetPhyAddr(), buffer.Get<half>().GetPhyAddr());
        copy.FreeTensor(tensor);
        TBuf<TPosition::VECCALC> other;
        pipe.InitBuffer(other, 196608 - 1024);
        EXPECT_FALSE((PopStackBuffer<half, TPosition::VECCALC>(rest)));
    }));
}

TEST(Pools, ShareTheirMemory) {
    ExpectClean(OnChip(k910B, [] {
        TPipe pipe;
        TBufPool<TPosition::VECCALC> first, second;
        EXPECT_TRUE(pipe.InitBufPool(first, 4096));
        EXPECT_TRUE(pipe.InitBufPool(second, 2048, first));
        TQue<TPosition::VECIN, 1> queue;
        TBuf<TPosition::VECCALC> a, b, c;
        EXPECT_TRUE(first.InitBuffer(queue, 2, 1024));
        EXPECT_TRUE(first.InitBuffer(a, 1024));
        EXPECT_TRUE(second.InitBuffer(b, 512));
        auto tensor = queue.AllocTensor<half>();
        const uint64_t base = tensor.GetPhyAddr();
        EXPECT_EQ(a.Get<half>().GetPhyAddr(), base + 2048);
        EXPECT_EQ(b.Get<half>().GetPhyAddr(), base);
        queue.FreeTensor(tensor);
        // Behind both lies what the TPipe gives next.
        EXPECT_TRUE(pipe.InitBuffer(c, 32));
        EXPECT_EQ(c.Get<half>().GetPhyAddr(), base + 4096);
        second.Reset();
        TBuf<TPosition::VECCALC> again;
        EXPECT_TRUE(second.InitBuffer(again, 64));
        EXPECT_EQ(again.Get<half>().GetPhyAddr(), base);
    }));
}

TEST(Pools, WithinPools) {
    ExpectClean(OnChip(k910B, [] {
        TPipe pipe;
        TBufPool<TPosition::VECIN, 4> outer;
        TBufPool<TPosition::VECIN, 2> inner;
        pipe.InitBufPool(outer, 4096);
        TBuf<TPosition::VECIN> a, b;
        outer.InitBuffer(a, 1024);
        outer.InitBufPool(inner, 1024);
        inner.InitBuffer(b, 128);
        EXPECT_EQ(b.Get<half>().GetPhyAddr(), a.Get<half>().GetPhyAddr() + 1024);
    }));
}

constexpr TQueConfig kConfig = {.bufferLen = 256, .bufferNumber = 2};
TEST(Buffers, AQueueWithAConfiguration) {
    ExpectClean(OnChip(k910B, [] {
        TPipe pipe;
        TQue<TPosition::VECIN, 1, &kConfig> queue;
        EXPECT_TRUE(pipe.InitBuffer(queue, 2, 256));
    }));
}

// Lines of 32 bytes; the bytes of a file.
TEST(Debugging, PrintAndToFile) {
    char folder[] = "/tmp/sfumato_tensor_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    const std::string path = std::string(folder) + "/tensor.bin";
    std::string printed;
    LaunchOptions options;
    options.print = [&](std::string_view text) { printed += text; };
    ExpectClean(OnChip(
        k910B,
        [&] {
            auto a = Ub<int32_t>(0, 10);
            for (uint32_t i = 0; i < 10; ++i) a.SetValue(i, static_cast<int32_t>(i) - 5);
            a.Print();
            a.Print(2);
            EXPECT_EQ(a.ToFile(path), 0);
            EXPECT_EQ(a.ToFile(std::string(folder) + "/missing/tensor.bin"), -1);
        },
        options));
    EXPECT_EQ(printed, "0000 : -5 -4 -3 -2 -1 0 1 2\n0008 : 3 4\n0000 : -5 -4\n");
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    ASSERT_EQ(bytes.size(), 40u);
    int32_t last = 0;
    std::memcpy(&last, bytes.data() + 36, 4);
    EXPECT_EQ(last, 4);
    std::filesystem::remove_all(folder);
}

// Every length around the blocks and the pieces, and nothing beside it.
template <class T>
void CheckFill(const char* chip, uint64_t count, const char* schedule, T value) {
    GlobalMemory memory;
    const uint64_t guard = 64, bytes = count * sizeof(T);
    uint8_t* gm = memory.Allocate(bytes + 2 * guard, "gm");
    std::memset(gm, 0x77, bytes + 2 * guard);
    LaunchOptions options;
    options.chip = chip;
    options.schedule = schedule;
    options.auto_sync = false;
    ExpectClean(Launch(options, 1, memory, std::function<void()>([&] {
                           GlobalTensor<T> tensor;
                           tensor.SetGlobalBuffer(reinterpret_cast<T*>(gm + guard), count);
                           InitGlobalMemory(tensor, count, T(0.0f));
                           Fill(tensor, count / 2, T(1.0f));
                           InitOutput<T>(tensor, count, value);
                       })));
    std::vector<uint8_t> expected(bytes + 2 * guard, 0x77);
    for (uint64_t i = 0; i < count; ++i) std::memcpy(&expected[guard + i * sizeof(T)], &value, sizeof(T));
    EXPECT_EQ(std::memcmp(gm, expected.data(), expected.size()), 0) << chip << " " << count << " " << schedule;
}

TEST(FillGlobal, EveryLength) {
    for (const char* chip : {k910B, "Ascend310P3"}) {
        for (const char* schedule : {"eager", "late", "seed:3"}) {
            for (const uint64_t count : {0, 1, 7, 8, 9, 16, 31, 33, 8191, 8192, 8200, 20001}) {
                CheckFill<float>(chip, count, schedule, 2.5f);
                CheckFill<half>(chip, count, schedule, half(-3.0f));
                CheckFill<int16_t>(chip, count, schedule, 1234);
                CheckFill<uint32_t>(chip, count, schedule, 0xDEADBEEF);
            }
        }
    }
}

// The page's program: the fill comes first, then the buffers.
TEST(FillGlobal, BeforeTheBuffersOfTheKernel) {
    GlobalMemory memory;
    uint8_t* gm = memory.Allocate(512, "gm");
    LaunchOptions options;
    options.chip = k910B;
    ExpectClean(Launch(options, 1, memory, std::function<void()>([&] {
                           GlobalTensor<float> tensor;
                           tensor.SetGlobalBuffer(reinterpret_cast<float*>(gm), 128);
                           InitOutput<float>(tensor, 128);
                           SetFlag<HardEvent::MTE3_MTE2>(0);
                           WaitFlag<HardEvent::MTE3_MTE2>(0);
                           TPipe pipe;
                           TQue<TPosition::VECOUT, 1> queue;
                           pipe.InitBuffer(queue, 1, 512);
                           auto ones = queue.AllocTensor<float>();
                           Duplicate(ones, 1.0f, 128);
                           queue.EnQue(ones);
                           ones = queue.DeQue<float>();
                           SetAtomicAdd<float>();
                           DataCopy(tensor, ones, 128);
                           DataCopy(tensor, ones, 128);
                           SetAtomicNone();
                           queue.FreeTensor(ones);
                       })));
    for (int i = 0; i < 128; ++i) EXPECT_EQ(reinterpret_cast<const float*>(gm)[i], 2.0f) << i;
}

}  // namespace
}  // namespace sfumato::tensor_test
