// SPDX-License-Identifier: Apache-2.0
// Every rank sends some rows to every other, each as many as it likes, through the windows of the group "world". Rows
// are int32. Launch it on all ranks of Ascend910_93, one block each.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kFlag = 128;                 // int32 from one flag to the next: each has 512 bytes of its own
constexpr uint32_t kRanks = 64;                 // at most
constexpr uint32_t kState = 0;                  // in int32 from the window's beginning: how many rounds there were
constexpr uint32_t kFlags = kFlag;              // two for each rank, used in turn
constexpr uint32_t kRows = 4 * kRanks * kFlag;  // likewise two places for what each rank sends

class AllToAll {
public:
    // src, dst: `most` int32 for each rank; counts: how many of these it sends to each; received: 8 int32 for each
    // rank, the second is how many came from it. most: a multiple of 8, at most 4096.
    __aicore__ inline void Init(GM_ADDR src, GM_ADDR counts, GM_ADDR dst, GM_ADDR received, GM_ADDR context,
                                uint32_t most) {
        context_ = context;
        most_ = most;
        rank_ = *reinterpret_cast<__gm__ uint32_t*>(context + 16);
        ranks_ = *reinterpret_cast<__gm__ uint32_t*>(context + 20);
        src_.SetGlobalBuffer((__gm__ int32_t*)src, ranks_ * most);
        counts_.SetGlobalBuffer((__gm__ int32_t*)counts, ranks_);
        dst_.SetGlobalBuffer((__gm__ int32_t*)dst, ranks_ * most);
        received_.SetGlobalBuffer((__gm__ int32_t*)received, ranks_ * 8);
        pipe_.InitBuffer(rows_, 4096 * sizeof(int32_t));
        pipe_.InitBuffer(flags_, 32);
    }

    __aicore__ inline void Process() {
        LocalTensor<int32_t> rows = rows_.Get<int32_t>(), flag = flags_.Get<int32_t>();
        GlobalTensor<int32_t> own = Window(rank_);
        DataCopy(flag, own[kState], 8);
        PipeBarrier<PIPE_ALL>();
        const int32_t round = flag.GetValue(0) + 1;
        for (uint32_t i = 0; i < ranks_; ++i) Send((rank_ + i) % ranks_, round, rows, flag);
        for (uint32_t from = 0; from < ranks_; ++from) {
            do {
                DataCopy(flag, own[FlagOf(from, round)], 8);
                PipeBarrier<PIPE_ALL>();
            } while (flag.GetValue(0) != round);
            DataCopy(received_[from * 8], flag, 8);
            const int32_t count = flag.GetValue(1);
            if (count > 0) {
                DataCopy(rows, own[RowsOf(from, round)], RoundUp(count));
                PipeBarrier<PIPE_ALL>();
                DataCopy(dst_[from * most_], rows, RoundUp(count));
            }
            PipeBarrier<PIPE_ALL>();
        }
        Duplicate(flag, round, 8);
        PipeBarrier<PIPE_ALL>();
        DataCopy(own[kState], flag, 8);
    }

private:
    __aicore__ inline void Send(uint32_t to, int32_t round, LocalTensor<int32_t> rows, LocalTensor<int32_t> flag) {
        GlobalTensor<int32_t> window = Window(to);
        const int32_t count = counts_.GetValue(to);
#ifdef SKIP_EMPTY
        if (count == 0) return;  // wrong: the other rank waits for the flag
#endif
        if (count > 0) {
            DataCopy(rows, src_[to * most_], RoundUp(count));
            PipeBarrier<PIPE_ALL>();
            DataCopy(window[RowsOf(rank_, round)], rows, RoundUp(count));
        }
        Duplicate(flag, round, 8);
        PipeBarrier<PIPE_ALL>();  // the rows have left before the flag does
        flag.SetValue(1, count);
        PipeBarrier<PIPE_ALL>();
        DataCopy(window[FlagOf(rank_, round)], flag, 8);
        PipeBarrier<PIPE_ALL>();
    }

    // The window In of a rank: the context has a list of pointers, by rank, to what says where its windows lie.
    __aicore__ inline GlobalTensor<int32_t> Window(uint32_t rank) const {
        const uint64_t entry = *reinterpret_cast<__gm__ uint64_t*>(context_ + 2984 + 16 * rank + 8);
        const uint64_t in = *reinterpret_cast<__gm__ uint64_t*>(entry + 8);
        GlobalTensor<int32_t> window;
        window.SetGlobalBuffer((__gm__ int32_t*)in, kRows + 2 * ranks_ * most_);
        return window;
    }
    __aicore__ inline uint32_t FlagOf(uint32_t from, int32_t round) const {
        return kFlags + (2 * from + round % 2) * kFlag;
    }
    __aicore__ inline uint32_t RowsOf(uint32_t from, int32_t round) const {
        return kRows + (2 * from + round % 2) * most_;
    }
    __aicore__ inline static uint32_t RoundUp(int32_t count) { return (count + 7) / 8 * 8; }

    GM_ADDR context_;
    uint32_t rank_, ranks_, most_;
    GlobalTensor<int32_t> src_, counts_, dst_, received_;
    TPipe pipe_;
    TBuf<> rows_, flags_;
};

extern "C" __global__ __aicore__ void all_to_all(GM_ADDR src, GM_ADDR counts, GM_ADDR dst, GM_ADDR received,
                                                 GM_ADDR context, uint32_t most) {
    AllToAll op;
    op.Init(src, counts, dst, received, context, most);
    op.Process();
}
