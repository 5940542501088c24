// SPDX-License-Identifier: Apache-2.0
// A convolution of 3 x 3 as a matmul: the pixels under the filter become a row of a matrix (image to column), the
// weights are the other matrix. Stride 1; the image comes padded, so that `height` x `width` pixels are left of it.
//
//   image    half  [height + 2][width + 2][channels]     channels a multiple of 16
//   weights  half  [3][3][channels][filters]             filters a multiple of 8
//   bias     float [filters]
//   columns  half  [height][width][9 * channels]         scratch, one image row for each block at a time
//   out      float [height][width][filters]
//
// The tiling is that of one row of the image: m = width, n = filters, k = 9 * channels. Blocks share the rows.
//
//   sfumato run examples/boards/conv.cpp --chip Ascend310B4 --blocks 1 --
//       image.npy weights.npy bias.npy out:float16[12,20,144]=columns.npy out:float32[12,20,24]=out.npy uint32:12
//       'tiling-of:matmul(m=20, n=24, k=144, a=half, b=half, c=float, bias=float)'
#include "multiply.h"

using namespace AscendC;

namespace {

constexpr uint32_t kSide = 3;
constexpr uint32_t kBlock = 16;  // halves in 32 bytes

// The pixels that tap (i, j) of the filter sees in a row of the result: they lie one after another in the image, and
// every ninth block of channels in the matrix.
class Columns {
public:
    __aicore__ inline Columns(TPipe& pipe, uint32_t width, uint32_t channels) : width_(width), channels_(channels) {
        pipe.InitBuffer(pixels_, 2, width * channels * sizeof(half));
    }

    __aicore__ inline void Row(const GlobalTensor<half>& to, const GlobalTensor<half>& image) {
        const uint32_t pitch = (width_ + kSide - 1) * channels_;
        DataCopyParams out;
        out.blockCount = width_;
        out.blockLen = channels_ / kBlock;
        out.dstStride = (kSide * kSide - 1) * channels_ / kBlock;
        for (uint32_t tap = 0; tap < kSide * kSide; ++tap) {
            LocalTensor<half> pixels = pixels_.AllocTensor<half>();
            DataCopy(pixels, image[tap / kSide * pitch + tap % kSide * channels_], width_ * channels_);
            pixels_.EnQue(pixels);
            pixels = pixels_.DeQue<half>();
            DataCopy(to[tap * channels_], pixels, out);
            pixels_.FreeTensor(pixels);
        }
    }

private:
    const uint32_t width_, channels_;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> pixels_;  // in and out again, nothing between
};

}  // namespace

extern "C" __global__ __aicore__ void conv_custom(GM_ADDR image, GM_ADDR weights, GM_ADDR bias, GM_ADDR columns,
                                                  GM_ADDR out, uint32_t height, GM_ADDR tiling_gm) {
    GET_TILING_DATA_WITH_STRUCT(TCubeTiling, tiling, tiling_gm);
    const uint32_t width = tiling.M, depth = tiling.Ka, filters = tiling.N, channels = depth / (kSide * kSide);
    TPipe pipe;
    Columns rows(pipe, width, channels);
    boards::Multiply multiply(pipe, tiling);
    for (uint32_t row = GetBlockIdx(); row < height; row += GetBlockNum()) {
        const auto matrix = boards::Global<half>(columns, uint64_t{row} * width * depth);
        rows.Row(matrix, boards::Global<half>(image, uint64_t{row} * (width + kSide - 1) * channels));
        PipeBarrier<PIPE_ALL>();  // the matrix is written before Matmul reads it
        multiply.Rows(matrix, boards::Global<half>(weights), boards::Global<float>(bias),
                      boards::Global<float>(out, uint64_t{row} * width * filters), width);
    }
}
