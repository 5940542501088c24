// SPDX-License-Identifier: Apache-2.0
// Every call of HCCL on 1 to 64 ranks, by threads and by one thread; what it leaves, byte for byte.
#include <cstring>
#include <memory>
#include <numeric>

#include "host/hccl_ranks.h"
#include "host/message.h"
#include "sfumato/half.h"

namespace sfumato {
namespace {

constexpr uint32_t kCounts[] = {1, 2, 3, 8, 16, 64};
constexpr HcclDataType kWords = HCCL_DATA_TYPE_INT32;

// Element i of what a rank has.
int32_t Value(uint32_t rank, uint64_t i) { return static_cast<int32_t>((rank * 2654435761u + i * 40503u) % 100003); }
std::vector<int32_t> Values(uint32_t rank, uint64_t count) {
    std::vector<int32_t> values(count);
    for (uint64_t i = 0; i < count; ++i) values[i] = Value(rank, i);
    return values;
}
// Elements that rank `from` sends to rank `to`, some none.
uint64_t Sent(uint32_t from, uint32_t to) { return (from * 3 + to * 5) % 7; }

void OnAll(const HcclProgram& program) {
    for (const uint32_t ranks : kCounts) {
        SCOPED_TRACE(ranks);
        RunThreads(ranks, program);
        RunAlone(ranks, program);
        if (testing::Test::HasFailure()) break;
    }
    EXPECT_EQ(Message(), "");
}

template <class T>
using Shared = std::shared_ptr<OnDevice<T>>;
template <class T = int32_t>
Shared<T> Make(const std::vector<T>& values) {
    return std::make_shared<OnDevice<T>>(values);
}

TEST(HcclTest, AllReduceAndReduce) {
    OnAll([](const HcclRankOfTest& r) -> std::function<void()> {
        constexpr uint64_t kCount = 1000;
        const auto send = Make(Values(r.rank, kCount)), sum = Make(std::vector<int32_t>(kCount, -1)),
                   most = Make(Values(r.rank, kCount));
        const uint32_t root = r.ranks / 2;
        EXPECT_EQ(HcclAllReduce(*send, *sum, kCount, kWords, HCCL_REDUCE_SUM, r.comm, r.stream), HCCL_SUCCESS);
        EXPECT_EQ(HcclReduce(*most, *most, kCount, kWords, HCCL_REDUCE_MAX, root, r.comm, r.stream), HCCL_SUCCESS);
        return [=] {
            std::vector<int32_t> sums(kCount), maxima(kCount);
            for (uint32_t s = 0; s < r.ranks; ++s) {
                for (uint64_t i = 0; i < kCount; ++i) {
                    sums[i] += Value(s, i);
                    maxima[i] = std::max(maxima[i], Value(s, i));
                }
            }
            EXPECT_EQ(sum->Read(), sums);
            EXPECT_EQ(most->Read(), r.rank == root ? maxima : Values(r.rank, kCount));
        };
    });
}

TEST(HcclTest, HalvesAreAddedInTheOrderOfRanks) {
    OnAll([](const HcclRankOfTest& r) -> std::function<void()> {
        const auto value = [](uint32_t rank, uint32_t i) { return half(float(rank * 37 % 11) * 0.37f + float(i)); };
        std::vector<half> mine;
        for (uint32_t i = 0; i < 100; ++i) mine.push_back(value(r.rank, i));
        const auto x = Make(mine);
        EXPECT_EQ(HcclAllReduce(*x, *x, 100, HCCL_DATA_TYPE_FP16, HCCL_REDUCE_SUM, r.comm, r.stream), HCCL_SUCCESS);
        return [=] {
            const std::vector<half> got = x->Read();
            for (uint32_t i = 0; i < 100; ++i) {
                half sum = value(0, i);
                for (uint32_t s = 1; s < r.ranks; ++s) sum = half(float(sum) + float(value(s, i)));
                ASSERT_EQ(got[i].bits(), sum.bits()) << i;
            }
        };
    });
}

TEST(HcclTest, GatherScatterBroadcast) {
    OnAll([](const HcclRankOfTest& r) -> std::function<void()> {
        constexpr uint64_t kCount = 33;
        const uint32_t n = r.ranks, root = n - 1;
        const auto mine = Make(Values(r.rank, kCount * n));
        const auto all = Make(std::vector<int32_t>(kCount * n)), part = Make(std::vector<int32_t>(kCount)),
                   sums = Make(std::vector<int32_t>(kCount)), told = Make(Values(r.rank, kCount));
        EXPECT_EQ(HcclAllGather(*mine, *all, kCount, kWords, r.comm, r.stream), HCCL_SUCCESS);
        EXPECT_EQ(HcclScatter(r.rank == root ? static_cast<void*>(*mine) : nullptr, *part, kCount, kWords, root, r.comm,
                              r.stream),
                  HCCL_SUCCESS);
        EXPECT_EQ(HcclReduceScatter(*mine, *sums, kCount, kWords, HCCL_REDUCE_SUM, r.comm, r.stream), HCCL_SUCCESS);
        EXPECT_EQ(HcclBroadcast(*told, kCount, kWords, root, r.comm, r.stream), HCCL_SUCCESS);
        EXPECT_EQ(HcclBarrier(r.comm, r.stream), HCCL_SUCCESS);
        return [=] {
            std::vector<int32_t> gathered, scattered(kCount), summed(kCount);
            for (uint32_t s = 0; s < n; ++s) {
                for (uint64_t i = 0; i < kCount; ++i) {
                    gathered.push_back(Value(s, i));
                    summed[i] += Value(s, r.rank * kCount + i);
                    scattered[i] = Value(root, r.rank * kCount + i);
                }
            }
            EXPECT_EQ(all->Read(), gathered);
            EXPECT_EQ(part->Read(), scattered);
            EXPECT_EQ(sums->Read(), summed);
            EXPECT_EQ(told->Read(), Values(root, kCount));
        };
    });
}

// Counts and displacements of a rank: what it sends to each, gets from each.
struct Counts {
    std::vector<uint64_t> sent, sent_at, got, got_at, all;
    uint64_t sends = 0, gets = 0;
    explicit Counts(const HcclRankOfTest& r) {
        for (uint32_t s = 0; s < r.ranks; ++s) {
            sent.push_back(Sent(r.rank, s));
            got.push_back(Sent(s, r.rank));
            sent_at.push_back(sends);
            got_at.push_back(gets);
            sends += sent.back();
            gets += got.back();
            for (uint32_t t = 0; t < r.ranks; ++t) all.push_back(Sent(s, t));
        }
    }
};

std::vector<int32_t> Routed(const HcclRankOfTest& r) {
    std::vector<int32_t> expected;
    for (uint32_t s = 0; s < r.ranks; ++s) {
        uint64_t at = 0;
        for (uint32_t t = 0; t < r.rank; ++t) at += Sent(s, t);
        for (uint64_t i = 0; i < Sent(s, r.rank); ++i) expected.push_back(Value(s, at + i));
    }
    return expected;
}

TEST(HcclTest, AllToAll) {
    OnAll([](const HcclRankOfTest& r) -> std::function<void()> {
        const auto counts = std::make_shared<Counts>(r);
        const auto mine = Make(Values(r.rank, counts->sends)), routed = Make(std::vector<int32_t>(counts->gets)),
                   by_matrix = Make(std::vector<int32_t>(counts->gets)), even = Make(Values(r.rank, 5 * r.ranks)),
                   exchanged = Make(std::vector<int32_t>(5 * r.ranks));
        EXPECT_EQ(HcclAlltoAllV(*mine, counts->sent.data(), counts->sent_at.data(), kWords, *routed, counts->got.data(),
                                counts->got_at.data(), kWords, r.comm, r.stream),
                  HCCL_SUCCESS);
        EXPECT_EQ(HcclAlltoAllVC(*mine, counts->all.data(), kWords, *by_matrix, kWords, r.comm, r.stream),
                  HCCL_SUCCESS);
        EXPECT_EQ(HcclAlltoAll(*even, 5, kWords, *exchanged, 5, kWords, r.comm, r.stream), HCCL_SUCCESS);
        return [=] {
            EXPECT_EQ(routed->Read(), Routed(r));
            EXPECT_EQ(by_matrix->Read(), Routed(r));
            std::vector<int32_t> expected;
            for (uint32_t s = 0; s < r.ranks; ++s) {
                for (uint64_t i = 0; i < 5; ++i) expected.push_back(Value(s, 5 * r.rank + i));
            }
            EXPECT_EQ(exchanged->Read(), expected);
        };
    });
}

TEST(HcclTest, UnevenGatherAndScatter) {
    OnAll([](const HcclRankOfTest& r) -> std::function<void()> {
        std::vector<uint64_t> counts, at;
        uint64_t all = 0;
        for (uint32_t s = 0; s < r.ranks; ++s) {
            counts.push_back(s % 4);
            at.push_back(all);
            all += s % 4;
        }
        const uint64_t mine = counts[r.rank];
        const auto x = Make(Values(r.rank, mine)), gathered = Make(std::vector<int32_t>(all)),
                   y = Make(Values(r.rank, all)), part = Make(std::vector<int32_t>(mine));
        EXPECT_EQ(HcclAllGatherV(*x, mine, *gathered, counts.data(), at.data(), kWords, r.comm, r.stream),
                  HCCL_SUCCESS);
        EXPECT_EQ(
            HcclReduceScatterV(*y, counts.data(), at.data(), *part, mine, kWords, HCCL_REDUCE_MIN, r.comm, r.stream),
            HCCL_SUCCESS);
        return [=] {
            std::vector<int32_t> expected, least(mine, 1 << 30);
            for (uint32_t s = 0; s < r.ranks; ++s) {
                for (uint64_t i = 0; i < s % 4; ++i) expected.push_back(Value(s, i));
                for (uint64_t i = 0; i < mine; ++i) least[i] = std::min(least[i], Value(s, at[r.rank] + i));
            }
            EXPECT_EQ(gathered->Read(), expected);
            EXPECT_EQ(part->Read(), least);
        };
    });
}

// Each sends to its neighbour and receives from the other one: in a batch, and in a group.
TEST(HcclTest, ARingOfTransfers) {
    OnAll([](const HcclRankOfTest& r) -> std::function<void()> {
        const uint32_t next = (r.rank + 1) % r.ranks, before = (r.rank + r.ranks - 1) % r.ranks;
        const auto mine = Make(Values(r.rank, 9)), got = Make(std::vector<int32_t>(9)),
                   grouped = Make(std::vector<int32_t>(9));
        HcclSendRecvItem items[] = {{HCCL_SEND, *mine, 9, kWords, next}, {HCCL_RECV, *got, 9, kWords, before}};
        EXPECT_EQ(HcclBatchSendRecv(items, 2, r.comm, r.stream), HCCL_SUCCESS);
        if (r.ranks > 1) {
            EXPECT_EQ(HcclGroupStart(), HCCL_SUCCESS);
            EXPECT_EQ(HcclSend(*mine, 9, kWords, next, r.comm, r.stream), HCCL_SUCCESS);
            EXPECT_EQ(HcclRecv(*grouped, 9, kWords, before, r.comm, r.stream), HCCL_SUCCESS);
            EXPECT_EQ(HcclGroupEnd(), HCCL_SUCCESS);
        }
        return [=] {
            EXPECT_EQ(got->Read(), Values(before, 9));
            if (r.ranks > 1) EXPECT_EQ(grouped->Read(), Values(before, 9));
        };
    });
}

TEST(HcclTest, SendsMeetReceivesInTheirOrder) {
    const auto program = [](const HcclRankOfTest& r) -> std::function<void()> {
        const auto x = Make(r.rank == 0 ? Values(0, 6) : std::vector<int32_t>(6));
        for (uint32_t i = 0; i < 3; ++i) {
            int32_t* at = static_cast<int32_t*>(static_cast<void*>(*x)) + 2 * i;
            EXPECT_EQ(r.rank == 0 ? HcclSend(at, 2, kWords, 1, r.comm, r.stream)
                                  : HcclRecv(at, 2, kWords, 0, r.comm, r.stream),
                      HCCL_SUCCESS);
        }
        return [=] { EXPECT_EQ(x->Read(), Values(0, 6)); };
    };
    RunThreads(2, program);
    RunAlone(2, program);
}

// A hundred rounds in which the results of one are the inputs of the next.
TEST(HcclTest, RoundsFollowOneAnother) {
    RunThreads(8, [](const HcclRankOfTest& r) -> std::function<void()> {
        const auto x = Make(std::vector<int32_t>(64, static_cast<int32_t>(r.rank))), y = Make(std::vector<int32_t>(64));
        for (int round = 0; round < 100; ++round) {
            EXPECT_EQ(HcclAllReduce(*x, *y, 64, kWords, HCCL_REDUCE_MAX, r.comm, r.stream), HCCL_SUCCESS);
            EXPECT_EQ(HcclReduceScatter(*y, *x, 8, kWords, HCCL_REDUCE_MAX, r.comm, r.stream), HCCL_SUCCESS);
            if (round % 10 == static_cast<int>(r.rank)) EXPECT_EQ(aclrtSynchronizeStream(r.stream), 0);
        }
        return [=] { EXPECT_EQ(y->Read(), std::vector<int32_t>(64, 7)); };
    });
}

TEST(HcclTest, CommunicatorsAreAsked) {
    RunThreads(4, [](const HcclRankOfTest& r) -> std::function<void()> {
        uint32_t rank = 0, size = 0;
        char name[COMM_NAME_MAX_LENGTH];
        HcclComm again = nullptr;
        HcclResult error = HCCL_E_INTERNAL;
        EXPECT_EQ(HcclGetRankId(r.comm, &rank), HCCL_SUCCESS);
        EXPECT_EQ(HcclGetRankSize(r.comm, &size), HCCL_SUCCESS);
        EXPECT_EQ(HcclGetCommName(r.comm, name), HCCL_SUCCESS);
        EXPECT_EQ(HcclCommGetHandleWithName(name, &again), HCCL_SUCCESS);
        EXPECT_EQ(HcclGetCommAsyncError(r.comm, &error), HCCL_SUCCESS);
        EXPECT_EQ(rank, r.rank);
        EXPECT_EQ(size, 4u);
        EXPECT_EQ(std::string(name).substr(0, 20), "127.0.0.1%sfumato_0_");
        EXPECT_EQ(again, r.comm);
        EXPECT_EQ(error, HCCL_SUCCESS);
        return [] {};
    });
    EXPECT_STREQ(HcclGetErrorString(HCCL_E_PARA), "parameter error");
    EXPECT_EQ(HcclSetConfig(HCCL_DETERMINISTIC, {1}), HCCL_SUCCESS);
    HcclConfigValue value{};
    EXPECT_EQ(HcclGetConfig(HCCL_DETERMINISTIC, &value), HCCL_SUCCESS);
    EXPECT_EQ(value.value, 1);
}

// Ranks 1 and 3 of 4, with a name and size of its buffer of its own.
TEST(HcclTest, APartOfACommunicator) {
    RunThreads(4, [](const HcclRankOfTest& r) -> std::function<void()> {
        uint32_t ids[] = {1, 3};
        HcclCommConfig config;
        HcclCommConfigInit(&config);
        config.hcclBufferSize = 2;
        strcpy(config.hcclCommName, "odd");
        HcclComm sub = nullptr;
        HcclComm comm = r.comm;
        const bool member = r.rank % 2 == 1;
        EXPECT_EQ(HcclCreateSubCommConfig(&comm, 2, member ? ids : nullptr, 7, member ? r.rank / 2 : 0xFFFFFFFF,
                                          &config, &sub),
                  HCCL_SUCCESS);
        EXPECT_EQ(sub != nullptr, member);
        const auto x = Make(Values(r.rank, 10));
        if (!member) return [] {};
        char name[COMM_NAME_MAX_LENGTH];
        EXPECT_EQ(HcclGetCommName(sub, name), HCCL_SUCCESS);
        EXPECT_STREQ(name, "odd");
        EXPECT_EQ(HcclAllReduce(*x, *x, 10, kWords, HCCL_REDUCE_SUM, sub, r.stream), HCCL_SUCCESS);
        return [=] {
            std::vector<int32_t> expected;
            for (uint64_t i = 0; i < 10; ++i) expected.push_back(Value(1, i) + Value(3, i));
            EXPECT_EQ(x->Read(), expected);
            EXPECT_EQ(HcclCommDestroy(sub), HCCL_SUCCESS);
        };
    });
}

// One thread makes all ranks of a communicator between HcclGroupStart and HcclGroupEnd.
TEST(HcclTest, OneThreadMakesAllRanks) {
    HcclRootInfo info;
    ASSERT_EQ(HcclGetRootInfo(&info), HCCL_SUCCESS);
    HcclComm comms[3];
    EXPECT_EQ(HcclGroupStart(), HCCL_SUCCESS);
    for (uint32_t rank = 0; rank < 3; ++rank) {
        aclrtSetDevice(static_cast<int32_t>(rank));
        EXPECT_EQ(HcclCommInitRootInfo(3, &info, rank, &comms[rank]), HCCL_SUCCESS);
    }
    EXPECT_EQ(HcclGroupEnd(), HCCL_SUCCESS);
    for (uint32_t rank = 0; rank < 3; ++rank) {
        uint32_t id = 9;
        EXPECT_EQ(HcclGetRankId(comms[rank], &id), HCCL_SUCCESS);
        EXPECT_EQ(id, rank);
        EXPECT_EQ(HcclCommDestroy(comms[rank]), HCCL_SUCCESS);
    }
    aclrtSetDevice(0);
}

// A copy queued behind a collective of the stream gets its result.
TEST(HcclTest, WorkBehindACollectiveSeesIt) {
    RunThreads(2, [](const HcclRankOfTest& r) -> std::function<void()> {
        const auto x = Make(Values(r.rank, 8)), y = Make(std::vector<int32_t>(8));
        EXPECT_EQ(HcclAllReduce(*x, *x, 8, kWords, HCCL_REDUCE_SUM, r.comm, r.stream), HCCL_SUCCESS);
        EXPECT_EQ(aclrtMemcpyAsync(*y, 32, *x, 32, ACL_MEMCPY_DEVICE_TO_DEVICE, r.stream), 0);
        return [=] {
            std::vector<int32_t> expected;
            for (uint64_t i = 0; i < 8; ++i) expected.push_back(Value(0, i) + Value(1, i));
            EXPECT_EQ(y->Read(), expected);
        };
    });
}

TEST(HcclTest, NoElementsAreAWork) {
    RunThreads(2, [](const HcclRankOfTest& r) -> std::function<void()> {
        EXPECT_EQ(HcclAllReduce(nullptr, nullptr, 0, kWords, HCCL_REDUCE_SUM, r.comm, r.stream), HCCL_SUCCESS);
        EXPECT_EQ(HcclBroadcast(nullptr, 0, kWords, 0, r.comm, r.stream), HCCL_SUCCESS);
        return [] {};
    });
}

}  // namespace
}  // namespace sfumato
