// SPDX-License-Identifier: Apache-2.0
// Parameters of the moves that change a layout or convert values: names, values and member order programs rely on.
#pragma once

#include "sfumato/ascendc/types.h"

// How Fixpipe converts; the V modes take one word a column (cube.md 5.2).
enum QuantMode_t : int32_t { NoQuant = 0, F322F16, F322BF16, DEQF16, VDEQF16, QF322B8_PRE, VQF322B8_PRE, REQ8, VREQ8 };
enum pad_t { PAD_NONE = 0, PAD_MODE1, PAD_MODE2, PAD_MODE3, PAD_MODE4, PAD_MODE5, PAD_MODE6, PAD_MODE7, PAD_MODE8 };

namespace AscendC {

enum class CO2Layout : uint8_t { NZ = 0, ROW_MAJOR, COLUMN_MAJOR };
struct FixpipeConfig {
    CO2Layout format;
};
inline constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ};
inline constexpr FixpipeConfig CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR};

struct FixpipeParamsV220 {
    constexpr FixpipeParamsV220() = default;
    constexpr FixpipeParamsV220(uint16_t n, uint16_t m, uint16_t src_stride, uint32_t dst_stride, bool relu,
                                QuantMode_t quant = NoQuant, uint64_t scalar = 0, uint16_t nd_num = 1,
                                uint16_t src_nd_stride = 0, uint16_t dst_nd_stride = 0, uint8_t unit_flag = 0,
                                bool channel_split = false)
        : nSize(n),
          mSize(m),
          srcStride(src_stride),
          dstStride(dst_stride),
          quantPre(quant),
          deqScalar(scalar),
          ndNum(nd_num),
          srcNdStride(src_nd_stride),
          dstNdStride(dst_nd_stride),
          reluEn(relu),
          unitFlag(unit_flag),
          isChannelSplit(channel_split) {}
    uint16_t nSize = 0;
    uint16_t mSize = 0;
    uint16_t srcStride = 0;  // 16 elements
    uint32_t dstStride = 0;  // row major: elements; NZ: blocks of 32 bytes
    QuantMode_t quantPre = NoQuant;
    uint64_t deqScalar = 0;
    uint16_t ndNum = 1;
    uint16_t srcNdStride = 0;  // fractals of 16 x 16
    uint16_t dstNdStride = 0;  // elements
    bool reluEn = false;
    uint8_t unitFlag = 0;
    bool isChannelSplit = false;
};
using FixpipeParamsM300 = FixpipeParamsV220;

// Of the older struct of Fixpipe: rows are written.
struct Nz2NdParams {
    constexpr Nz2NdParams() = default;
    constexpr Nz2NdParams(bool enabled, uint16_t nd_num, uint16_t src_nd_stride, uint16_t dst_nd_stride,
                          uint16_t original_n)
        : nz2ndEn(enabled),
          ndNum(nd_num),
          srcNdStride(src_nd_stride),
          dstNdStride(dst_nd_stride),
          originalNSize(original_n) {}
    bool nz2ndEn = false;
    uint16_t ndNum = 1;
    uint16_t srcNdStride = 0;
    uint16_t dstNdStride = 0;
    uint16_t originalNSize = 0;
};
// The older struct of Fixpipe, which no page of this release has (cube.md 5.1). T: the element type in L0C.
template <class T>
struct FixpipeParams {
    struct Quant {
        QuantMode_t quantPre = NoQuant;
        uint64_t deqScalar = 0;
    };
    constexpr FixpipeParams() = default;
    constexpr FixpipeParams(uint16_t count, uint16_t len, uint16_t src, uint32_t dst)
        : cburstNum(count), burstLen(len), srcStride(src), dstStride(dst) {}
    uint16_t cburstNum = 1;  // blocks of 16 columns
    uint16_t burstLen = 1;   // 32 bytes of T: m x 16 elements
    uint16_t srcStride = 0;  // fractals between two blocks; 0: m rounded up to 16 rows lie together (assumed)
    uint32_t dstStride = 0;  // row major: elements of a row; NZ: 32 bytes between two blocks
    Quant quantParams;
    bool reluEn = false;
    Nz2NdParams nz2ndParams;
    uint8_t unitFlag = 0;
};

// DataCopy from CO1; units as for Fixpipe (cube.md 5.3).
struct DataCopyCO12DstParams {
    constexpr DataCopyCO12DstParams() = default;
    constexpr DataCopyCO12DstParams(uint16_t n, uint16_t m, uint32_t dst_stride, uint16_t src_stride, QuantMode_t quant,
                                    uint8_t relu, bool channel_split, bool nz2nd)
        : nSize(n),
          mSize(m),
          dstStride(dst_stride),
          srcStride(src_stride),
          quantPre(quant),
          reluPre(relu),
          channelSplit(channel_split),
          nz2ndEn(nz2nd) {}
    uint8_t sid = 0;
    uint16_t nSize = 0;
    uint16_t mSize = 0;
    uint32_t dstStride = 0;
    uint16_t srcStride = 0;
    uint8_t unitFlag = 0;
    uint8_t clipReluPre = 0;
    uint8_t eltWiseOp = 0;
    QuantMode_t quantPre = NoQuant;
    uint8_t reluPre = 0;
    bool channelSplit = false;
    bool nz2ndEn = false;
};

