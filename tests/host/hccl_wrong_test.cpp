// SPDX-License-Identifier: Apache-2.0
// Programs that use HCCL wrongly: what is said, word for word, and that each is silent when it is mended.
#include <unistd.h>

#include <cstring>
#include <memory>
#include <regex>

#include "host/hccl_ranks.h"
#include "host/message.h"
#include "support/golden.h"

namespace sfumato {
namespace {

constexpr HcclDataType kWords = HCCL_DATA_TYPE_INT32;
constexpr auto kSum = HCCL_REDUCE_SUM, kMax = HCCL_REDUCE_MAX;

// The name of a communicator has the number of its root.
std::string Numbered(std::string text) {
    for (size_t at = 0; (at = text.find("%sfumato_0_", at)) != text.npos;) {
        at += 11;
        text.replace(at, text.find_first_not_of("0123456789", at) - at, "N");
    }
    // Devices of no communicator here: what their hosts do depends on the tests before.
    static const std::regex idle("; ranks? [0-9, andmore]+: nothing is submitted, [^;\\n]*");
    return std::regex_replace(text, idle, "");
}

// Two or three ranks, all served by this thread.
class HcclWrong : public testing::Test {
protected:
    static constexpr uint32_t kRanks = 3;
    HcclWrong() : comms_(InitAll(kRanks)) {
        for (uint32_t r = 0; r < kRanks; ++r) {
            On(r);
            aclrtCreateStream(&streams_[r]);
            buffers_.push_back(std::make_unique<OnDevice<int32_t>>(std::vector<int32_t>(64)));
        }
    }
    ~HcclWrong() override {
        for (uint32_t r = 0; r < kRanks; ++r) {
            On(r);
            aclrtSynchronizeStream(streams_[r]);
            if (comms_[r]) HcclCommDestroy(comms_[r]);
            aclrtDestroyStream(streams_[r]);
        }
        buffers_.clear();
        On(0);
        aclGetRecentErrMsg();
    }
    static void On(uint32_t rank) { aclrtSetDevice(static_cast<int32_t>(rank)); }
    void* Buffer(uint32_t rank, uint32_t word = 0) {
        return static_cast<int32_t*>(static_cast<void*>(*buffers_[rank])) + word;
    }
    HcclResult AllReduce(uint32_t rank, uint64_t count, HcclReduceOp op = kSum) {
        On(rank);
        return HcclAllReduce(Buffer(rank), Buffer(rank), count, kWords, op, comms_[rank], streams_[rank]);
    }
    // Every rank hears of it, the first text is compared.
    void ExpectFaults(const std::vector<uint32_t>& ranks) {
        for (const uint32_t rank : ranks) {
            On(rank);
            EXPECT_NE(aclrtSynchronizeStream(streams_[rank]), 0) << rank;
            const std::string text = Message();
            if (rank == ranks.front()) ExpectText(__FILE__, NameOfTest(), Numbered(text));
            EXPECT_NE(text, "");
        }
        ExpectSilence();
    }
    void ExpectSilence() {
        for (uint32_t rank = 0; rank < kRanks; ++rank) {
            On(rank);
            EXPECT_EQ(aclrtSynchronizeStream(streams_[rank]), 0) << rank;
        }
        EXPECT_EQ(Message(), "");
    }
    // A refusal of a call.
    void Expect(HcclResult result, HcclResult expected) {
        EXPECT_EQ(result, expected);
        ExpectText(__FILE__, NameOfTest(), Numbered(Message()));
    }

