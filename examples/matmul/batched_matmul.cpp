// SPDX-License-Identifier: Apache-2.0
// Many small half matmuls on the cube cores of Ascend910B: C[i] = A[i] x B[i], results in half. One move brings a group
// of matrices into L1 and one takes their products out; a group is as many as fit, and groups are shared between the
// blocks.
//
//   a [batch][m][k], b [batch][k][n], c [batch][m][n]; a matrix has at most 16384 elements with its sizes rounded up
//   to 16.
//
//   sfumato run examples/matmul/batched_matmul.cpp --chip Ascend910B1 --blocks 8 --
//       a.npy b.npy 'out:float16[64,40,24]=c.npy' uint32:64 uint32:40 uint32:24 uint32:56
#include "fractal_loads.h"

namespace {

using namespace matmul;

class BatchedMatmul {
public:
    __aicore__ inline BatchedMatmul(uint32_t batch, uint32_t m, uint32_t n, uint32_t k)
        : batch_(batch),
          m_(m),
          n_(n),
          k_(k),
          size_a_(Align(m, 16) * Align(k, 16)),
          size_b_(Align(k, 16) * Align(n, 16)),
          size_c_(Align(m, 16) * Align(n, 16)),
          group_(Least(batch, kElements / Most(size_a_, Most(size_b_, size_c_)))) {}

    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
        a_.SetGlobalBuffer((__gm__ half*)a, batch_ * m_ * k_);
        b_.SetGlobalBuffer((__gm__ half*)b, batch_ * k_ * n_);
        c_.SetGlobalBuffer((__gm__ half*)c, batch_ * m_ * n_);
        pipe_.InitBuffer(a1_queue_, 2, group_ * size_a_ * sizeof(half));
        pipe_.InitBuffer(b1_queue_, 2, group_ * size_b_ * sizeof(half));
        pipe_.InitBuffer(a2_queue_, 2, group_ * size_a_ * sizeof(half));
        pipe_.InitBuffer(b2_queue_, 2, group_ * size_b_ * sizeof(half));
        pipe_.InitBuffer(co1_queue_, 2, group_ * size_c_ * sizeof(float));
    }

    __aicore__ inline void Process() {
        for (uint32_t i = GetBlockIdx() * group_; i < batch_; i += GetBlockNum() * group_) {
            const uint32_t count = Least(group_, batch_ - i);
            CopyIn(i, count);
            Split(count);
            Compute(count);
            CopyOut(i, count);
        }
    }

private:
    static constexpr uint32_t kElements = 16384;  // of half in half of L0A, of float in half of L0C

    __aicore__ inline void CopyIn(uint32_t i, uint32_t count) {
        LocalTensor<half> a1 = a1_queue_.AllocTensor<half>();
        LocalTensor<half> b1 = b1_queue_.AllocTensor<half>();
        CopyToL1(a1, a_[i * m_ * k_], m_, k_, k_, PitchOfA(m_), {count, m_ * k_, size_a_});
        CopyToL1(b1, b_[i * k_ * n_], k_, n_, n_, Align(k_, 16), {count, k_ * n_, size_b_});
        a1_queue_.EnQue(a1);
        b1_queue_.EnQue(b1);
    }

    __aicore__ inline void Split(uint32_t count) {
        LocalTensor<half> a1 = a1_queue_.DeQue<half>();
        LocalTensor<half> b1 = b1_queue_.DeQue<half>();
        LocalTensor<half> a2 = a2_queue_.AllocTensor<half>();
        LocalTensor<half> b2 = b2_queue_.AllocTensor<half>();
        for (uint32_t j = 0; j < count; ++j) {
            LoadA(a2[j * size_a_], a1[j * size_a_], m_, 0, k_);
            LoadB(b2[j * size_b_], b1[j * size_b_], Align(k_, 16), 0, k_, n_);
        }
        a2_queue_.EnQue(a2);
        b2_queue_.EnQue(b2);
        a1_queue_.FreeTensor(a1);
        b1_queue_.FreeTensor(b1);
    }

    __aicore__ inline void Compute(uint32_t count) {
        LocalTensor<half> a2 = a2_queue_.DeQue<half>();
        LocalTensor<half> b2 = b2_queue_.DeQue<half>();
        LocalTensor<float> co1 = co1_queue_.AllocTensor<float>();
        MmadParams p;
        p.m = static_cast<uint16_t>(m_);
        p.n = static_cast<uint16_t>(n_);
        p.k = static_cast<uint16_t>(k_);
        for (uint32_t j = 0; j < count; ++j) {
            Multiply<half>(co1[j * size_c_], a2[j * size_a_], b2[j * size_b_], p, true);
        }
        co1_queue_.EnQue(co1);
        a2_queue_.FreeTensor(a2);
        b2_queue_.FreeTensor(b2);
    }

    __aicore__ inline void CopyOut(uint32_t i, uint32_t count) {
        LocalTensor<float> co1 = co1_queue_.DeQue<float>();
        FixpipeParamsV220 p;
        p.nSize = static_cast<uint16_t>(n_);
        p.mSize = static_cast<uint16_t>(m_);
        p.srcStride = static_cast<uint16_t>(Align(m_, 16));
        p.dstStride = n_;
        p.quantPre = F322F16;
        p.ndNum = static_cast<uint16_t>(count);
        p.srcNdStride = static_cast<uint16_t>(size_c_ / 256);
        p.dstNdStride = static_cast<uint16_t>(m_ * n_);
        Fixpipe<half, float>(c_[i * m_ * n_], co1, p);
        co1_queue_.FreeTensor(co1);
    }

    const uint32_t batch_, m_, n_, k_;
    const uint32_t size_a_, size_b_, size_c_;  // of one matrix on the chip
    const uint32_t group_;
    TPipe pipe_;
    GlobalTensor<half> a_, b_, c_;
    TQue<TPosition::A1, 2> a1_queue_;
    TQue<TPosition::B1, 2> b1_queue_;
    TQue<TPosition::A2, 2> a2_queue_;
    TQue<TPosition::B2, 2> b2_queue_;
    TQue<TPosition::CO1, 2> co1_queue_;
};

}  // namespace

extern "C" __global__ __aicore__ void batched_matmul(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t batch, uint32_t m,
                                                     uint32_t n, uint32_t k) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    BatchedMatmul op(batch, m, n, k);
    op.Init(a, b, c);
    op.Process();
}
