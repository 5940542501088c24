// SPDX-License-Identifier: Apache-2.0
// Rows of bytes: the element type does not matter to a copy.
#include "concat_last_tiling.h"
#include "kernel_operator.h"
#include "kernel_operator_list_tensor_intf.h"

using namespace AscendC;

class ConcatLastKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const ConcatLastTilingData& data, TPipe* pipe) {
        list_ = ListTensorDesc(reinterpret_cast<__gm__ void*>(x));
        data_ = data;
        out_.SetGlobalBuffer((__gm__ uint8_t*)y, data.rowNum * data.outBytes);
        pipe->InitBuffer(queue_, 2, data.tileBytes);
    }
    __aicore__ inline void Process() {
        uint64_t start = 0;
        for (uint32_t i = 0; i < data_.tensorNum; i++) {
            uint64_t dims[8];
            TensorDesc<uint8_t> desc;
            desc.SetShapeAddr(dims);
            list_.GetDesc(desc, i);
            const uint64_t bytes = desc.GetShape(desc.GetDim() - 1) * sizeof(DTYPE_X);
            GlobalTensor<uint8_t> from;
            from.SetGlobalBuffer(desc.GetDataPtr(), data_.rowNum * bytes);
            for (uint64_t row = GetBlockIdx(); row < data_.rowNum; row += GetBlockNum()) {
                CopyRow(from[row * bytes], out_[row * data_.outBytes + start], bytes);
            }
            start += bytes;
        }
    }

private:
    __aicore__ inline void CopyRow(GlobalTensor<uint8_t> from, GlobalTensor<uint8_t> to, uint64_t bytes) {
        for (uint64_t at = 0; at < bytes; at += data_.tileBytes) {
            const uint32_t count = bytes - at < data_.tileBytes ? bytes - at : data_.tileBytes;
            LocalTensor<uint8_t> tile = queue_.AllocTensor<uint8_t>();
            DataCopyPad(tile, from[at], {1, count, 0, 0, 0}, {false, 0, 0, 0});
            queue_.EnQue(tile);
            tile = queue_.DeQue<uint8_t>();
            DataCopyPad(to[at], tile, {1, count, 0, 0, 0});
            queue_.FreeTensor(tile);
        }
    }

    ListTensorDesc list_;
    ConcatLastTilingData data_;
    GlobalTensor<uint8_t> out_;
    TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 2> queue_;
};

extern "C" __global__ __aicore__ void concat_last(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(ConcatLastTilingData);
    GET_TILING_DATA(data, tiling);
    TPipe pipe;
    ConcatLastKernel op;
    op.Init(x, y, data, &pipe);
    op.Process();
}