enum class BlockMode : uint8_t {
    BLOCK_MODE_NORMAL = 0,
    BLOCK_MODE_MATRIX,
    BLOCK_MODE_VECTOR,
    BLOCK_MODE_SMALL_CHANNEL,
    BLOCK_MODE_DEPTHWISE
};
enum class DeqScale : uint8_t { DEQ_NONE = 0, DEQ, VDEQ, DEQ8, VDEQ8, DEQ16, VDEQ16 };

// What a DataCopy between CO1 and UB does besides moving (cube.md 5.4). No effect on other paths.
struct DataCopyEnhancedParams {
    constexpr DataCopyEnhancedParams() = default;
    constexpr DataCopyEnhancedParams(BlockMode block, DeqScale scale, uint64_t value, uint8_t store_mode, bool relu,
                                     pad_t pad, uint64_t pad_value)
        : blockMode(block),
          deqScale(scale),
          deqValue(value),
          sidStoreMode(store_mode),
          isRelu(relu),
          padMode(pad),
          padValue(pad_value) {}
    BlockMode blockMode = BlockMode::BLOCK_MODE_NORMAL;
    DeqScale deqScale = DeqScale::DEQ_NONE;
    uint64_t deqValue = 0;
    uint8_t sidStoreMode = 0;
    bool isRelu = false;
    pad_t padMode = PAD_NONE;
    uint64_t padValue = 0;
};

// Rows to fractals and back (framework.md 3.5).
struct Nd2NzParams {
    constexpr Nd2NzParams() = default;
    constexpr Nd2NzParams(uint16_t nd, uint16_t n, uint16_t d, uint16_t src_nd_stride, uint16_t src_d,
                          uint16_t dst_c0_stride, uint16_t dst_n_stride, uint16_t dst_nd_stride)
        : ndNum(nd),
          nValue(n),
          dValue(d),
          srcNdMatrixStride(src_nd_stride),
          srcDValue(src_d),
          dstNzC0Stride(dst_c0_stride),
          dstNzNStride(dst_n_stride),
          dstNzMatrixStride(dst_nd_stride) {}
    uint16_t ndNum = 0;
    uint16_t nValue = 0;
    uint16_t dValue = 0;
    uint16_t srcNdMatrixStride = 0;  // elements
    uint16_t srcDValue = 0;          // elements
    uint16_t dstNzC0Stride = 0;      // 32 bytes
    uint16_t dstNzNStride = 0;       // 32 bytes
    uint16_t dstNzMatrixStride = 0;  // elements
};
struct Nz2NdParamsFull {
    constexpr Nz2NdParamsFull() = default;
    constexpr Nz2NdParamsFull(uint16_t nd, uint16_t n, uint16_t d, uint16_t src_nd_stride, uint16_t src_n_stride,
                              uint16_t dst_d_stride, uint16_t dst_nd_stride)
        : ndNum(nd),
          nValue(n),
          dValue(d),
          srcNdMatrixStride(src_nd_stride),
          srcNStride(src_n_stride),
          dstDStride(dst_d_stride),
          dstNdMatrixStride(dst_nd_stride) {}
    uint16_t ndNum = 0;
    uint16_t nValue = 0;
    uint16_t dValue = 0;
    uint16_t srcNdMatrixStride = 0;  // 256 elements
    uint16_t srcNStride = 0;         // 16 elements
    uint16_t dstDStride = 0;         // elements
    uint16_t dstNdMatrixStride = 0;  // elements
};

// A dimension of a DataCopy of slices, the innermost first (framework.md 3.5). Of dimension 0 the slices have burstLen
// blocks of 32 bytes, of a higher one an index; `stride` elements, or indices, lie between two.
struct SliceInfo {
    constexpr SliceInfo() = default;
    constexpr SliceInfo(uint32_t start, uint32_t end, uint32_t between, uint32_t burst, uint32_t shape = 0)
        : startIndex(start), endIndex(end), stride(between), burstLen(burst), shapeValue(shape) {}
    uint32_t startIndex = 0;
    uint32_t endIndex = 0;  // the last element that belongs to a slice
    uint32_t stride = 0;
    uint32_t burstLen = 0;
    uint32_t shapeValue = 0;  // of the whole tensor in this dimension
};

// Fill (framework.md 3.9). Ascend910 and Ascend310P have the form of two arguments only.
template <class T>
struct InitConstValueParams {
    constexpr InitConstValueParams() = default;
    constexpr InitConstValueParams(uint16_t repeats, uint16_t blocks, uint16_t gap, T value)
        : repeatTimes(repeats), blockNum(blocks), dstGap(gap), initValue(value) {}
    constexpr InitConstValueParams(uint16_t repeats, T value) : repeatTimes(repeats), initValue(value) {}
    uint16_t repeatTimes = 0;
    uint16_t blockNum = 0;  // 32 bytes in L1, 512 bytes in L0A and L0B
    uint16_t dstGap = 0;    // as blockNum, end to start
    T initValue = T();
};

}  // namespace AscendC
