#include "kernel_operator.h"
using namespace AscendC;

template <class T>
class Kernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t length, uint32_t tile) {
        this->length = length;
        this->tile = tile;
        const uint32_t from = length * GetBlockIdx();
        xGm.SetGlobalBuffer((__gm__ T*)x + from, length);
        yGm.SetGlobalBuffer((__gm__ T*)(y ? y : x) + from, length);
        zGm.SetGlobalBuffer((__gm__ T*)z + from, length);
        pipe.InitBuffer(xs, 2, tile * sizeof(T));
        pipe.InitBuffer(ys, 2, tile * sizeof(T));
        pipe.InitBuffer(zs, 2, tile * sizeof(T));
    }
    __aicore__ inline void Process(T factor) {
        for (uint32_t at = 0; at < length; at += tile) {
            auto in = xs.template AllocTensor<T>();
            auto other = ys.template AllocTensor<T>();
            DataCopy(in, xGm[at], tile);
            DataCopy(other, yGm[at], tile);
            xs.EnQue(in);
            ys.EnQue(other);
            auto x = xs.template DeQue<T>();
            auto y = ys.template DeQue<T>();
            auto z = zs.template AllocTensor<T>();
            @COMPUTE@
            zs.EnQue(z);
            xs.FreeTensor(x);
            ys.FreeTensor(y);
            auto out = zs.template DeQue<T>();
            DataCopy(zGm[at], out, tile);
            zs.FreeTensor(out);
        }
    }

private:
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> xs, ys;
    TQue<QuePosition::VECOUT, 2> zs;
    GlobalTensor<T> xGm, yGm, zGm;
    uint32_t length, tile;
};

extern "C" __global__ __aicore__ void @FILE@(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(data, tiling);
    Kernel<DTYPE_X> kernel;
    kernel.Init(x, y, z, data.length, data.tile);
    kernel.Process(static_cast<DTYPE_X>(data.factor));
}
