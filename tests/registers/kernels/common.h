// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs of kernels that fit UB: rows of `count` elements, which begin at a block each.
#pragma once

#include "kernel_operator.h"

template <typename T>
class Input {
public:
    __aicore__ inline Input(AscendC::TPipe& pipe, GM_ADDR from, uint32_t count, uint16_t rows = 1) {
        const uint32_t bytes = count * sizeof(T);
        pipe.InitBuffer(queue_, 1, rows * ((bytes + 31) / 32 * 32));
        AscendC::GlobalTensor<T> global;
        global.SetGlobalBuffer((__gm__ T*)from, rows * count);
        AscendC::LocalTensor<T> local = queue_.AllocTensor<T>();
        AscendC::DataCopyExtParams params{rows, bytes, 0, 0, 0};
        AscendC::DataCopyPadExtParams<T> pad{false, 0, 0, 0};
        AscendC::DataCopyPad(local, global, params, pad);
        queue_.EnQue(local);
        tensor_ = queue_.DeQue<T>();
    }
    __aicore__ inline ~Input() { queue_.FreeTensor(tensor_); }
    __aicore__ inline __ubuf__ T* Address() { return (__ubuf__ T*)tensor_.GetPhyAddr(); }
    __aicore__ inline AscendC::LocalTensor<T>& Tensor() { return tensor_; }

private:
    AscendC::TQue<AscendC::QuePosition::VECIN, 1> queue_;
    AscendC::LocalTensor<T> tensor_;
};

template <typename T>
class Output {
public:
    __aicore__ inline Output(AscendC::TPipe& pipe, GM_ADDR to, uint32_t count, uint16_t rows = 1)
        : count_(count), rows_(rows) {
        pipe.InitBuffer(queue_, 1, rows * ((count * sizeof(T) + 31) / 32 * 32));
        global_.SetGlobalBuffer((__gm__ T*)to, rows * count);
        tensor_ = queue_.AllocTensor<T>();
    }
    __aicore__ inline __ubuf__ T* Address() { return (__ubuf__ T*)tensor_.GetPhyAddr(); }
    __aicore__ inline AscendC::LocalTensor<T>& Tensor() { return tensor_; }
    __aicore__ inline void Send() {
        queue_.EnQue(tensor_);
        tensor_ = queue_.DeQue<T>();
        AscendC::DataCopyExtParams params{rows_, static_cast<uint32_t>(count_ * sizeof(T)), 0, 0, 0};
        AscendC::DataCopyPad(global_, tensor_, params);
        queue_.FreeTensor(tensor_);
    }

private:
    uint32_t count_;
    uint16_t rows_;
    AscendC::TQue<AscendC::QuePosition::VECOUT, 1> queue_;
    AscendC::GlobalTensor<T> global_;
    AscendC::LocalTensor<T> tensor_;
};

// Memory of the vector unit alone.
template <typename T>
class Scratch {
public:
    __aicore__ inline Scratch(AscendC::TPipe& pipe, uint32_t count) {
        pipe.InitBuffer(buffer_, (count * sizeof(T) + 31) / 32 * 32);
    }
    __aicore__ inline __ubuf__ T* Address() { return (__ubuf__ T*)buffer_.template Get<T>().GetPhyAddr(); }

private:
    AscendC::TBuf<AscendC::TPosition::VECCALC> buffer_;
};

// Elements from one row to the next in UB.
template <typename T>
__aicore__ inline uint32_t StrideOf(uint32_t count) {
    constexpr uint32_t block = 32 / sizeof(T);
    return (count + block - 1) / block * block;
}

// Rounds of a loop over the elements of a register.
template <typename T>
__aicore__ inline uint16_t Rounds(uint32_t count) {
    constexpr uint32_t lanes = AscendC::GetVecLen() / sizeof(T);
    return static_cast<uint16_t>((count + lanes - 1) / lanes);
}
