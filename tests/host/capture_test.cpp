// SPDX-License-Identifier: Apache-2.0
// Captured streams: what replays do, what orders streams in a capture, and what may not be done during one.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <utility>

#include "acl/acl.h"
#include "host/capture.h"
#include "host/message.h"
#include "kernel_operator.h"
#include "sfumato/host/launch.h"
#include "support/golden.h"

namespace sfumato {
namespace {

constexpr int32_t kWords = 64;
constexpr size_t kBytes = kWords * sizeof(int32_t);

// z = x * factor + y
__global__ void Scaled(__gm__ int32_t* z, __gm__ int32_t* x, __gm__ int32_t* y, int32_t factor) {
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> in;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 2 * kBytes);
    pipe.InitBuffer(out, 1, kBytes);
    AscendC::GlobalTensor<int32_t> gx, gy, gz;
    gx.SetGlobalBuffer(x, kWords);
    gy.SetGlobalBuffer(y, kWords);
    gz.SetGlobalBuffer(z, kWords);
    auto t = in.AllocTensor<int32_t>();
    AscendC::DataCopy(t, gx, kWords);
    AscendC::DataCopy(t[kWords], gy, kWords);
    in.EnQue(t);
    t = in.DeQue<int32_t>();
    auto result = out.AllocTensor<int32_t>();
    AscendC::Muls(result, t, factor, kWords);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Add(result, result, t[kWords], kWords);
    in.FreeTensor(t);
    out.EnQue(result);
    result = out.DeQue<int32_t>();
    AscendC::DataCopy(gz, result, kWords);
    out.FreeTensor(result);
}

class HostCapture : public testing::Test {
protected:
    HostCapture() {
        for (aclrtStream* stream : {&a_, &b_}) aclrtCreateStream(stream);
        for (aclrtEvent* event : {&event_, &back_}) aclrtCreateEvent(event);
        for (int32_t** p : {&x_, &y_, &z_}) {
            aclrtMalloc(reinterpret_cast<void**>(p), kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
            Set(*p, 1);
        }
        aclrtMallocHost(reinterpret_cast<void**>(&pinned_), kBytes);
    }
    ~HostCapture() override {
        if (model_) aclmdlRIDestroy(model_);
        aclmdlRI left = nullptr;
        if (Status(a_) != ACL_MODEL_RI_CAPTURE_STATUS_NONE) aclmdlRICaptureEnd(a_, &left);
        aclrtSynchronizeDevice();
        aclGetRecentErrMsg();
        for (int32_t* p : {x_, y_, z_}) aclrtFree(p);
        aclrtFreeHost(pinned_);
        for (aclrtStream stream : {a_, b_}) aclrtDestroyStream(stream);
        for (aclrtEvent event : {event_, back_}) aclrtDestroyEvent(event);
    }

    static void Set(int32_t* p, int32_t value) { std::fill_n(p, kWords, value); }  // memory of the device is memory
    static bool Is(const int32_t* p, int32_t value) {
        return std::all_of(p, p + kWords, [value](int32_t word) { return word == value; });
    }
    static aclmdlRICaptureStatus Status(aclrtStream stream) {
        aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE;
        aclmdlRICaptureGetInfo(stream, &status, nullptr);
        return status;
    }
    static void Launch(aclrtStream stream, int32_t* z, int32_t* x, int32_t* y, int32_t factor = 2);
    void Begin(aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL) {
        ASSERT_EQ(aclmdlRICaptureBegin(a_, mode), 0);
    }
    void End() {
        ASSERT_EQ(aclmdlRICaptureEnd(a_, &model_), 0) << Message();
        ASSERT_NE(model_, nullptr);
    }
    // The call is refused with the pinned text, and the capture fails.
    void Forbidden(aclError code) {
        EXPECT_NE(code, 0);
        ExpectText(__FILE__, NameOfTest(), Message());
        EXPECT_EQ(Status(a_), ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED);
        EXPECT_NE(aclmdlRICaptureEnd(a_, &model_), 0);
        EXPECT_EQ(model_, nullptr);
        EXPECT_NE(Message().find("the capture is invalid"), std::string::npos);
    }

    aclrtStream a_ = nullptr, b_ = nullptr;
    aclrtEvent event_ = nullptr, back_ = nullptr;
    int32_t *x_ = nullptr, *y_ = nullptr, *z_ = nullptr, *pinned_ = nullptr;
    aclmdlRI model_ = nullptr;
};

TEST_F(HostCapture, ReplaysSeeWhatTheirMemoryHoldsThen) {
    Begin();
    aclrtMemcpyAsync(x_, kBytes, pinned_, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, a_);
    Launch(a_, z_, x_, y_, 3);
    Launch(a_, y_, z_, x_, 1);
    aclrtMemsetAsync(x_, kBytes, 0, kBytes, a_);
    EXPECT_EQ(Status(a_), ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
    EXPECT_EQ(Status(b_), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    End();
    EXPECT_TRUE(Is(x_, 1) && Is(y_, 1) && Is(z_, 1));  // nothing has run
    int32_t y = 1;
    for (int32_t i = 0; i < 1000; ++i) {
        Set(pinned_, i);
        ASSERT_EQ(aclmdlRIExecuteAsync(model_, i % 2 ? a_ : b_), 0) << Message();
        ASSERT_EQ(aclrtSynchronizeDevice(), 0) << Message();
        const int32_t z = i * 3 + y;
        y = z + i;
        ASSERT_TRUE(Is(z_, z) && Is(y_, y) && Is(x_, 0)) << i;
        if (y > 1000000) Set(y_, y = 0);
    }
    EXPECT_EQ(aclrtSynchronizeDevice(), 0);
}

TEST_F(HostCapture, ArgumentsAreThoseOfTheCapture) {
    Begin();
    for (int32_t factor = 1; factor <= 3; ++factor) Launch(a_, z_, z_, y_, factor);
    for (int32_t factor = 4; factor <= 5; ++factor) {  // the variables are gone behind the capture
        const std::map<int32_t, void (*)(int32_t*, int32_t*, int32_t*, int32_t)> kernels = {{4, Scaled}, {5, Scaled}};
        SFUMATO_LAUNCH(kernels.at(factor)).On(1, nullptr, a_)(z_, z_, y_, factor);
    }
    End();
    ASSERT_EQ(aclmdlRIExecute(model_, -1), 0) << Message();
    EXPECT_TRUE(Is(z_, ((((1 * 1 + 1) * 2 + 1) * 3 + 1) * 4 + 1) * 5 + 1));
}

TEST_F(HostCapture, AnEventBringsAnotherStreamIn) {
    Begin();
    Launch(a_, x_, x_, y_);
    aclrtRecordEvent(event_, a_);
    aclrtStreamWaitEvent(b_, event_);
    EXPECT_EQ(Status(b_), ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
    Launch(b_, z_, x_, y_);
    aclrtRecordEvent(back_, b_);
    aclrtStreamWaitEvent(a_, back_);
    Launch(a_, z_, z_, z_, 1);
    End();
    EXPECT_EQ(Status(b_), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    ASSERT_EQ(aclmdlRIExecuteAsync(model_, a_), 0);
    EXPECT_TRUE(Is(z_, 14));  // x = 1 * 2 + 1, z = 3 * 2 + 1
}

TEST_F(HostCapture, AStreamThatJoinedLeadsBack) {
    Begin();
    aclrtRecordEvent(event_, a_);
    aclrtStreamWaitEvent(b_, event_);
    Launch(b_, z_, x_, y_);
    EXPECT_NE(aclmdlRICaptureEnd(a_, &model_), 0);
    ExpectText(__FILE__, NameOfTest(), Message());
    // Nor does work behind the way back.
    Begin();
    aclrtRecordEvent(event_, a_);
    aclrtStreamWaitEvent(b_, event_);
    aclrtRecordEvent(back_, b_);
    aclrtStreamWaitEvent(a_, back_);
    Launch(b_, z_, x_, y_);
    EXPECT_NE(aclmdlRICaptureEnd(a_, &model_), 0);
    ExpectText(__FILE__, NameOfTest(), Message());
}

TEST_F(HostCapture, TheHostMayNotWaitForTheStream) {
    Begin();
    Forbidden(aclrtSynchronizeStream(a_));
}
TEST_F(HostCapture, NorForTheDevice) {
    Begin();
    Forbidden(aclrtSynchronizeDevice());
}
TEST_F(HostCapture, NorForAnEventOfIt) {
    Begin();
    aclrtRecordEvent(event_, a_);
    aclrtEventRecordedStatus status{};
    Forbidden(aclrtQueryEventStatus(event_, &status));
}
TEST_F(HostCapture, TheDefaultStreamTakesNothing) {
    Begin();
    Launch(nullptr, z_, x_, y_);
    Forbidden(aclrtSynchronizeStream(b_));  // which returns what the launch left
}
TEST_F(HostCapture, ACopyAtOnceIsForbidden) {
    Begin();
    Forbidden(aclrtMemcpy(pinned_, kBytes, z_, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
}
TEST_F(HostCapture, ACopyOfPageableMemoryIsForbidden) {
    int32_t words[kWords] = {};
    Begin(ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
    Forbidden(aclrtMemcpyAsync(z_, kBytes, words, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, a_));
}

TEST_F(HostCapture, ModesSayWhoMayCopyAtOnce) {
    const auto copies = [this] { return aclrtMemcpy(pinned_, kBytes, z_, kBytes, ACL_MEMCPY_DEVICE_TO_HOST) == 0; };
    const auto elsewhere = [&] {
        bool done = false;
        std::thread([&] { done = copies(); }).join();
        return done;
    };
    Begin(ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
    EXPECT_TRUE(copies() && elsewhere());
    End();
    aclmdlRIDestroy(model_);
    Begin(ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL);
    EXPECT_TRUE(elsewhere());
    EXPECT_FALSE(copies());
    EXPECT_NE(aclmdlRICaptureEnd(a_, &model_), 0);
    Begin();
    aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
    EXPECT_EQ(aclmdlRICaptureThreadExchangeMode(&mode), 0);
    EXPECT_EQ(mode, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL);
    EXPECT_TRUE(copies());
    EXPECT_EQ(aclmdlRICaptureThreadExchangeMode(&mode), 0);
    EXPECT_EQ(mode, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
    EXPECT_FALSE(elsewhere());
    EXPECT_NE(aclmdlRICaptureEnd(a_, &model_), 0);
    mode = static_cast<aclmdlRICaptureMode>(3);
    aclGetRecentErrMsg();
    EXPECT_NE(aclmdlRICaptureThreadExchangeMode(&mode), 0);
    ExpectText(__FILE__, NameOfTest(), Message());
}

TEST_F(HostCapture, BeginAndEndBelongTogether) {
    std::string said;
    const auto refused = [&said](aclError error) {
        EXPECT_NE(error, 0);
        said += Message() + "\n";
    };
    refused(aclmdlRICaptureBegin(nullptr, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    refused(aclmdlRICaptureEnd(a_, &model_));
    Begin();
    refused(aclmdlRICaptureBegin(a_, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    refused(aclmdlRICaptureEnd(b_, &model_));
    std::thread([&] { refused(aclmdlRICaptureEnd(a_, &model_)); }).join();
    End();
    const aclmdlRI model = std::exchange(model_, nullptr);
    EXPECT_EQ(aclmdlRIDestroy(model), 0);
    refused(aclmdlRIExecuteAsync(model, a_));
    refused(aclmdlRIExecute(model, 0));
    ExpectText(__FILE__, NameOfTest(), said);
}

TEST_F(HostCapture, AReplayUsesFreedMemory) {
    Begin();
    Launch(a_, z_, x_, y_);
    End();
    aclrtFree(x_);
    EXPECT_EQ(aclmdlRIExecuteAsync(model_, a_), 0);
    EXPECT_NE(aclrtSynchronizeStream(a_), 0);
    ExpectText(__FILE__, NameOfTest(), Message());
    aclrtMalloc(reinterpret_cast<void**>(&x_), kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
}

// An update of parameters, as attention of growing sequences has it: the replay waits for the event behind it.
TEST_F(HostCapture, AGroupIsUpdatedWhileTheReplayWaits) {
    aclrtEvent external = nullptr;
    ASSERT_EQ(aclrtCreateEventWithFlag(&external, ACL_EVENT_EXTERNAL), 0);
    Begin();
    Launch(a_, x_, x_, y_, 1);
    aclrtStreamWaitEvent(a_, external);
    aclrtResetEvent(external, a_);
    ASSERT_EQ(aclmdlRICaptureTaskGrpBegin(a_), 0);
    Launch(a_, z_, x_, y_, 0);
    aclrtTaskGrp group = nullptr;
    ASSERT_EQ(aclmdlRICaptureTaskGrpEnd(a_, &group), 0);
    Launch(a_, z_, z_, z_, 1);
    End();
    for (int32_t i = 1; i <= 3; ++i) {
        ASSERT_EQ(aclmdlRIExecuteAsync(model_, a_), 0);
        aclrtMemsetAsync(pinned_, kBytes, 0, kBytes, a_);  // comes behind
        EXPECT_TRUE(Is(x_, 1 + i)) << i;
        EXPECT_NE(aclrtSynchronizeStream(a_), 0);
        if (i == 1) ExpectText(__FILE__, NameOfTest(), Message());
        Set(pinned_, 7);
        ASSERT_EQ(aclmdlRICaptureTaskUpdateBegin(b_, group), 0);
        Launch(b_, z_, x_, y_, 10 * i);
        ASSERT_EQ(aclmdlRICaptureTaskUpdateEnd(b_), 0);
        EXPECT_TRUE(Is(pinned_, 7)) << i;
        aclrtRecordEvent(external, b_);
        EXPECT_TRUE(Is(z_, 2 * ((1 + i) * 10 * i + 1)) && Is(pinned_, 0)) << i;
        EXPECT_EQ(aclrtSynchronizeStream(a_), 0);
    }
    ASSERT_EQ(aclmdlRICaptureTaskUpdateBegin(b_, group), 0);
    EXPECT_NE(aclmdlRICaptureTaskUpdateEnd(b_), 0);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_NE(aclmdlRICaptureTaskUpdateBegin(b_, nullptr), 0);
    ExpectText(__FILE__, NameOfTest(), Message());
    aclrtDestroyEvent(external);
}

// Replays and work between them keep their order behind the event, each waiting for a record of its own.
TEST_F(HostCapture, ReplaysQueueBehindAnEvent) {
    aclrtEvent external = nullptr;
    ASSERT_EQ(aclrtCreateEventWithFlag(&external, ACL_EVENT_EXTERNAL), 0);
    Begin();
    aclrtStreamWaitEvent(a_, external);
    aclrtResetEvent(external, a_);
    Launch(a_, x_, x_, y_, 1);  // x + 1
    End();
    aclmdlRI outer = nullptr;  // a replay in a capture
    ASSERT_EQ(aclmdlRICaptureBegin(b_, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), 0);
    ASSERT_EQ(aclmdlRIExecuteAsync(model_, b_), 0);
    Launch(b_, x_, x_, y_, 10);  // x * 10 + 1
    ASSERT_EQ(aclmdlRICaptureEnd(b_, &outer), 0);
    ASSERT_EQ(aclmdlRIExecuteAsync(model_, a_), 0);
    ASSERT_EQ(aclmdlRIExecuteAsync(outer, a_), 0);
    ASSERT_EQ(aclmdlRIExecuteAsync(model_, a_), 0);
    EXPECT_NE(aclrtDestroyStream(a_), 0);
    ExpectText(__FILE__, NameOfTest(), Message());
    EXPECT_TRUE(Is(x_, 1));
    for (const int32_t x : {2, 31, 32}) {
        aclrtRecordEvent(external, b_);
        EXPECT_TRUE(Is(x_, x)) << x;
    }
    EXPECT_EQ(aclrtSynchronizeStream(a_), 0);
    EXPECT_NE(aclmdlRIExecute(model_, -1), 0) << "its event was used up";
    ExpectText(__FILE__, NameOfTest(), Message());
    aclrtRecordEvent(external, b_);
    aclmdlRIDestroy(outer);
    aclrtDestroyEvent(external);
    EXPECT_NE(aclrtCreateEventWithFlag(&external, ACL_EVENT_EXTERNAL | ACL_EVENT_SYNC), 0);
    ExpectText(__FILE__, NameOfTest(), Message());
}

// A host that waits for a stream waits for a replay that another thread has set going.
TEST_F(HostCapture, AnotherThreadRunsTheReplay) {
    Begin();
    for (int32_t i = 0; i < 200; ++i) Launch(a_, x_, x_, y_, 1);
    End();
    std::atomic<bool> ran = false;
    std::thread other([&] {
        aclmdlRIExecuteAsync(model_, a_);
        ran = true;
    });
    while (!host::Captures::The().Keeps(a_) && !ran) std::this_thread::yield();
    Launch(a_, z_, x_, y_, 0);
    EXPECT_EQ(aclrtSynchronizeStream(a_), 0);
    EXPECT_TRUE(Is(x_, 201) && Is(z_, 1));
    other.join();
}

TEST_F(HostCapture, GroupsAreOfAStream) {
    Begin();
    aclrtRecordEvent(event_, a_);
    aclrtStreamWaitEvent(b_, event_);
    ASSERT_EQ(aclmdlRICaptureTaskGrpBegin(a_), 0);
    Launch(b_, x_, y_, y_, 4);
    Launch(a_, z_, y_, y_, 1);
    aclrtTaskGrp group = nullptr;
    ASSERT_EQ(aclmdlRICaptureTaskGrpEnd(a_, &group), 0);
    aclrtRecordEvent(back_, b_);
    aclrtStreamWaitEvent(a_, back_);
    End();
    ASSERT_EQ(aclmdlRICaptureTaskUpdateBegin(b_, group), 0);
    Launch(b_, z_, y_, y_, 7);
    Launch(b_, z_, y_, y_, 8);
    EXPECT_NE(aclmdlRICaptureTaskUpdateEnd(b_), 0);  // and nothing is replaced
    aclmdlRIExecuteAsync(model_, a_);
    EXPECT_TRUE(Is(x_, 5) && Is(z_, 2));
    ASSERT_EQ(aclmdlRICaptureTaskUpdateBegin(b_, group), 0);
    Launch(b_, z_, y_, y_, 7);
    ASSERT_EQ(aclmdlRICaptureTaskUpdateEnd(b_), 0);
    aclmdlRIExecuteAsync(model_, a_);
    EXPECT_TRUE(Is(x_, 5) && Is(z_, 8));
}

TEST_F(HostCapture, AnEventIsOfItsLastRecord) {
    Begin();
    aclrtRecordEvent(event_, a_);
    aclrtRecordEvent(event_, b_);
    aclrtStreamWaitEvent(b_, event_);
    EXPECT_EQ(Status(b_), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    aclrtRecordEvent(event_, a_);
    ASSERT_EQ(aclmdlRICaptureBegin(b_, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), 0);
    EXPECT_NE(aclrtStreamWaitEvent(b_, event_), 0);
    ExpectText(__FILE__, NameOfTest(), Message());
    aclmdlRI none = nullptr;
    EXPECT_NE(aclmdlRICaptureEnd(b_, &none), 0);
}

TEST_F(HostCapture, AWrongCopyIsRefusedAtItsCall) {
    Begin();
    EXPECT_NE(aclrtMemcpyAsync(x_, 8, y_, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, a_), 0);
    End();
    EXPECT_EQ(aclmdlRIExecuteAsync(model_, a_), 0);
}

// What another stream waits for may itself be behind such an event.
TEST_F(HostCapture, WaitingPassesOn) {
    aclrtEvent external = nullptr;
    aclrtCreateEventWithFlag(&external, ACL_EVENT_EXTERNAL);
    aclrtStreamWaitEvent(a_, external);
    Launch(a_, x_, x_, y_);
    aclrtRecordEvent(event_, a_);
    aclrtStreamWaitEvent(b_, event_);
    Launch(b_, z_, x_, y_);
    EXPECT_TRUE(Is(x_, 1) && Is(z_, 1));
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
    EXPECT_EQ(aclrtQueryEventStatus(event_, &status), 0);
    EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
    aclrtRecordEvent(external, nullptr);
    EXPECT_TRUE(Is(x_, 3) && Is(z_, 7));
    EXPECT_EQ(aclrtSynchronizeDevice(), 0);
    aclrtDestroyEvent(external);
}

void HostCapture::Launch(aclrtStream stream, int32_t* z, int32_t* x, int32_t* y, int32_t factor) {
#line 100 "capture.asc"
    SFUMATO_LAUNCH(Scaled).On(1, nullptr, stream)(z, x, y, factor);
}

}  // namespace
}  // namespace sfumato
