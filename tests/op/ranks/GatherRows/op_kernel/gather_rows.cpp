// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

using namespace AscendC;

// In each window: how often its rank has run, a flag of each rank, rows of each rank; the last two twice, used in turn.
class GatherRowsOp {
public:
    __aicore__ inline GatherRowsOp(TPipe& pipe, GM_ADDR x, GM_ADDR y, uint32_t ranks, uint32_t count)
        : ranks_(ranks), count_(count) {
        hccl_.Init(GetHcclContext<HCCL_GROUP_ID_0>());
        rank_ = hccl_.GetRankId();
        x_.SetGlobalBuffer((__gm__ int32_t*)x, count);
        y_.SetGlobalBuffer((__gm__ int32_t*)y, ranks * count);
        pipe.InitBuffer(rowsBuf_, count * sizeof(int32_t));
        pipe.InitBuffer(flagBuf_, 32);
    }
    __aicore__ inline void Run() {
        LocalTensor<int32_t> rows = rowsBuf_.Get<int32_t>(), flag = flagBuf_.Get<int32_t>();
        GlobalTensor<int32_t> own = Window(rank_);
        DataCopy(flag, own, 8);
        DataCopy(rows, x_, count_);
        PipeBarrier<PIPE_ALL>();
        const int32_t round = flag.GetValue(0) + 1;
        Duplicate(flag, round, 8);
        PipeBarrier<PIPE_ALL>();
        DataCopy(own, flag, 8);
        for (uint32_t to = 0; to < ranks_; ++to) DataCopy(Window(to)[RowsOf(rank_, round)], rows, count_);
#ifndef EARLY_FLAG
        PipeBarrier<PIPE_ALL>();
#endif
        for (uint32_t to = 0; to < ranks_; ++to) {
#ifdef NO_FLAG
            if (to == rank_ + 1) continue;
#endif
            DataCopy(Window(to)[FlagOf(rank_, round)], flag, 8);
        }
        PipeBarrier<PIPE_ALL>();
        for (uint32_t from = 0; from < ranks_; ++from) {
            do {
                DataCopy(flag, own[FlagOf(from, round)], 8);
                PipeBarrier<PIPE_ALL>();
            } while (flag.GetValue(0) != round);
            DataCopy(rows, own[RowsOf(from, round)], count_);
            PipeBarrier<PIPE_ALL>();
            DataCopy(y_[from * count_], rows, count_);
            PipeBarrier<PIPE_ALL>();
        }
    }

private:
    __aicore__ inline GlobalTensor<int32_t> Window(uint32_t rank) {
        GlobalTensor<int32_t> window;
        window.SetGlobalBuffer((__gm__ int32_t*)hccl_.GetWindowsInAddr(rank), RowsOf(ranks_, 0));
        return window;
    }
    __aicore__ inline uint32_t FlagOf(uint32_t from, int32_t round) const { return 128 * (1 + 2 * from + round % 2); }
    __aicore__ inline uint32_t RowsOf(uint32_t from, int32_t round) const {
        return FlagOf(ranks_, 0) + (2 * from + round % 2) * count_;
    }

    uint32_t ranks_, count_, rank_;
    Hccl<HcclServerType::HCCL_SERVER_TYPE_AICPU> hccl_;
    GlobalTensor<int32_t> x_, y_;
    TBuf<> rowsBuf_, flagBuf_;
};

extern "C" __global__ __aicore__ void gather_rows(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(t, tiling);
    TPipe pipe;
    GatherRowsOp(pipe, x, y, t.ranks, t.count).Run();
}
