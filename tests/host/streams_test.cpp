// SPDX-License-Identifier: Apache-2.0
// Programs of two streams under streams=check: what orders work, and what nothing orders.
#include <gtest/gtest.h>

#include "acl/acl.h"
#include "host/message.h"
#include "host/stream_order.h"
#include "kernel_operator.h"
#include "sfumato/host/launch.h"
#include "support/golden.h"
#include "support/raised.h"

namespace sfumato {
namespace {

constexpr int32_t kWords = 256;

// Words first to first + 7 of x from those of y.
__global__ void Eight(__gm__ int32_t* x, __gm__ int32_t* y, int32_t first) {
    AscendC::TPipe pipe;
    AscendC::TQueBind<AscendC::TPosition::VECIN, AscendC::TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 32);
    AscendC::GlobalTensor<int32_t> to, from;
    to.SetGlobalBuffer(x, kWords);
    from.SetGlobalBuffer(y, kWords);
    auto t = queue.AllocTensor<int32_t>();
    AscendC::DataCopy(t, from[first], 8);
    queue.EnQue<AscendC::TPosition::GM, AscendC::TPosition::VECIN, int32_t>(t);
    t = queue.DeQue<AscendC::TPosition::GM, AscendC::TPosition::VECIN, int32_t>();
    queue.EnQue<AscendC::TPosition::VECOUT, AscendC::TPosition::GM, int32_t>(t);
    t = queue.DeQue<AscendC::TPosition::VECOUT, AscendC::TPosition::GM, int32_t>();
    AscendC::DataCopy(to[first], t, 8);
    queue.FreeTensor(t);
}
__global__ void Scalar(__gm__ int32_t* x) {
    AscendC::GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer(x, 1);
    gm.SetValue(0, 7);
}

class HostStreams : public testing::Test {
protected:
    HostStreams() {
        host::StreamOrder::The().Enable(true, false);
        for (aclrtStream* stream : {&a_, &b_}) aclrtCreateStream(stream);
        for (aclrtEvent* event : {&event_, &other_}) aclrtCreateEvent(event);
        for (void** p : {&x_, &y_, &z_}) {
            aclrtMalloc(p, sizeof words_, ACL_MEM_MALLOC_HUGE_FIRST);
            aclrtMemset(*p, sizeof words_, 0, sizeof words_);
        }
        testing::internal::CaptureStderr();
    }
    ~HostStreams() override {
        testing::internal::GetCapturedStderr();
        aclrtSynchronizeDevice();
        aclGetRecentErrMsg();
        for (void* p : {x_, y_, z_}) aclrtFree(p);
        for (aclrtStream stream : {a_, b_}) aclrtDestroyStream(stream);
        for (aclrtEvent event : {event_, other_}) aclrtDestroyEvent(event);
        host::StreamOrder::The().Enable(false, false);
    }
    static void Launch(aclrtStream stream, void* to, void* from, int32_t first = 0);
    // What was said since the last call, numbers of streams and blocks as N.
    static std::string Said() {
        std::string text = testing::internal::GetCapturedStderr();
        testing::internal::CaptureStderr();
        if (text.find("[stream-race]") != std::string::npos) Raised("stream-race");
        std::string shown;
        for (size_t i = 0; i < text.size(); ++i) {
            const bool numbered = shown.ends_with("stream ") || shown.ends_with("#");
            if (!numbered || !std::isdigit(static_cast<unsigned char>(text[i]))) {
                shown += text[i];
                continue;
            }
            while (std::isdigit(static_cast<unsigned char>(text[i + 1]))) ++i;
            shown += 'N';
        }
        return shown;
    }

