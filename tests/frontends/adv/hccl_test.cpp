// SPDX-License-Identifier: Apache-2.0
// Hccl in a domain of one rank: every collective is a copy (adv.md 11).
#include <cstring>

#include "frontends/adv/in_ub.h"

namespace sfumato::adv_test {
namespace {

constexpr uint32_t kCount = 64, kRepeat = 3, kAll = kCount * kRepeat;

// Runs on two blocks; send holds 1, 2... before.
std::vector<int32_t> Received(const std::function<void(GM_ADDR send, GM_ADDR recv)>& kernel) {
    GlobalMemory memory;
    uint8_t* send = memory.Allocate(kAll * 4, "send");
    uint8_t* recv = memory.Allocate(kAll * 4, "recv");
    for (uint32_t i = 0; i < kAll; ++i) {
        const int32_t value = static_cast<int32_t>(i) + 1, none = 0;
        std::memcpy(send + 4 * i, &value, 4);
        std::memcpy(recv + 4 * i, &none, 4);
    }
    LaunchOptions options;
    options.chip = "Ascend910B1";
    const LaunchResult result = Launch(options, 2, memory, [&] { kernel(send, recv); });
    ExpectNoFindings("Hccl", result);
    std::vector<int32_t> got(kAll);
    std::memcpy(got.data(), recv, kAll * 4);
    return got;
}

std::vector<int32_t> FirstTasks(uint32_t tasks) {
    std::vector<int32_t> want(kAll, 0);
    for (uint32_t i = 0; i < kCount * tasks; ++i) want[i] = static_cast<int32_t>(i) + 1;
    return want;
}

void Begin(Hccl<>& hccl) {
    hccl.Init(GetHcclContext<HCCL_GROUP_ID_0>());
    EXPECT_EQ(hccl.GetRankId(), 0u);
    EXPECT_EQ(hccl.GetRankDim(), 1u);
}

TEST(Hccl, EachTaskRunsWhenItIsCommitted) {
    for (const uint32_t tasks : {1u, 2u, 3u}) {
        const auto got = Received([tasks](GM_ADDR send, GM_ADDR recv) {
            Hccl<> hccl;
            Begin(hccl);
            const HcclHandle handle = hccl.AllReduce(send, recv, kCount, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_SUM, kRepeat);
            EXPECT_EQ(handle, 0);
            for (uint32_t i = 0; i < tasks; ++i) {
                hccl.Commit(handle);
                EXPECT_EQ(hccl.Wait(handle), HCCL_SUCCESS);
                // Both blocks see what core 0 sent.
                EXPECT_EQ(reinterpret_cast<int32_t*>(recv)[(i + 1) * kCount - 1], static_cast<int32_t>((i + 1) * kCount));
            }
            EXPECT_EQ(hccl.Query(handle), static_cast<int32_t>(tasks));
            hccl.Finalize();
        });
        EXPECT_EQ(got, FirstTasks(tasks));
    }
}

TEST(Hccl, EveryCollectiveCopies) {
    const std::vector<std::function<HcclHandle(Hccl<>&, GM_ADDR, GM_ADDR)>> calls = {
        [](auto& h, auto s, auto r) { return h.template AllReduce<true>(s, r, kCount, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_MAX, kRepeat); },
        [](auto& h, auto s, auto r) { return h.template AllGather<true>(s, r, 2 * kCount, HCCL_DATA_TYPE_FP16, 0, kRepeat); },
        [](auto& h, auto s, auto r) { return h.template ReduceScatter<true>(s, r, 4 * kCount, HCCL_DATA_TYPE_INT8, HCCL_REDUCE_SUM, 0, kRepeat); },
        [](auto& h, auto s, auto r) { return h.template AlltoAll<true>(s, r, kCount, HCCL_DATA_TYPE_INT32, 0, kRepeat); },
    };
    for (const auto& call : calls) {
        const auto got = Received([&](GM_ADDR send, GM_ADDR recv) {
            Hccl<HCCL_SERVER_TYPE_AICPU> hccl;
            hccl.InitV2(GetHcclContext<1>(), nullptr);
            EXPECT_EQ(hccl.SetCcTilingV2(0), HCCL_SUCCESS);
            const HcclHandle handle = call(hccl, send, recv);
            for (uint32_t i = 0; i < kRepeat; ++i) hccl.Wait(handle);
            hccl.Finalize();
        });
        EXPECT_EQ(got, FirstTasks(kRepeat));
    }
}

TEST(Hccl, AlltoAllVTakesThePartOfRankZero) {
    const auto got = Received([](GM_ADDR send, GM_ADDR recv) {
        if (GetBlockIdx() != 0) return;
        Hccl<> hccl;
        Begin(hccl);
        uint64_t counts[] = {10}, from[] = {5}, to[] = {20};
        const HcclHandle handle = hccl.AlltoAllV<true>(send, counts, from, HCCL_DATA_TYPE_INT32, recv, counts, to, HCCL_DATA_TYPE_INT32);
        hccl.Wait(handle);
        hccl.Finalize();
    });
    std::vector<int32_t> want(kAll, 0);
    for (uint32_t i = 0; i < 10; ++i) want[20 + i] = static_cast<int32_t>(6 + i);
    EXPECT_EQ(got, want);
}

}  // namespace
}  // namespace sfumato::adv_test
