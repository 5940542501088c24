// SPDX-License-Identifier: Apache-2.0
// Collectives inside kernels of several ranks, which the server of their group performs: against a few lines of
// integers, under every order of ranks (ranks.md 7.1, 7.3).
#include "frontends/ranks/groups.h"

namespace sfumato {
namespace {

constexpr uint32_t kCount = 24, kRepeat = 2;

int32_t Value(uint32_t rank, uint64_t i) { return static_cast<int32_t>((rank * 7919 + i * 31) % 1009); }

// Buffers of a rank.
struct Buffers {
    uint8_t *send, *recv;
    std::vector<int32_t> Got(uint64_t count) const {
        std::vector<int32_t> values(count);
        std::memcpy(values.data(), recv, count * 4);
        return values;
    }
};
Buffers Fill(OnRanks& ranks, uint32_t rank, uint64_t sent, uint64_t got) {
    const Buffers b{ranks.memories[rank]->Allocate(sent * 4, "send"), ranks.memories[rank]->Allocate(got * 4, "recv")};
    for (uint64_t i = 0; i < sent; ++i) {
        const int32_t value = Value(rank, i);
        std::memcpy(b.send + 4 * i, &value, 4);
    }
    std::memset(b.recv, 0, got * 4);
    return b;
}

using Prepare = std::function<HcclHandle(Hccl<>&, const Buffers&, uint32_t rank, uint32_t ranks)>;
using Expected = std::function<std::vector<int32_t>(uint32_t rank, uint32_t ranks)>;

// Two blocks on each rank wait for each task.
void Check(uint64_t sent_parts, uint64_t got_parts, const Prepare& prepare, const Expected& expected) {
    for (const uint32_t n : {2u, 3u, 8u}) {
        for (const auto& order : EveryOrder()) {
            OnRanks ranks(n, order);
            const uint64_t sent = sent_parts ? sent_parts * kCount * kRepeat : n * kCount * kRepeat;
            const uint64_t got = got_parts ? got_parts * kCount * kRepeat : n * kCount * kRepeat;
            std::vector<Buffers> buffers;
            for (uint32_t r = 0; r < n; ++r) buffers.push_back(Fill(ranks, r, sent, got));
            for (uint32_t r = 0; r < n; ++r) {
                const auto kernel = [&prepare, b = buffers[r], r, n] {
                    Hccl<> hccl;
                    hccl.Init(GetHcclContext<0>());
                    EXPECT_EQ(hccl.GetRankId(), r);
                    EXPECT_EQ(hccl.GetRankDim(), n);
                    const HcclHandle handle = prepare(hccl, b, r, n);
                    EXPECT_GE(handle, 0);
                    for (uint32_t i = 0; i < kRepeat; ++i) EXPECT_EQ(hccl.Wait(handle), HCCL_SUCCESS);
                    EXPECT_EQ(hccl.Query(handle), static_cast<int32_t>(kRepeat));
                    SyncAll();
                    hccl.Finalize();
                };
                ranks.Submit(r, kernel, {"tp"}, 2);
            }
            ranks.Wait();
            EXPECT_EQ(ranks.Told(), "");
            for (uint32_t r = 0; r < n; ++r)
                ASSERT_EQ(buffers[r].Got(got), expected(r, n)) << n << " ranks, rank " << r;
        }
    }
}

TEST(HcclServer, AllReduce) {
    Check(
        1, 1,
        [](Hccl<>& hccl, const Buffers& b, uint32_t, uint32_t) {
            return hccl.AllReduce<true>(b.send, b.recv, kCount, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_SUM, kRepeat);
        },
        [](uint32_t, uint32_t n) {
            std::vector<int32_t> sums(kCount * kRepeat);
            for (uint32_t r = 0; r < n; ++r) {
                for (uint64_t i = 0; i < sums.size(); ++i) sums[i] += Value(r, i);
            }
            return sums;
        });
}

// Task i of rank r: kCount elements at stride kCount * kRepeat.
TEST(HcclServer, AllGatherWithStride) {
    Check(
        1, 0,
        [](Hccl<>& hccl, const Buffers& b, uint32_t, uint32_t) {
            return hccl.AllGather<true>(b.send, b.recv, kCount, HCCL_DATA_TYPE_INT32, kCount * kRepeat, kRepeat);
        },
        [](uint32_t, uint32_t n) {
            std::vector<int32_t> all;
            for (uint32_t r = 0; r < n; ++r) {
                for (uint64_t i = 0; i < kCount * kRepeat; ++i) all.push_back(Value(r, i));
            }
            return all;
        });
}

TEST(HcclServer, ReduceScatterWithStride) {
    Check(
        0, 1,
        [](Hccl<>& hccl, const Buffers& b, uint32_t, uint32_t) {
            return hccl.ReduceScatter<true>(b.send, b.recv, kCount, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_MAX,
                                            kCount * kRepeat, kRepeat);
        },
        [](uint32_t rank, uint32_t n) {
            std::vector<int32_t> most(kCount * kRepeat);
            for (uint32_t r = 0; r < n; ++r) {
                for (uint64_t i = 0; i < most.size(); ++i)
                    most[i] = std::max(most[i], Value(r, rank * kCount * kRepeat + i));
            }
            return most;
        });
}

std::vector<int32_t> Exchanged(uint32_t rank, uint32_t n) {
    std::vector<int32_t> all;
    for (uint32_t r = 0; r < n; ++r) {
        for (uint64_t i = 0; i < kCount * kRepeat; ++i) all.push_back(Value(r, rank * kCount * kRepeat + i));
    }
    return all;
}

TEST(HcclServer, AlltoAll) {
    Check(
        0, 0,
        [](Hccl<>& hccl, const Buffers& b, uint32_t, uint32_t) {
            return hccl.AlltoAll<true>(b.send, b.recv, kCount, HCCL_DATA_TYPE_INT32, kCount * kRepeat, kRepeat);
        },
        Exchanged);
}

TEST(HcclServer, AlltoAllV) {
    Check(
        0, 0,
        [](Hccl<>& hccl, const Buffers& b, uint32_t, uint32_t n) {
            uint64_t counts[8], at[8];
            for (uint32_t r = 0; r < n; ++r) counts[r] = kCount, at[r] = r * kCount * kRepeat;
            return hccl.AlltoAllV<true>(b.send, counts, at, HCCL_DATA_TYPE_INT32, b.recv, counts, at,
                                        HCCL_DATA_TYPE_INT32, kRepeat);
        },
        Exchanged);
}

// What a kernel stores before Commit is what others get; it asks until the task is done.
TEST(HcclServer, StoresBeforeCommitAreSentAndQueriesRest) {
    for (const auto& order : EveryOrder()) {
        OnRanks ranks(3, order);
        std::vector<Buffers> buffers;
        for (uint32_t r = 0; r < 3; ++r) buffers.push_back(Fill(ranks, r, 64, 64));
        for (uint32_t round = 0; round < 3; ++round) {
            for (uint32_t r = 0; r < 3; ++r) {
                ranks.Submit(r, [b = buffers[r], r, round] {
                    Hccl<> hccl;
                    hccl.Init(GetHcclContext<0>());
                    const HcclHandle handle =
                        hccl.AllReduce(b.send, b.recv, 64, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_SUM);
                    Ub ub;
                    auto x = ub.At(0, 64);
                    Duplicate(x, static_cast<int32_t>(10 * round + r), 64);
                    PipeBarrier<PIPE_ALL>();
                    DataCopy(Gm<int32_t>(b.send, 64), x, 64);
                    PipeBarrier<PIPE_ALL>();
                    hccl.Commit(handle);
                    while (hccl.Query(handle) < 1) {
                    }
                    EXPECT_EQ(hccl.Wait(handle), HCCL_SUCCESS);
                    hccl.Finalize();
                });
            }
        }
        ranks.Wait();
        EXPECT_EQ(ranks.Told(), "");
        for (const Buffers& b : buffers) EXPECT_EQ(b.Got(64), std::vector<int32_t>(64, 63));
    }
}

// Each rank computes tiles of a product of its own slice of k, row by row, and commits each: the sum of all slices
// comes to the rank that owns the rows, tile after tile.
TEST(HcclServer, TilesOfAProductAreReducedWhileTheNextAreComputed) {
    constexpr uint32_t kN = 16, kK = 4;
    for (const uint32_t n : {2u, 3u, 8u}) {
        for (const auto& order : EveryOrder()) {
            OnRanks ranks(n, order);
            std::vector<Buffers> buffers;
            for (uint32_t r = 0; r < n; ++r) buffers.push_back(Fill(ranks, r, n * kRepeat * kN, kRepeat * kN));
            const auto a = [](uint32_t rank, uint32_t row, uint32_t k) { return static_cast<int32_t>(rank + row * k); };
            const auto b = [](uint32_t rank, uint32_t k) { return static_cast<int32_t>(rank * 2 + k); };
            for (uint32_t r = 0; r < n; ++r) {
                ranks.Submit(r, [=, of = buffers[r]] {
                    Hccl<> hccl;
                    hccl.Init(GetHcclContext<0>());
                    const HcclHandle handle = hccl.ReduceScatter(of.send, of.recv, kN, HCCL_DATA_TYPE_INT32,
                                                                 HCCL_REDUCE_SUM, kRepeat * kN, kRepeat);
                    Ub ub;
                    auto sum = ub.At(0, kN), row_of_b = ub.At(256, kN);
                    for (uint32_t tile = 0; tile < kRepeat; ++tile) {
                        for (uint32_t row = 0; row < n; ++row) {
                            Duplicate(sum, 0, kN);
                            for (uint32_t k = 0; k < kK; ++k) {
                                Duplicate(row_of_b, b(r, k), kN);
                                PipeBarrier<PIPE_ALL>();
                                Muls(row_of_b, row_of_b, a(r, row * kRepeat + tile, k), kN);
                                PipeBarrier<PIPE_ALL>();
                                Add(sum, sum, row_of_b, kN);
                            }
                            PipeBarrier<PIPE_ALL>();
                            DataCopy(Gm<int32_t>(of.send + 4 * (row * kRepeat + tile) * kN, kN), sum, kN);
                            PipeBarrier<PIPE_ALL>();
                        }
                        hccl.Commit(handle);
                    }
                    for (uint32_t tile = 0; tile < kRepeat; ++tile) hccl.Wait(handle);
                    hccl.Finalize();
                });
            }
            ranks.Wait();
            EXPECT_EQ(ranks.Told(), "");
            for (uint32_t r = 0; r < n; ++r) {
                std::vector<int32_t> expected;
                for (uint32_t tile = 0; tile < kRepeat; ++tile) {
                    int32_t sum = 0;
                    for (uint32_t s = 0; s < n; ++s) {
                        for (uint32_t k = 0; k < kK; ++k) sum += a(s, r * kRepeat + tile, k) * b(s, k);
                    }
                    expected.insert(expected.end(), kN, sum);
                }
                ASSERT_EQ(buffers[r].Got(kRepeat * kN), expected);
            }
        }
    }
}

// Each rank writes a row into the window of the next one, which polls the flag that comes behind it.
TEST(HcclServer, BatchWrite) {
    OnRanks ranks(3);
    std::vector<Buffers> buffers;
    for (uint32_t r = 0; r < 3; ++r) buffers.push_back(Fill(ranks, r, 64, 64));
    for (uint32_t r = 0; r < 3; ++r) {
        ranks.Submit(r, [b = buffers[r], r] {
            Hccl<> hccl;
            hccl.Init(GetHcclContext<0>());
            auto* item = reinterpret_cast<uint32_t*>(b.recv);  // 64 bytes
            const auto from = reinterpret_cast<uint64_t>(b.send);
            const auto to = reinterpret_cast<uint64_t>(hccl.GetWindowsInAddr((r + 1) % 3));
            item[7] = 128;
            item[8] = static_cast<uint32_t>(from), item[9] = static_cast<uint32_t>(from >> 32);
            item[10] = static_cast<uint32_t>(to), item[11] = static_cast<uint32_t>(to >> 32);
            const HcclHandle handle = hccl.BatchWrite<true>(b.recv, 1);
            EXPECT_EQ(hccl.Wait(handle), HCCL_SUCCESS);
            hccl.Finalize();
        });
    }
    ranks.Wait();
    EXPECT_EQ(ranks.Told(), "");
    for (uint32_t r = 0; r < 3; ++r) EXPECT_EQ(std::memcmp(ranks.group->In((r + 1) % 3), buffers[r].send, 128), 0);
}

// What is told of three ranks whose kernels do not do the same; `prepare` is silent where it does.
std::string ToldOf(const std::function<void(Hccl<>&, const Buffers&, uint32_t rank)>& kernel) {
    OnRanks ranks(3);
    std::vector<Buffers> buffers;
    for (uint32_t r = 0; r < 3; ++r) buffers.push_back(Fill(ranks, r, 64, 64));
    for (uint32_t r = 0; r < 3; ++r) {
        ranks.Submit(r, [&kernel, b = buffers[r], r] {
            Hccl<> hccl;
            hccl.Init(GetHcclContext<0>());
            kernel(hccl, b, r);
        });
    }
    ranks.Wait();
    std::string text;
    for (const Report& report : ranks.Findings()) text += std::string(Name(report.rule)) + ": " + report.found + "\n";
    return text;
}

TEST(HcclServerWrong, OneRankPreparesAnotherCount) {
    const auto kernel = [](uint32_t odd) {
        return [odd](Hccl<>& hccl, const Buffers& b, uint32_t rank) {
            const auto handle = hccl.AllReduce<true>(b.send, b.recv, rank == odd ? 8 : 16, HCCL_DATA_TYPE_INT32,
                                                     HCCL_REDUCE_SUM);
            hccl.Wait(handle);
            hccl.Finalize();
        };
    };
    const std::string told = ToldOf(kernel(1));
    EXPECT_NE(told.find("collective-mismatch: ranks 0, 2: AllReduce(count 16, int32, sum); rank 1: "
                        "AllReduce(count 8, int32, sum)\n"),
              std::string::npos)
        << told;
    EXPECT_EQ(ToldOf(kernel(3)), "");
}

TEST(HcclServerWrong, OneRankDoesNotCommit) {
    const auto kernel = [](uint32_t odd) {
        return [odd](Hccl<>& hccl, const Buffers& b, uint32_t rank) {
            const auto handle = hccl.AllReduce(b.send, b.recv, 16, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_SUM);
            if (rank == odd) return;
            hccl.Commit(handle);
            hccl.Wait(handle);
            hccl.Finalize();
        };
    };
    const std::string told = ToldOf(kernel(1));
    EXPECT_NE(told.find("task 0 of AllReduce: committed by ranks 0, 2, prepared, not committed by rank 1"),
              std::string::npos)
        << told;
    EXPECT_EQ(ToldOf(kernel(3)), "");
}

}  // namespace
}  // namespace sfumato
