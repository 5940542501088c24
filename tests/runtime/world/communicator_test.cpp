// SPDX-License-Identifier: Apache-2.0
// Collectives of hosts in a world: who waits for whom, what the last one does, what is told of calls that do not go
// together.
#include "runtime/world/communicator.h"

#include <gtest/gtest.h>

#include <barrier>
#include <cstring>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

namespace sfumato::runtime {
namespace {

constexpr int kInt32 = 2, kFp16 = 3, kFp32 = 4;  // of HcclDataType
using numeric::CollectiveOp;

class Comm {
public:
    explicit Comm(uint32_t ranks, const char* name = "comm") : Comm(std::make_shared<World>(ranks), nullptr, name) {}
    Comm(std::shared_ptr<World> in, std::shared_ptr<CommOrders> orders, const char* name) : world(std::move(in)) {
        std::vector<uint32_t> all(world->ranks());
        std::iota(all.begin(), all.end(), 0);
        comm = std::make_shared<Communicator>(orders ? orders : std::make_shared<CommOrders>(), name, all,
                                              numeric::CollectiveOrder::kRank,
                                              [this](const Report& report, std::span<const uint32_t> places) {
                                                  std::lock_guard lock(mutex);
                                                  for (const uint32_t place : places)
                                                      text += std::to_string(place) + " ";
                                                  text += report.Text() + "\n";
                                              });
    }
    template <class... Call>
    void Submit(uint32_t place, const void* queue, const Call&... call) {
        auto [arrive, complete] = comm->Next(place, call...);
        const auto give_up = [this, place, also = complete.give_up](const Report& report) {
            also(report);
            std::lock_guard lock(mutex);
            text += std::to_string(place) + " " + report.Text() + "\n";
        };
        complete.give_up = give_up;
        world->Submit(place, queue, std::move(arrive));
        world->Submit(place, queue, std::move(complete));
    }
    void Wait() {
        world->Block({"Wait", {}}, [this] {
            for (uint32_t r = 0; r < world->ranks(); ++r) {
                if (!world->IdleLocked(r)) return false;
            }
            return true;
        });
    }

