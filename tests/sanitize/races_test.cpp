// SPDX-License-Identifier: Apache-2.0
// Races of whole programs.
#include <gtest/gtest.h>
#include <kernel_operator.h>
#include <sfumato/launch.h>

#include <functional>
#include <string>

namespace sfumato {
namespace {

using namespace AscendC;

LaunchResult RunWith(const std::string& check, uint32_t blocks, bool auto_sync,
                     const std::function<void(uint8_t*)>& kernel) {
    GlobalMemory memory;
    uint8_t* gm = memory.Allocate(65536, "gm");
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.check = check;
    options.auto_sync = auto_sync;
    return Launch(options, blocks, memory, [&] { kernel(gm); });
}

std::string Texts(const LaunchResult& result) {
    std::string text;
    for (const Report& report : result.findings) text += report.Text() + "\n";
    return text;
}

void LoadThenAdd(uint8_t* gm, bool flag) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 512);
    LocalTensor<float> x = buffer.Get<float>();
    GlobalTensor<float> from;
    from.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(gm), 64);
    DataCopy(x, from, 64);
    if (flag) {
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    }
    Adds(x, x, 1.0f, 64);
}

TEST(Races, LoadBeforeVector) {
    EXPECT_EQ(Texts(RunWith("races", 1, true, [](uint8_t* gm) { LoadThenAdd(gm, true); })), "");
    std::puts(Texts(RunWith("races", 1, true, [](uint8_t* gm) { LoadThenAdd(gm, false); })).c_str());
}

TEST(Races, BlocksWriteOneTile) {
    std::puts(Texts(RunWith("", 4, true, [](uint8_t* gm) {
                  TPipe pipe;
                  TBuf<TPosition::VECCALC> buffer;
                  pipe.InitBuffer(buffer, 512);
                  LocalTensor<float> x = buffer.Get<float>();
                  GlobalTensor<float> to;
                  to.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(gm), 640);
                  Duplicate(x, 1.0f, 64);
                  PipeBarrier<PIPE_ALL>();
                  DataCopy(to[GetBlockIdx() * 56], x, 64);
              })).c_str());
}

}  // namespace
}  // namespace sfumato
