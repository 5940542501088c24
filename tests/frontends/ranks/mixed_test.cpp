// SPDX-License-Identifier: Apache-2.0
// A product of matrices and a reduce-scatter in one mixed kernel: each rank has a slice of k. Its cube cores compute
// tiles of rows and hand them to their vector cores, which store them into the windows of the ranks that own the rows,
// wait for the tiles of all others and add them up, rank by rank. Against a few lines of integers.
#include "frontends/ranks/groups.h"

namespace sfumato {
namespace {

constexpr uint32_t kM = 32, kN = 16, kK = 64;  // of a tile: what one rank owns of the rows, one block of the columns
constexpr uint32_t kTileBlocks = 2, kColumns = kN * kTileBlocks, kSenders = 2 * kTileBlocks;
constexpr uint32_t kPart = kM / 2 * kN;  // elements of a tile that one of the two vector cores handles
constexpr uint16_t kReady = 3, kTaken = 5;
constexpr uint32_t kMixedLaunches = 3;

// Of a window: parts by sender in two halves, flags, the number of the last round of each core.
constexpr uint32_t kHalfBytes = 64 * kSenders * kPart * 4, kFlagAt = 2 * kHalfBytes, kEpochAt = kFlagAt + (32 << 10);

// Of a launch: slices of a, row by row, one a round; columns of b; tiles on their way; rows of the result.
struct Slice {
    uint8_t *a, *b, *tiles, *out;
    uint32_t rounds;
};

template <HardEvent event>
void Join(int32_t id) {
    SetFlag<event>(id);
    WaitFlag<event>(id);
}

// In which order a rank computes and sends: itself comes last.
uint32_t Target(Hccl<>& hccl, uint32_t step) { return (hccl.GetRankId() + 1 + step) % hccl.GetRankDim(); }

template <class T, class Sum>
void CubePart(const Slice& s, Hccl<>& hccl) {
    constexpr uint32_t kDeep = kK * sizeof(T) / 32;  // fractals in the direction of k
    TPipe pipe;
    TBuf<TPosition::A1> a1_buffer;
    TBuf<TPosition::B1> b1_buffer;
    TBuf<TPosition::A2> a2_buffer;
    TBuf<TPosition::B2> b2_buffer;
    TBuf<TPosition::CO1> c_buffer;
    pipe.InitBuffer(a1_buffer, 2 * kM * kK * sizeof(T));
    pipe.InitBuffer(b1_buffer, kN * kK * sizeof(T));
    pipe.InitBuffer(a2_buffer, kM * kK * sizeof(T));
    pipe.InitBuffer(b2_buffer, kN * kK * sizeof(T));
    pipe.InitBuffer(c_buffer, kM * kN * sizeof(Sum));
    LocalTensor<T> a1 = a1_buffer.Get<T>(), b1 = b1_buffer.Get<T>(), a2 = a2_buffer.Get<T>(), b2 = b2_buffer.Get<T>();
    LocalTensor<Sum> c = c_buffer.Get<Sum>();
    const auto block = static_cast<uint32_t>(GetBlockIdx());
    const uint32_t ranks = hccl.GetRankDim(), steps = s.rounds * ranks;
    const auto a = Gm<T>(s.a, uint64_t{steps} * kM * kK), b = Gm<T>(s.b, uint64_t{kColumns} * kK);
    const auto tiles = Gm<Sum>(s.tiles, kTileBlocks * 2 * kM * kN);

    // A column of b is a row in memory, as fractals of L0B want it.
    DataCopy(b1, b[block * kN * kK], Nd2NzParams(1, kN, kK, 0, kK, kN, 1, 0));
    Join<HardEvent::MTE2_MTE1>(2);
    LoadData(b2, b1, LoadData2DParams(0, kDeep * kN / 16, 1, 0, 0, false, 0));
    for (uint32_t step = 0; step < steps; ++step) {
        const uint32_t turn = step % 2, row = (step / ranks * ranks + Target(hccl, step % ranks)) * kM;
        const auto id = static_cast<int32_t>(turn);
        const auto from = a1[turn * kM * kK];
        if (step >= 2) WaitFlag<HardEvent::MTE1_MTE2>(id);
        DataCopy(from, a[row * kK], Nd2NzParams(1, kM, kK, 0, kK, kM, 1, 0));
        Join<HardEvent::MTE2_MTE1>(id);
        if (step >= 1) WaitFlag<HardEvent::M_MTE1>(0);
        for (uint16_t i = 0; i < kM / 16; ++i)
            LoadData(a2[i * 16 * kK], from, LoadData2DParams(i, kDeep, kM / 16, 0, 0, false, 0));
        SetFlag<HardEvent::MTE1_MTE2>(id);
        Join<HardEvent::MTE1_M>(0);
        if (step >= 1) WaitFlag<HardEvent::FIX_M>(0);
        Mmad(c, a2, b2, MmadParams(kM, kN, kK, 0, false, true));
        SetFlag<HardEvent::M_MTE1>(0);
        Join<HardEvent::M_FIX>(0);
        if (step >= 2) CrossCoreWaitFlag<2, PIPE_FIX>(kTaken);
        Fixpipe(tiles[(block * 2 + turn) * kM * kN], c, FixpipeParamsV220(kN, kM, kM, kN, false));
        CrossCoreSetFlag<2, PIPE_FIX>(kReady);
        SetFlag<HardEvent::FIX_M>(0);
    }
    for (uint32_t step = steps > 2 ? steps - 2 : 0; step < steps; ++step) {
        WaitFlag<HardEvent::MTE1_MTE2>(static_cast<int32_t>(step % 2));
        CrossCoreWaitFlag<2, PIPE_FIX>(kTaken);
    }
    WaitFlag<HardEvent::M_MTE1>(0);
    WaitFlag<HardEvent::FIX_M>(0);
}

template <class Sum>
class VectorPart {
public:
    VectorPart(const Slice& s, Hccl<>& hccl)
        : s_(s), hccl_(hccl), rank_(hccl.GetRankId()), ranks_(hccl.GetRankDim()), core_(GetBlockIdx()) {
        pipe_.InitBuffer(part_buffer_, 2 * kPart * sizeof(Sum));
        pipe_.InitBuffer(sum_buffer_, kPart * sizeof(Sum));
        pipe_.InitBuffer(flag_buffer_, 64);
        parts_ = part_buffer_.Get<Sum>(), sum_ = sum_buffer_.Get<Sum>();
        flag_ = flag_buffer_.Get<int32_t>(), seen_ = flag_[8];
        tiles_ = Gm<Sum>(s.tiles, kTileBlocks * 2 * kM * kN);
        out_ = Gm<Sum>(s.out, uint64_t{s.rounds} * kM * kColumns);
    }
    void Process() {
        auto epochs = Gm<int32_t>(Window(rank_) + kEpochAt + core_ * 64, 8);
        DataCopy(seen_, epochs, 8);
        PipeBarrier<PIPE_ALL>();
        epoch_ = seen_.GetValue(0);
        for (uint32_t round = 0; round < s_.rounds; ++round) {
            ++epoch_;
            for (uint32_t i = 0; i < ranks_; ++i) Send(round * ranks_ + i, Target(hccl_, i));
            Tell();
            for (uint32_t from = 0; from < ranks_; ++from) Await(from);
            Reduce(round);
        }
        DataCopy(epochs, flag_, 8);
        for (uint32_t step = s_.rounds * ranks_ > 2 ? s_.rounds * ranks_ - 2 : 0; step < s_.rounds * ranks_; ++step)
            WaitFlag<HardEvent::MTE3_MTE2>(static_cast<int32_t>(step % 2));
    }

private:
    uint8_t* Window(uint32_t of) const { return static_cast<uint8_t*>(hccl_.GetWindowsInAddr(of)); }
    GlobalTensor<Sum> PartOf(uint32_t of, uint32_t from) const {
        const auto half = static_cast<uint32_t>(epoch_ % 2);
        return Gm<Sum>(Window(of) + half * kHalfBytes + (from * kSenders + core_) * kPart * 4, kPart);
    }
    GlobalTensor<int32_t> FlagOf(uint32_t of, uint32_t from) const {
        return Gm<int32_t>(Window(of) + kFlagAt + (from * kSenders + core_) * 64, 8);
    }
    // A half of the tile that the cube core has computed, and its place is free for another.
    void Send(uint32_t step, uint32_t to) {
        const uint32_t turn = step % 2;
        const auto id = static_cast<int32_t>(turn);
        const auto part = parts_[turn * kPart];
        if (step >= 2) WaitFlag<HardEvent::MTE3_MTE2>(id);
        CrossCoreWaitFlag<2, PIPE_MTE2>(kReady);
        DataCopy(part, tiles_[(core_ / 2 * 2 + turn) * kM * kN + core_ % 2 * kPart], kPart);
        CrossCoreSetFlag<2, PIPE_MTE2>(kTaken);
        Join<HardEvent::MTE2_MTE3>(id);
        DataCopy(PartOf(to, rank_), part, kPart);
        SetFlag<HardEvent::MTE3_MTE2>(id);
    }
    void Tell() {
        Duplicate(flag_, epoch_, 8);
        Join<HardEvent::V_MTE3>(0);
        PipeBarrier<PIPE_MTE3>();  // the parts are there before it
        for (uint32_t to = 0; to < ranks_; ++to) DataCopy(FlagOf(to, rank_), flag_, 8);
        Join<HardEvent::MTE3_MTE2>(2);  // its own is there, too
    }
    void Await(uint32_t from) {
        do {
            DataCopy(seen_, FlagOf(rank_, from), 8);
            Join<HardEvent::MTE2_S>(0);
            Join<HardEvent::S_MTE2>(0);
        } while (seen_.GetValue(0) < epoch_);
    }
    void Reduce(uint32_t round) {
        // The parts' buffers are those of Send: it may not begin before this is over.
        PipeBarrier<PIPE_ALL>();
        DataCopy(sum_, PartOf(rank_, 0), kPart);
        Join<HardEvent::MTE2_V>(2);
        for (uint32_t from = 1; from < ranks_; ++from) {
            const auto id = static_cast<int32_t>(from % 2);
            const auto part = parts_[from % 2 * kPart];
            if (from >= 3) WaitFlag<HardEvent::V_MTE2>(id);
            DataCopy(part, PartOf(rank_, from), kPart);
            Join<HardEvent::MTE2_V>(id);
            Add(sum_, sum_, part, static_cast<int32_t>(kPart));
            PipeBarrier<PIPE_V>();
            if (from + 2 < ranks_) SetFlag<HardEvent::V_MTE2>(id);
        }
        Join<HardEvent::V_MTE3>(0);
        const uint32_t row = round * kM + core_ % 2 * (kM / 2);
        DataCopy(out_[row * kColumns + core_ / 2 * kN], sum_,
                 DataCopyParams(kM / 2, kN * 4 / 32, 0, (kColumns - kN) * 4 / 32));
        PipeBarrier<PIPE_ALL>();
    }