    int32_t words_[kWords] = {};
    aclrtStream a_ = nullptr, b_ = nullptr;
    aclrtEvent event_ = nullptr, other_ = nullptr;
    void *x_ = nullptr, *y_ = nullptr, *z_ = nullptr;
};

TEST_F(HostStreams, OneStreamIsInOrder) {
    Launch(a_, x_, y_);
    Launch(a_, z_, x_);
    aclrtMemcpyAsync(x_, sizeof words_, words_, sizeof words_, ACL_MEMCPY_HOST_TO_DEVICE, a_);
    Launch(a_, y_, x_);
    EXPECT_EQ(aclrtSynchronizeStream(a_), 0);
    EXPECT_EQ(aclrtMemcpy(words_, sizeof words_, y_, sizeof words_, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    EXPECT_EQ(Said(), "");
}

TEST_F(HostStreams, AnEventOrders) {
    Launch(a_, x_, y_);
    aclrtRecordEvent(event_, a_);
    aclrtStreamWaitEvent(b_, event_);
    Launch(b_, z_, x_);
    // Through a third: the default stream waits for b, which waited for a.
    aclrtRecordEvent(other_, b_);
    aclrtStreamWaitEvent(nullptr, other_);
    Launch(nullptr, x_, z_);
    EXPECT_EQ(Said(), "");
}

TEST_F(HostStreams, WaitingOnTheHostOrders) {
    Launch(a_, x_, y_);
    aclrtSynchronizeStream(a_);
    Launch(b_, z_, x_);
    aclrtRecordEvent(event_, b_);
    aclrtSynchronizeEvent(event_);
    Launch(a_, x_, z_);
    aclrtSynchronizeDevice();
    Launch(nullptr, y_, x_);
    aclrtRecordEvent(other_, nullptr);
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    aclrtQueryEventStatus(other_, &status);
    Launch(b_, z_, y_);
    EXPECT_EQ(Said(), "");
}

TEST_F(HostStreams, ReadersAndPartsAreNoRace) {
    Launch(a_, x_, y_);
    Launch(b_, z_, y_);      // two that read y
    Launch(b_, x_, z_, 8);   // other words of x and z
    Launch(a_, z_, x_, 16);  // and others
    EXPECT_EQ(Said(), "");
}

TEST_F(HostStreams, ANewBlockHasNoPast) {
    Launch(a_, x_, y_);
    aclrtSynchronizeStream(a_);
    void* p = x_;
    Launch(a_, x_, y_);
    host::StreamOrder::The().MadeBlock(p);
    Launch(b_, x_, z_);
    EXPECT_EQ(Said(), "");
}

TEST_F(HostStreams, NothingOrders) {
    Launch(a_, x_, y_);
    EXPECT_EQ(Said(), "");
    Launch(b_, z_, x_);
    ExpectText(__FILE__, NameOfTest(), Said());
    Launch(b_, z_, x_);  // said once
    EXPECT_EQ(Said(), "");
}

TEST_F(HostStreams, WritesOverWhatIsRead) {
    Launch(a_, x_, y_);
    aclrtMemsetAsync(y_, sizeof words_, 1, sizeof words_, nullptr);
    ExpectText(__FILE__, NameOfTest(), Said());
}

TEST_F(HostStreams, TheDefaultStreamIsOneOfThem) {
    Launch(nullptr, x_, y_);
    Launch(a_, y_, x_);
    EXPECT_NE(Said().find("that the default stream writes"), std::string::npos);
}

TEST_F(HostStreams, TheHostReadsTooEarly) {
    SFUMATO_LAUNCH(Scalar).On(1, nullptr, a_)(static_cast<uint8_t*>(x_) + 64);
    aclrtMemcpy(words_, sizeof words_, x_, sizeof words_, ACL_MEMCPY_DEVICE_TO_HOST);
    const std::string said = Said();
    EXPECT_NE(said.find("[stream-race] aclrtMemcpy: reads bytes of the device that stream N writes"), std::string::npos)
        << said;
    EXPECT_NE(said.find("found:  bytes 64..68 of 'aclrtMalloc #N', on the host; Scalar<<<>>> writes them"),
              std::string::npos)
        << said;
    EXPECT_NE(said.find("legal:  a call behind one that synchronises, such as aclrtSynchronizeStream\n"),
              std::string::npos)
        << said;
}

TEST_F(HostStreams, AnEventOfBeforeOrdersNothing) {
    aclrtRecordEvent(event_, a_);
    aclrtMemcpyAsync(x_, sizeof words_, words_, sizeof words_, ACL_MEMCPY_HOST_TO_DEVICE, a_);
    aclrtStreamWaitEvent(b_, event_);
    aclrtMemcpyAsync(words_, sizeof words_, x_, sizeof words_, ACL_MEMCPY_DEVICE_TO_HOST, b_);
    EXPECT_NE(Said().find("[stream-race] aclrtMemcpyAsync: reads bytes"), std::string::npos);
    // Nor does one that was reset.
    aclrtRecordEvent(event_, a_);
    aclrtResetEvent(event_, a_);
    aclrtStreamWaitEvent(b_, event_);
    aclrtMemcpyAsync(x_, sizeof words_, words_, sizeof words_, ACL_MEMCPY_HOST_TO_DEVICE, b_);
    EXPECT_NE(Said().find("[stream-race] aclrtMemcpyAsync: writes bytes"), std::string::npos);
}

TEST_F(HostStreams, RowsOfACopyAreThemselves) {
    aclrtMemcpy2dAsync(x_, 64, words_, 64, 32, 4, ACL_MEMCPY_HOST_TO_DEVICE, a_);
    Launch(b_, x_, y_, 8);  // words 8 to 15, between two rows
    EXPECT_EQ(Said(), "");
    Launch(b_, x_, y_, 16);
    EXPECT_NE(Said().find("found:  bytes 64..96 of"), std::string::npos);
}

TEST_F(HostStreams, StrictRefusesTheCopyAndFailsTheLaunch) {
    host::StreamOrder::The().Enable(true, true);
    Launch(a_, x_, y_);
    words_[0] = 7;
    EXPECT_EQ(aclrtMemcpyAsync(words_, sizeof words_, x_, sizeof words_, ACL_MEMCPY_DEVICE_TO_HOST, b_),
              ACL_ERROR_INVALID_PARAM);
    EXPECT_TRUE(Message().starts_with("fault [stream-race] aclrtMemcpyAsync: reads bytes"));
    EXPECT_EQ(words_[0], 7);
    Launch(b_, y_, x_, 0);
    EXPECT_NE(aclrtSynchronizeStream(b_), 0);
    EXPECT_TRUE(Message().starts_with("fault [stream-race] Eight<<<>>>: reads bytes"));
}

TEST_F(HostStreams, OffSaysNothing) {
    host::StreamOrder::The().Enable(false, false);
    Launch(a_, x_, y_);
    Launch(b_, y_, x_);
    EXPECT_EQ(Said(), "");
}

void HostStreams::Launch(aclrtStream stream, void* to, void* from, int32_t first) {
#line 100 "streams.asc"
    SFUMATO_LAUNCH(Eight).On(1, nullptr, stream)(to, from, first);
}

}  // namespace
}  // namespace sfumato
