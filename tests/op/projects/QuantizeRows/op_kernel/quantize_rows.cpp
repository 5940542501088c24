// SPDX-License-Identifier: Apache-2.0
#include "inc/quantize_rows_struct.h"
#include "kernel_operator.h"

namespace {
constexpr uint32_t TILE = 4096;

template <typename X, bool PER_CHANNEL>
__aicore__ inline void Quantize(GM_ADDR x, GM_ADDR scale, GM_ADDR y, const QuantizeRowsStruct& data) {
    using namespace AscendC;
    TPipe pipe;
    TQue<TPosition::VECIN, 1> xQue, scaleQue;
    TQue<TPosition::VECOUT, 1> yQue;
    TBuf<> wideBuf, halfBuf;
    pipe.InitBuffer(xQue, 1, TILE * sizeof(X));
    pipe.InitBuffer(scaleQue, 1, TILE * sizeof(float));
    pipe.InitBuffer(yQue, 1, TILE);
    pipe.InitBuffer(wideBuf, TILE * sizeof(float));
    pipe.InitBuffer(halfBuf, TILE * sizeof(half));
    GlobalTensor<X> xGm;
    GlobalTensor<float> scaleGm;
    GlobalTensor<int8_t> yGm;
    xGm.SetGlobalBuffer(reinterpret_cast<__gm__ X*>(x));
    scaleGm.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(scale));
    yGm.SetGlobalBuffer(reinterpret_cast<__gm__ int8_t*>(y));
    const DataCopyPadExtParams<float> noPad{false, 0, 0, 0};
    for (int64_t row = GetBlockIdx(); row < data.rows; row += GetBlockNum()) {
        for (int64_t col = 0; col < data.cols; col += TILE) {
            const uint32_t count = data.cols - col < TILE ? data.cols - col : TILE;
            auto in = xQue.AllocTensor<X>();
            DataCopyPad(in, xGm[row * data.cols + col], {1, uint32_t(count * sizeof(X)), 0, 0, 0}, {false, 0, 0, 0});
            xQue.EnQue(in);
            in = xQue.DeQue<X>();
            auto wide = wideBuf.Get<float>();
            if constexpr (sizeof(X) == 2) {
                Cast(wide, in, RoundMode::CAST_NONE, count);
            } else {
                Adds(wide, in, 0.0f, count);
            }
            xQue.FreeTensor(in);
            if constexpr (PER_CHANNEL) {
                auto factors = scaleQue.AllocTensor<float>();
                DataCopyPad(factors, scaleGm[col], {1, uint32_t(count * sizeof(float)), 0, 0, 0}, noPad);
                scaleQue.EnQue(factors);
                factors = scaleQue.DeQue<float>();
                Mul(wide, wide, factors, count);
                scaleQue.FreeTensor(factors);
            } else {
                Muls(wide, wide, scaleGm.GetValue(0), count);
            }
            Adds(wide, wide, data.offset, count);
            auto narrow = halfBuf.Get<half>();
            Cast(narrow, wide, RoundMode::CAST_RINT, count);
            auto out = yQue.AllocTensor<int8_t>();
            Cast(out, narrow, RoundMode::CAST_RINT, count);
            yQue.EnQue(out);
            out = yQue.DeQue<int8_t>();
            DataCopyPad(yGm[row * data.cols + col], out, {1, count, 0, 0, 0});
            yQue.FreeTensor(out);
        }
    }
}
}  // namespace

extern "C" __global__ __aicore__ void quantize_rows(GM_ADDR x, GM_ADDR scale, GM_ADDR y, GM_ADDR workspace,
                                                    GM_ADDR tiling) {
    REGISTER_NONE_TILING;
    GET_TILING_DATA_WITH_STRUCT(QuantizeRowsStruct, data, tiling);
    if (TILING_KEY_IS(100)) {
        Quantize<DTYPE_X, false>(x, scale, y, data);
    } else if (TILING_KEY_IS(200)) {
        Quantize<DTYPE_X, true>(x, scale, y, data);
    }
}