    const Slice& s_;
    Hccl<>& hccl_;
    const uint32_t rank_, ranks_, core_;
    TPipe pipe_;
    TBuf<> part_buffer_, sum_buffer_, flag_buffer_;
    LocalTensor<Sum> parts_, sum_;
    LocalTensor<int32_t> flag_, seen_;
    GlobalTensor<Sum> tiles_, out_;
    int32_t epoch_ = 0;
};

template <class T, class Sum>
void ProductReduceScatter(const Slice& s) {
    Hccl<> hccl;
    hccl.Init(GetHcclContext<0>());
    if ASCEND_IS_AIC CubePart<T, Sum>(s, hccl);
    if ASCEND_IS_AIV VectorPart<Sum>(s, hccl).Process();
}

// --- what goes in, and what comes out

// -most to most, by everything that says which.
int32_t Spread(uint32_t most, uint32_t rank, uint32_t launch, uint64_t i) {
    uint64_t x = (uint64_t{rank} << 40) + (uint64_t{launch} << 32) + i + 1;
    x = (x ^ x >> 31) * 0x7fb5d329728ea185u;
    x = (x ^ x >> 27) * 0x81dadef4bc2dd44du;
    return static_cast<int32_t>((x ^ x >> 33) % (2 * most + 1)) - static_cast<int32_t>(most);
}

// wide: every third rank has products so large that the sum of floats depends on the order of its parts.
struct Numbers {
    uint32_t most;
    bool wide;
    int32_t A(uint32_t rank, uint32_t launch, uint64_t i) const {
        return Spread(most, rank, launch, i) * (wide && rank % 3 == 1 ? 4096 : 1);
    }
    int32_t B(uint32_t rank, uint64_t i) const {
        return Spread(most, rank, kMixedLaunches, i) * (wide && rank % 3 == 1 ? 1024 : 1);
    }
};

// By launch and rank.
template <class Sum>
using Results = std::vector<std::vector<std::vector<Sum>>>;

template <class Sum>
Results<Sum> Wanted(const Numbers& numbers, uint32_t ranks, uint32_t rounds) {
    Results<Sum> all(kMixedLaunches, {ranks, std::vector<Sum>(rounds * kM * kColumns)});
    for (uint32_t from = 0; from < ranks; ++from) {
        std::vector<int64_t> b(kColumns * kK);
        for (size_t i = 0; i < b.size(); ++i) b[i] = numbers.B(from, i);
        for (uint32_t launch = 0; launch < kMixedLaunches; ++launch) {
            for (uint32_t row = 0; row < rounds * ranks * kM; ++row) {
                std::vector<int64_t> a(kK);
                for (uint32_t k = 0; k < kK; ++k) a[k] = numbers.A(from, launch, row * kK + k);
                const uint32_t round = row / (ranks * kM), owner = row / kM % ranks;
                Sum* const sums = &all[launch][owner][(round * kM + row % kM) * kColumns];
                for (uint32_t column = 0; column < kColumns; ++column) {
                    int64_t product = 0;
                    for (uint32_t k = 0; k < kK; ++k) product += a[k] * b[column * kK + k];
                    sums[column] += static_cast<Sum>(product);
                }
            }
        }
    }
    return all;
}

template <class T>
uint8_t* Filled(GlobalMemory& memory, const char* name, uint64_t count, const std::function<int32_t(uint64_t)>& value) {
    uint8_t* const p = memory.Allocate(count * sizeof(T), name);
    for (uint64_t i = 0; i < count; ++i) {
        T x{};
        if constexpr (std::is_same_v<T, half>) {
            x = half(static_cast<float>(value(i)));
        } else {
            x = static_cast<T>(value(i));
        }
        std::memcpy(p + i * sizeof(T), &x, sizeof(T));
    }
    return p;
}

template <class T, class Sum>
void ExpectSums(const Numbers& numbers, uint32_t ranks, uint32_t rounds, const std::string& schedule, const char* chip,
                const Results<Sum>& want) {
    OnRanks on(ranks, runtime::RankOrder::Parse(schedule, ranks), chip);
    on.adjust = [&](LaunchOptions& options) {
        options.core = CoreChoice::kMix;
        options.schedule = schedule;
        if (ranks <= 3) options.check = "races";
    };
    std::vector<std::vector<Slice>> slices(kMixedLaunches);
    for (uint32_t launch = 0; launch < kMixedLaunches; ++launch) {
        for (uint32_t r = 0; r < ranks; ++r) {
            GlobalMemory& memory = *on.memories[r];
            const uint64_t results = rounds * kM * kColumns;
            slices[launch].push_back(
                {Filled<T>(memory, "a", uint64_t{rounds} * ranks * kM * kK,
                           [&](uint64_t i) { return numbers.A(r, launch, i); }),
                 Filled<T>(memory, "b", kColumns * kK, [&](uint64_t i) { return numbers.B(r, i); }),
                 memory.Allocate(kTileBlocks * 2 * kM * kN * 4, "tiles"), memory.Allocate(results * 4, "out"), rounds});
            on.Submit(
                r, [s = slices[launch][r]] { ProductReduceScatter<T, Sum>(s); }, {"tp"}, kTileBlocks);
        }
    }
    on.Wait();
    const std::string run = std::to_string(ranks) + " ranks, " + schedule + ", " + chip;
    ASSERT_EQ(on.Told(), "") << run;
    for (uint32_t launch = 0; launch < kMixedLaunches; ++launch) {
        for (uint32_t r = 0; r < ranks; ++r) {
            const std::vector<Sum>& wanted = want[launch][r];
            ASSERT_EQ(std::memcmp(slices[launch][r].out, wanted.data(), wanted.size() * sizeof(Sum)), 0)
                << run << ", launch " << launch << ", rank " << r;
        }
    }
}

template <class T, class Sum>
void ExpectSumsOnAll(const Numbers& numbers, uint32_t most_ranks) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    const std::vector<uint32_t> sizes = {2, 8};
#else
    const std::vector<uint32_t> sizes = {1, 2, 3, 8, 16, 32, 64};
#endif
    for (const uint32_t ranks : sizes) {
        if (ranks > most_ranks) break;
        const uint32_t rounds = ranks > 8 ? 1 : 3;
        const auto want = Wanted<Sum>(numbers, ranks, rounds);
        for (const std::string schedule : {"eager", "late", "skew", "torn", "seed:1", "seed:2", "seed:3"}) {
            if (ranks > 8 && schedule != "eager" && (schedule != "torn" || ranks > 16)) continue;
            ExpectSums<T, Sum>(numbers, ranks, rounds, schedule, kA3, want);
            if (ranks == 3) ExpectSums<T, Sum>(numbers, ranks, rounds, schedule, kA2, want);
        }
        if (ranks > 1 && ranks <= 8)
            ExpectSums<T, Sum>(numbers, ranks, rounds, "skew:" + std::to_string(ranks - 1), kA3, want);
    }
}

TEST(MixedRanks, ProductsOfHalf) { ExpectSumsOnAll<half, float>({8, false}, 64); }
TEST(MixedRanks, ProductsOfInt8) { ExpectSumsOnAll<int8_t, int32_t>({127, false}, 8); }

TEST(MixedRanks, PartsAreAddedFromRank0Up) {
    const Numbers numbers{7, true};
    ExpectSumsOnAll<half, float>(numbers, 8);
    // The numbers do show the order: without the first rank's part as the first, other bytes.
    const auto want = Wanted<float>(numbers, 3, 1);
    bool differs = false;
    for (uint32_t column = 0; column < kColumns; ++column) {
        float down = 0;
        for (uint32_t from = 3; from-- > 0;) {
            int64_t product = 0;
            for (uint32_t k = 0; k < kK; ++k)
                product += int64_t{numbers.A(from, 0, k)} * numbers.B(from, column * kK + k);
            down += static_cast<float>(product);
        }
        differs = differs || down != want[0][0][column];
    }
    EXPECT_TRUE(differs);
}

}  // namespace
}  // namespace sfumato