    std::shared_ptr<World> world;
    std::shared_ptr<Communicator> comm;
    std::mutex mutex;
    std::string text;
};

Collective AllReduce(const std::vector<int32_t>& send, std::vector<int32_t>& recv,
                     std::optional<CollectiveOp> op = {}) {
    return {CollectiveKind::kAllReduce,
            "HcclAllReduce",
            reinterpret_cast<const uint8_t*>(send.data()),
            reinterpret_cast<uint8_t*>(recv.data()),
            kInt32,
            op.value_or(CollectiveOp::kSum),
            {},
            send.size()};
}

TEST(CommunicatorTest, TheLastRankAddsForAll) {
    for (const uint32_t n : {1u, 2u, 3u, 64u}) {
        Comm c(n);
        std::vector<std::vector<int32_t>> x(n, std::vector<int32_t>(5));
        for (uint32_t r = 0; r < n; ++r) std::iota(x[r].begin(), x[r].end(), static_cast<int>(r));
        for (uint32_t r = n; r-- > 0;) {
            c.Submit(r, nullptr, AllReduce(x[r], x[r]));  // in place
            EXPECT_EQ(c.comm->Pending(r), r == 0 ? 0u : 1u);
        }
        c.Wait();
        for (uint32_t r = 0; r < n; ++r) {
            for (uint32_t i = 0; i < 5; ++i) EXPECT_EQ(x[r][i], static_cast<int>(n * (n - 1) / 2 + n * i));
        }
        EXPECT_EQ(c.text, "");
    }
}

TEST(CommunicatorTest, ThreadsOfManyRoundsMeet) {
    constexpr uint32_t kRanks = 8;
    Comm c(kRanks);
    std::vector<std::vector<int32_t>> x(kRanks, std::vector<int32_t>(100, 1));
    std::vector<std::thread> threads;
    std::barrier all(kRanks);  // a rank that no thread works for yet is not waited for
    for (uint32_t r = 0; r < kRanks; ++r) {
        threads.emplace_back([&, r] {
            c.world->Serve(r);
            all.arrive_and_wait();
            for (int round = 0; round < 10; ++round) {
                c.Submit(r, nullptr, AllReduce(x[r], x[r]));
                if (round % 3 == 0) c.world->Block({"Sync", {}}, [&] { return c.world->IdleLocked(r); });
            }
        });
    }
    for (auto& thread : threads) thread.join();
    c.Wait();
    for (const auto& of_rank : x) EXPECT_EQ(of_rank, std::vector<int32_t>(100, 1 << 30));
}

TEST(CommunicatorTest, CallsThatDoNotGoTogether) {
    Comm c(3);
    std::vector<std::vector<int32_t>> x(3, std::vector<int32_t>(4));
    for (uint32_t r = 0; r < 3; ++r)
        c.Submit(r, nullptr, AllReduce(x[r], x[r], r == 1 ? CollectiveOp::kMax : CollectiveOp::kSum));
    c.Wait();
    EXPECT_EQ(c.text, R"(0 1 2 fault [collective-mismatch] HcclAllReduce: the ranks give different operations
  where:  rank 0
  found:  call 0 on comm: ranks 0, 2: HcclAllReduce(count 4, int32, sum); rank 1: HcclAllReduce(count 4, int32, max)
  legal:  the same call, type, operation, root and count on all ranks, in the same order
  do:     make one of them as the others
)");
}

TEST(CommunicatorTest, ARankThatNeverComes) {
    Comm c(3);
    std::vector<std::vector<int32_t>> x(3, std::vector<int32_t>(4));
    for (const uint32_t r : {0u, 2u}) c.Submit(r, nullptr, AllReduce(x[r], x[r]));
    c.Wait();
    EXPECT_EQ(c.text, R"(0 fault [deadlock] HcclAllReduce: other ranks never come
  where:  rank 0
  found:  waits for rank 1 in call 0 on comm; rank 1: nothing is submitted, no host works for it; rank 2: HcclAllReduce waits for rank 1 in call 0 on comm
  legal:  the same calls on all ranks
  do:     make the call on every rank, in the same order
2 fault [rank-exited] HcclAllReduce: what it waits for never comes: another rank has failed
  found:  rank 0 has ended with deadlock
  legal:  ranks that all reach their end
  do:     mend what is reported of that rank; this is its consequence
)");
}

TEST(CommunicatorTest, TransfersMeetInPairs) {
    Comm c(2);
    std::vector<int32_t> a{1, 2, 3}, b(3), d{7}, e(1);
    const auto bytes = [](std::vector<int32_t>& v) { return reinterpret_cast<uint8_t*>(v.data()); };
    c.Submit(0, nullptr, "HcclSend", std::vector<Transfer>{{true, bytes(a), 3, kInt32, 1}});
    c.Submit(0, nullptr, "HcclSend", std::vector<Transfer>{{true, bytes(d), 1, kInt32, 1}});
    EXPECT_EQ(c.comm->Pending(0), 2u);
    c.Submit(1, nullptr, "HcclBatchSendRecv",
             std::vector<Transfer>{{false, bytes(b), 3, kInt32, 0}, {false, bytes(e), 1, kInt32, 0}});
    c.Wait();
    EXPECT_EQ(b, a);
    EXPECT_EQ(e, d);
    EXPECT_EQ(c.text, "");
    c.Submit(0, nullptr, "HcclSend", std::vector<Transfer>{{true, bytes(a), 3, kInt32, 1}});
    c.Submit(1, nullptr, "HcclRecv", std::vector<Transfer>{{false, bytes(b), 2, kFp32, 0}});
    c.Wait();
    EXPECT_EQ(c.text, R"(0 1 fault [count-mismatch] HcclSend: what is sent is not what the receiver expects
  where:  rank 0
  found:  comm: rank 0: HcclSend(count 3, int32) to rank 1, which calls HcclRecv(count 2, fp32)
  legal:  the same count and type on both
  do:     transfers between two ranks meet in the order of the calls
)");
}

TEST(CommunicatorTest, SendMeetsSend) {
    Comm c(2);
    std::vector<int32_t> a(4);
    auto* at = reinterpret_cast<uint8_t*>(a.data());
    for (const uint32_t r : {0u, 1u})
        c.Submit(r, nullptr, "HcclSend", std::vector<Transfer>{{true, at, 4, kFp32, 1 - r}});
    c.Wait();
    EXPECT_NE(c.text.find("found:  waits to send to rank 1 on comm; rank 1: HcclSend waits to send to rank 0 on comm"),
              std::string::npos)
        << c.text;
}

TEST(CommunicatorTest, CountsOfPairs) {
    Comm c(2);
    std::vector<int32_t> a(4), b(4);
    const auto all_to_all = [&](uint64_t to0, uint64_t to1, uint64_t from0, uint64_t from1) {
        Collective call{CollectiveKind::kAlltoAll, "HcclAlltoAllV"};
        call.send = reinterpret_cast<uint8_t*>(a.data());
        call.recv = reinterpret_cast<uint8_t*>(b.data());
        call.type = kFp16;
        call.sends = {{0, to0}, {to0, to1}};
        call.recvs = {{0, from0}, {from0, from1}};
        return call;
    };
    c.Submit(0, nullptr, all_to_all(1, 3, 1, 2));
    c.Submit(1, nullptr, all_to_all(2, 0, 2, 0));
    EXPECT_EQ(
        c.text,
        R"(0 1 fault [count-mismatch] HcclAlltoAllV: a rank does not expect as many elements as another sends to it
  where:  rank 0
  found:  call 0 on comm: rank 0 sends 3 to rank 1, which expects 2 from it
  legal:  for each pair of ranks the same count on both
  do:     the counts that a rank receives are those that the others send to it
)");
}

TEST(CommunicatorTest, TwoCommunicatorsInTwoOrders) {
    const auto world = std::make_shared<World>(2);
    const auto orders = std::make_shared<CommOrders>();
    Comm first(world, orders, "first"), second(world, orders, "second");
    std::vector<int32_t> x(4), y(4);
    int queues[2];
    first.Submit(0, &queues[0], AllReduce(x, x));
    second.Submit(0, &queues[1], AllReduce(x, x));
    second.Submit(1, &queues[1], AllReduce(y, y));
    first.Submit(1, &queues[0], AllReduce(y, y));
    first.Wait();
    EXPECT_EQ(
        first.text + second.text,
        R"(0 warning [comm-order] two ranks make calls on two communicators in different orders, which may hang a board
  where:  rank 0
  found:  rank 0: call 0 on first, then call 0 on second; rank 1: call 0 on second, then call 0 on first
  legal:  one order on all ranks that both communicators have
  do:     exchange the two calls on rank 1
)");
}

TEST(CommunicatorTest, AHostThatNobodyLetsGoGivesUp) {
    World world(2);
    bool asked = false;
    world.Block(
        {"HcclCommInitRootInfo", {}}, [&] { return asked; }, [&] { return asked = true; });
    EXPECT_TRUE(asked);
}

}  // namespace
}  // namespace sfumato::runtime
