// SPDX-License-Identifier: Apache-2.0
// Raw calls that move, load and multiply, and their registers: declarations alone, from raw_calls.inc.
#pragma once

#include "sfumato/ascendc/raw_types.h"

// sid has no effect. Memories are those of the name; pointers of no type take that of the other one, or of the name.
#define SFUMATO_BURSTS uint16_t nBurst, uint16_t lenBurst, uint16_t srcGap, uint16_t dstGap
#define SFUMATO_RAW(form, ...) SFUMATO_RAW_##form(__VA_ARGS__)
#define SFUMATO_RAW_BURSTS(name, ...)                                                                      \
    SFUMATO_API void name(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src, uint8_t sid, \
                          SFUMATO_BURSTS, SFUMATO_AT);
#define SFUMATO_RAW_ALIGNED(name, ...)                                                                         \
    SFUMATO_API void name(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src, uint8_t sid,     \
                          uint16_t nBurst, uint32_t lenBurst, uint8_t leftPaddingNum, uint8_t rightPaddingNum, \
                          uint32_t srcGap, uint32_t dstGap, SFUMATO_AT);
#define SFUMATO_RAW_ND2NZ(name, ...)                                                                       \
    SFUMATO_API void name(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src, uint8_t sid, \
                          uint16_t ndNum, uint16_t nValue, uint16_t dValue, uint16_t srcNdMatrixStride,    \
                          uint16_t srcDValue, uint16_t dstNzC0Stride, uint16_t dstNzNStride,               \
                          uint16_t dstNzMatrixStride, SFUMATO_AT);
// The form of 7 arguments is of chips before Ascend910B.
#define SFUMATO_RAW_LOAD(name, ...)                                                                                \
    SFUMATO_API void name(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src, uint16_t startIndex, \
                          uint8_t repeat, uint16_t srcStride, uint16_t dstGap, uint8_t sid, bool transpose,        \
                          int addrMode, SFUMATO_AT);                                                               \
    SFUMATO_API void name(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src, uint16_t startIndex, \
                          uint8_t repeat, uint16_t srcStride, uint8_t sid, bool transpose, SFUMATO_AT);
#define SFUMATO_RAW_LOAD_S4 SFUMATO_RAW_LOAD
#define SFUMATO_RAW_LOAD_GM(name, ...)                                                                             \
    SFUMATO_API void name(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src, uint16_t startIndex, \
                          uint8_t repeat, uint16_t srcStride, uint16_t dstGap, uint8_t sid, int addrMode, SFUMATO_AT);
#define SFUMATO_RAW_LOAD_TRANSPOSE(name, ...)                                                                     \
    SFUMATO_API void name(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src, uint16_t index,     \
                          uint8_t repeat, uint16_t srcStride, uint16_t dstGap, int addrMode, uint16_t dstFracGap, \
                          SFUMATO_AT);
#define SFUMATO_RAW_IMG2COL(name, ...)                                                                                 \
    SFUMATO_API void name(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src, uint16_t kExtension,     \
                          uint16_t mExtension, uint16_t kStartPt, uint16_t mStartPt, uint8_t strideW, uint8_t strideH, \
                          uint8_t filterW, uint8_t filterH, uint8_t dilationW, uint8_t dilationH, bool filterSizeW,    \
                          bool filterSizeH, bool transpose, bool fMatrixCtrl, uint16_t channelSize, SFUMATO_AT);
#define SFUMATO_RAW_WORD(name) SFUMATO_API void name(uint64_t word, SFUMATO_AT);
#define SFUMATO_RAW_ATOMIC(name, ...) SFUMATO_API void name(SFUMATO_AT);
#define SFUMATO_RAW_ATOMIC_TYPE SFUMATO_RAW_ATOMIC
#include "sfumato/ascendc/raw_calls.inc"
#undef SFUMATO_RAW
#undef SFUMATO_RAW_BURSTS
#undef SFUMATO_RAW_ALIGNED
#undef SFUMATO_RAW_ND2NZ
#undef SFUMATO_RAW_LOAD
#undef SFUMATO_RAW_LOAD_S4
#undef SFUMATO_RAW_LOAD_GM
#undef SFUMATO_RAW_LOAD_TRANSPOSE
#undef SFUMATO_RAW_IMG2COL
#undef SFUMATO_RAW_WORD
#undef SFUMATO_RAW_ATOMIC
#undef SFUMATO_RAW_ATOMIC_TYPE

// byteMode: lenBurst counts bytes. pad: PAD_NONE.
SFUMATO_API void copy_ubuf_to_gm(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src, uint8_t sid,
                                 SFUMATO_BURSTS, bm_t byteMode, SFUMATO_AT);
SFUMATO_API void copy_gm_to_cbuf(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src, uint8_t sid,
                                 SFUMATO_BURSTS, pad_t pad, SFUMATO_AT);
SFUMATO_API void copy_cbuf_to_fbuf(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src, SFUMATO_BURSTS,
                                   SFUMATO_AT);
// dst: a byte offset in the bias table, or a pointer into it as a number. convControl 1: half to float on the way.
SFUMATO_API void copy_cbuf_to_bt(uint64_t dst, sfumato::ascendc::RawPointer src, uint16_t convControl, SFUMATO_BURSTS,
                                 SFUMATO_AT);
// Out of the cube unit: through Fixpipe, and on earlier chips to UB.
SFUMATO_API void copy_matrix_cc_to_gm(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src, uint8_t sid,
                                      uint16_t nSize, uint16_t mSize, uint32_t dstStride, uint16_t srcStride,
                                      uint8_t unitFlag, QuantMode_t quant, uint8_t relu, bool channelSplit, bool nz2nd,
                                      SFUMATO_AT);
SFUMATO_API void copy_matrix_cc_to_ubuf(sfumato::ascendc::RawPointer dst, sfumato::ascendc::RawPointer src, uint8_t sid,
                                        SFUMATO_BURSTS, ConvRelu_t mode, SFUMATO_AT);
#undef SFUMATO_BURSTS

// C of m x n, from A of m x k and B of k x n. The form of 7 arguments is of chips before Ascend910B.
#define SFUMATO_MAD(name)                                                                                          \
    SFUMATO_API void name(sfumato::ascendc::RawPointer c, sfumato::ascendc::RawPointer a,                          \
                          sfumato::ascendc::RawPointer b, uint16_t m, uint16_t k, uint16_t n, uint8_t unitFlag,    \
                          bool kDirectionAlign, bool cmatrixSource, bool cmatrixInitVal, SFUMATO_AT);              \
    SFUMATO_API void name(sfumato::ascendc::RawPointer c, sfumato::ascendc::RawPointer a,                          \
                          sfumato::ascendc::RawPointer b, uint16_t m, uint16_t k, uint16_t n, uint8_t featOffset,  \
                          uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset,        \
                          bool cmatrixSource, bool cmatrixInitVal, SFUMATO_AT);                                    \
    SFUMATO_API void name(sfumato::ascendc::RawPointer c, sfumato::ascendc::RawPointer a,                          \
                          sfumato::ascendc::RawPointer b, uint16_t m, uint16_t k, uint16_t n, bool cmatrixInitVal, \
                          SFUMATO_AT);
SFUMATO_MAD(mad)
SFUMATO_MAD(mad_s4)
#undef SFUMATO_MAD

SFUMATO_API void set_padding(sfumato::half value, SFUMATO_AT);
SFUMATO_API void set_deqscale(sfumato::half scale, SFUMATO_AT);
SFUMATO_API void set_atomic_none();