    std::vector<HcclComm> comms_;
    aclrtStream streams_[kRanks] = {};
    std::vector<std::unique_ptr<OnDevice<int32_t>>> buffers_;
};

TEST_F(HcclWrong, OneRankTakesTheMaximum) {
    for (uint32_t r = 0; r < kRanks; ++r) EXPECT_EQ(AllReduce(r, 16, r == 1 ? kMax : kSum), HCCL_SUCCESS);
    HcclResult error = HCCL_SUCCESS;
    EXPECT_EQ(HcclGetCommAsyncError(comms_[2], &error), HCCL_SUCCESS);
    EXPECT_EQ(error, HCCL_E_RUNTIME);
    ExpectFaults({0, 1, 2});
    for (uint32_t r = 0; r < kRanks; ++r) EXPECT_EQ(AllReduce(r, 16), HCCL_SUCCESS);
    ExpectSilence();
}

TEST_F(HcclWrong, OneRankHasFewerElements) {
    for (uint32_t r = 0; r < kRanks; ++r) EXPECT_EQ(AllReduce(r, r == 2 ? 15 : 16), HCCL_SUCCESS);
    ExpectFaults({2, 0, 1});
}

TEST_F(HcclWrong, OneRankBroadcasts) {
    for (uint32_t r = 0; r < kRanks; ++r) {
        On(r);
        if (r != 1) {
            AllReduce(r, 8);
        } else {
            EXPECT_EQ(HcclBroadcast(Buffer(1), 8, kWords, 0, comms_[1], streams_[1]), HCCL_SUCCESS);
        }
    }
    ExpectFaults({0, 1, 2});
}

TEST_F(HcclWrong, RootsDiffer) {
    for (const bool right : {false, true}) {
        for (uint32_t r = 0; r < kRanks; ++r) {
            On(r);
            EXPECT_EQ(HcclBroadcast(Buffer(r), 8, kWords, right ? 0 : r, comms_[r], streams_[r]), HCCL_SUCCESS);
        }
        right ? ExpectSilence() : ExpectFaults({0, 1, 2});
    }
}

TEST_F(HcclWrong, TypesDiffer) {
    for (const bool right : {false, true}) {
        for (uint32_t r = 0; r < kRanks; ++r) {
            On(r);
            const HcclDataType type = right || r != 2 ? kWords : HCCL_DATA_TYPE_FP32;
            EXPECT_EQ(HcclAllGather(Buffer(r), Buffer(r, 8), 4, type, comms_[r], streams_[r]), HCCL_SUCCESS);
        }
        right ? ExpectSilence() : ExpectFaults({0, 1, 2});
    }
}

TEST_F(HcclWrong, ReceivesFewerThanAreSent) {
    for (const bool right : {false, true}) {
        for (uint64_t r = 0; r < kRanks; ++r) {
            On(static_cast<uint32_t>(r));
            const uint64_t sent[] = {1, 2, 3}, at[] = {0, 1, 3};
            const uint64_t got[] = {r + 1, r + (right || r != 2 ? 1 : 0), r + 1}, got_at[] = {0, 4, 8};
            EXPECT_EQ(
                HcclAlltoAllV(Buffer(r), sent, at, kWords, Buffer(r, 16), got, got_at, kWords, comms_[r], streams_[r]),
                HCCL_SUCCESS);
        }
        right ? ExpectSilence() : ExpectFaults({0, 1, 2});
    }
}

TEST_F(HcclWrong, WhatIsSentToOneRankOverlaps) {
    const uint64_t sent[] = {2, 2, 2}, at[] = {0, 2, 4}, wrong[] = {0, 1, 4};
    On(0);
    Expect(HcclAlltoAllV(Buffer(0), sent, at, kWords, Buffer(0, 16), sent, wrong, kWords, comms_[0], streams_[0]),
           HCCL_E_PARA);
}

TEST_F(HcclWrong, AllToAllInPlace) {
    const uint64_t sent[] = {2, 2, 2}, at[] = {0, 2, 4};
    On(0);
    Expect(HcclAlltoAllV(Buffer(0), sent, at, kWords, Buffer(0), sent, at, kWords, comms_[0], streams_[0]),
           HCCL_E_PARA);
}

TEST_F(HcclWrong, SendAndReceiveDiffer) {
    for (const uint64_t count : {7u, 8u}) {
        On(0);
        EXPECT_EQ(HcclSend(Buffer(0), 8, kWords, 1, comms_[0], streams_[0]), HCCL_SUCCESS);
        On(1);
        EXPECT_EQ(HcclRecv(Buffer(1), count, kWords, 0, comms_[1], streams_[1]), HCCL_SUCCESS);
        count == 8 ? ExpectSilence() : ExpectFaults({0, 1});
    }
}

// A hang, told at once: the one host is blocked.
TEST_F(HcclWrong, OneRankNeverCalls) {
    AllReduce(0, 16);
    AllReduce(2, 16);
    ExpectFaults({0, 2});
}

TEST_F(HcclWrong, OneRankCallsOnceLess) {
    for (uint32_t round = 0; round < 2; ++round) {
        for (uint32_t r = 0; r < kRanks; ++r) {
            if (round == 0 || r != 1) AllReduce(r, 16);
        }
    }
    ExpectFaults({0, 2});
}

TEST_F(HcclWrong, SendMeetsSend) {
    for (const uint32_t r : {0u, 1u}) {
        On(r);
        EXPECT_EQ(HcclSend(Buffer(r), 4, kWords, 1 - r, comms_[r], streams_[r]), HCCL_SUCCESS);
        EXPECT_EQ(HcclRecv(Buffer(r, 8), 4, kWords, 1 - r, comms_[r], streams_[r]), HCCL_SUCCESS);
    }
    ExpectFaults({0, 1});
    for (const uint32_t r : {0u, 1u}) {
        On(r);
        HcclGroupStart();
        EXPECT_EQ(HcclSend(Buffer(r), 4, kWords, 1 - r, comms_[r], streams_[r]), HCCL_SUCCESS);
        EXPECT_EQ(HcclRecv(Buffer(r, 8), 4, kWords, 1 - r, comms_[r], streams_[r]), HCCL_SUCCESS);
        HcclGroupEnd();
    }
    ExpectSilence();
}

TEST_F(HcclWrong, DestroyedWhileInUse) {
    AllReduce(0, 16);
    Expect(HcclCommDestroy(comms_[0]), HCCL_E_AGAIN);
    AllReduce(1, 16);
    AllReduce(2, 16);
    ExpectSilence();
    EXPECT_EQ(HcclCommDestroy(comms_[0]), HCCL_SUCCESS);
    On(0);
    Expect(HcclBarrier(comms_[0], streams_[0]), HCCL_E_PARA);
    comms_[0] = nullptr;
}

TEST_F(HcclWrong, CommunicatorsInTwoOrders) {
    std::vector<HcclComm> others = InitAll(kRanks);
    for (const bool right : {true, false}) {
        testing::internal::CaptureStderr();
        for (uint32_t r = 0; r < kRanks; ++r) {
            On(r);
            const bool swapped = !right && r == 1;
            aclrtStream other = nullptr;  // the default stream
            if (swapped) HcclBarrier(others[r], other);
            HcclBarrier(comms_[r], streams_[r]);
            if (!swapped) HcclBarrier(others[r], other);
        }
        ExpectSilence();
        const std::string text = testing::internal::GetCapturedStderr();
        if (right) EXPECT_EQ(text, "");
        if (!right) ExpectText(__FILE__, NameOfTest(), Numbered(text));
    }
    Raised("comm-order");
    for (uint32_t r = 0; r < kRanks; ++r) {
        On(r);
        EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0);
        EXPECT_EQ(HcclCommDestroy(others[r]), HCCL_SUCCESS);
    }
}

// A board's call returns when the collective is queued, and copies of the host wait for no stream.
TEST_F(HcclWrong, TheHostReadsBeforeTheStreamIsDone) {
    std::vector<int32_t> host(64);
    for (const bool right : {true, false}) {
        testing::internal::CaptureStderr();
        for (uint32_t r = 0; r < kRanks; ++r) EXPECT_EQ(AllReduce(r, 16), HCCL_SUCCESS);
        On(1);
        if (right) aclrtSynchronizeStream(streams_[1]);
        EXPECT_EQ(aclrtMemcpy(host.data(), 256, Buffer(1), 256, ACL_MEMCPY_DEVICE_TO_HOST), 0);
        // What is behind the elements is not the collective's.
        EXPECT_EQ(aclrtMemcpy(Buffer(1, 16), 64, host.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE), 0);
        ExpectSilence();
        const std::string text = testing::internal::GetCapturedStderr();
        if (right) EXPECT_EQ(text, "");
        if (!right) ExpectText(__FILE__, NameOfTest(), text);
    }
    Raised("comm-buffer");
}

TEST_F(HcclWrong, AnotherStreamTouchesABuffer) {
    aclrtStream other = nullptr;
    aclrtEvent event = nullptr;
    On(0);
    aclrtCreateStream(&other);
    aclrtCreateEvent(&event);
    for (const bool right : {true, false}) {
        testing::internal::CaptureStderr();
        for (uint32_t r = kRanks; r-- > 0;) EXPECT_EQ(AllReduce(r, 16), HCCL_SUCCESS);
        On(0);
        aclrtRecordEvent(event, streams_[0]);
        if (right) aclrtStreamWaitEvent(other, event);
        EXPECT_EQ(aclrtMemsetAsync(Buffer(0, 8), 32, 0, 32, other), 0);
        EXPECT_EQ(aclrtSynchronizeStream(other), 0);
        ExpectSilence();
        const std::string text = testing::internal::GetCapturedStderr();
        if (right) EXPECT_EQ(text, "");
        if (!right) ExpectText(__FILE__, NameOfTest(), text);
    }
    aclrtDestroyEvent(event);
    aclrtDestroyStream(other);
}

TEST_F(HcclWrong, Buffers) {
    On(0);
    std::vector<int32_t> host(64);
    const auto reduce = [&](void* send, void* recv, uint64_t count) {
        return HcclAllReduce(send, recv, count, kWords, kSum, comms_[0], streams_[0]);
    };
    Expect(reduce(nullptr, Buffer(0), 4), HCCL_E_PTR);
    Expect(reduce(host.data(), Buffer(0), 4), HCCL_E_PARA);
    Expect(reduce(Buffer(0), Buffer(1), 4), HCCL_E_PARA);
    Expect(reduce(Buffer(0), Buffer(0), 65), HCCL_E_PARA);
    Expect(reduce(static_cast<char*>(Buffer(0)) + 2, Buffer(0), 4), HCCL_E_PARA);
    Expect(HcclAllReduce(Buffer(0), Buffer(0), 4, HCCL_DATA_TYPE_BFP16, HCCL_REDUCE_PROD, comms_[0], streams_[0]),
           HCCL_E_NOT_SUPPORT);
    Expect(HcclAllReduce(Buffer(0), Buffer(0), 4, kWords, static_cast<HcclReduceOp>(4), comms_[0], streams_[0]),
           HCCL_E_PARA);
    Expect(HcclBroadcast(Buffer(0), 4, static_cast<HcclDataType>(13), 0, comms_[0], streams_[0]), HCCL_E_PARA);
    Expect(HcclBroadcast(Buffer(0), 4, kWords, 3, comms_[0], streams_[0]), HCCL_E_PARA);
    Expect(HcclSend(Buffer(0), 4, kWords, 0, comms_[0], streams_[0]), HCCL_E_PARA);
    Expect(HcclBarrier(comms_[0], streams_[1]), HCCL_E_PARA);
    Expect(HcclBarrier(nullptr, streams_[0]), HCCL_E_PTR);
    Expect(HcclGroupEnd(), HCCL_E_PARA);
}

TEST_F(HcclWrong, Processes) {
    HcclRootInfo info;
    HcclComm comm = nullptr;
    On(0);
    EXPECT_EQ(HcclGetRootInfo(&info), HCCL_SUCCESS);
    HcclRootInfo foreign = info, other = info;
    foreign.internal[8] ^= 1;
    other.internal[0] = 'X';
    Expect(HcclCommInitRootInfo(2, &foreign, 0, &comm), HCCL_E_NOT_SUPPORT);
    Expect(HcclCommInitRootInfo(2, &other, 0, &comm), HCCL_E_PARA);
    Expect(HcclCommInitRootInfo(65, &info, 0, &comm), HCCL_E_PARA);
    Expect(HcclCommInitRootInfo(2, &info, 2, &comm), HCCL_E_PARA);
    Expect(HcclCommInitClusterInfo("ranks.json", 0, &comm), HCCL_E_NOT_SUPPORT);
    HcclCommConfig config{};
    Expect(HcclCommInitRootInfoConfig(2, &info, 0, &config, &comm), HCCL_E_PARA);
    int32_t devices[] = {1, 1};
    HcclComm comms[2];
    Expect(HcclCommInitAll(2, devices, comms), HCCL_E_PARA);
}

TEST_F(HcclWrong, TwoRanksOnOneDevice) {
    HcclRootInfo info;
    HcclComm comms[2];
    On(0);
    EXPECT_EQ(HcclGetRootInfo(&info), HCCL_SUCCESS);
    HcclGroupStart();
    EXPECT_EQ(HcclCommInitRootInfo(2, &info, 0, &comms[0]), HCCL_SUCCESS);
    Expect(HcclCommInitRootInfo(2, &info, 1, &comms[1]), HCCL_E_PARA);
    Expect(HcclCommInitRootInfo(3, &info, 1, &comms[1]), HCCL_E_PARA);
    On(1);
    EXPECT_EQ(HcclCommInitRootInfo(2, &info, 1, &comms[1]), HCCL_SUCCESS);
    EXPECT_EQ(HcclGroupEnd(), HCCL_SUCCESS);
    for (HcclComm comm : comms) EXPECT_EQ(HcclCommDestroy(comm), HCCL_SUCCESS);
}

// Nobody serves the devices that are left: after SFUMATO_RANK_TIMEOUT.
TEST_F(HcclWrong, ARankNeverInitialises) {
    HcclRootInfo info;
    HcclComm comm = nullptr;
    On(0);
    EXPECT_EQ(HcclGetRootInfo(&info), HCCL_SUCCESS);
    EXPECT_EQ(HcclCommInitRootInfo(2, &info, 0, &comm), HCCL_E_TIMEOUT);
    const std::string text = Message();
    EXPECT_TRUE(
        text.starts_with("fault [rank-absent] HcclCommInitRootInfo: other ranks never come\n  found:  rank 1 of 2 on "))
        << text;
}

TEST_F(HcclWrong, ASubCommunicatorOfOthers) {
    uint32_t ids[] = {0, 2}, unordered[] = {2, 0};
    HcclComm sub = nullptr;
    Expect(HcclCreateSubCommConfig(&comms_[1], 2, ids, 1, 0, nullptr, &sub), HCCL_E_PARA);
    Expect(HcclCreateSubCommConfig(&comms_[0], 2, unordered, 1, 0, nullptr, &sub), HCCL_E_PARA);
    HcclComm subs[2];
    HcclGroupStart();
    EXPECT_EQ(HcclCreateSubCommConfig(&comms_[0], 2, ids, 1, 0, nullptr, &subs[0]), HCCL_SUCCESS);
    EXPECT_EQ(HcclCreateSubCommConfig(&comms_[2], 2, ids, 1, 1, nullptr, &subs[1]), HCCL_SUCCESS);
    HcclGroupEnd();
    Expect(HcclCreateSubCommConfig(&subs[0], 2, ids, 1, 0, nullptr, &sub), HCCL_E_NOT_SUPPORT);
    for (HcclComm comm : subs) EXPECT_EQ(HcclCommDestroy(comm), HCCL_SUCCESS);
}

}  // namespace
}  // namespace sfumato
