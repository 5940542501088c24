// SPDX-License-Identifier: Apache-2.0
// The element types and formats that host code knows and kernels cannot compare (docs/spec/clients.md 6.3).
#pragma once

// SFUMATO_X(word of DT_, number)
#define SFUMATO_GRAPH_TYPE_NUMBERS(X) \
    X(STRING, 13)                     \
    X(DUAL_SUB_INT8, 14)              \
    X(DUAL_SUB_UINT8, 15)             \
    X(COMPLEX64, 16)                  \
    X(COMPLEX128, 17)                 \
    X(QINT8, 18)                      \
    X(QINT16, 19)                     \
    X(QINT32, 20)                     \
    X(QUINT8, 21)                     \
    X(QUINT16, 22)                    \
    X(RESOURCE, 23)                   \
    X(STRING_REF, 24)                 \
    X(DUAL, 25)                       \
    X(VARIANT, 26)                    \
    X(UNDEFINED, 28)                  \
    X(UINT1, 30)                      \
    X(INT2, 31)                       \
    X(UINT2, 32)                      \
    X(COMPLEX32, 33)                  \
    X(FLOAT6_E3M2, 38)                \
    X(FLOAT6_E2M3, 39)

// SFUMATO_X(word of FORMAT_, number)
#define SFUMATO_GRAPH_FORMAT_NUMBERS(X)    \
    X(NC1C0HWPAD, 5)                       \
    X(NHWC1C0, 6)                          \
    X(FSR_NCHW, 7)                         \
    X(FRACTAL_DECONV, 8)                   \
    X(C1HWNC0, 9)                          \
    X(FRACTAL_DECONV_TRANSPOSE, 10)        \
    X(FRACTAL_DECONV_SP_STRIDE_TRANS, 11)  \
    X(NC1HWC0_C04, 12)                     \
    X(FRACTAL_Z_C04, 13)                   \
    X(CHWN, 14)                            \
    X(FRACTAL_DECONV_SP_STRIDE8_TRANS, 15) \
    X(HWCN, 16)                            \
    X(NC1KHKWHWC0, 17)                     \
    X(BN_WEIGHT, 18)                       \
    X(FILTER_HWCK, 19)                     \
    X(HASHTABLE_LOOKUP_LOOKUPS, 20)        \
    X(HASHTABLE_LOOKUP_KEYS, 21)           \
    X(HASHTABLE_LOOKUP_VALUE, 22)          \
    X(HASHTABLE_LOOKUP_OUTPUT, 23)         \
    X(HASHTABLE_LOOKUP_HITS, 24)           \
    X(C1HWNCoC0, 25)                       \
    X(MD, 26)                              \
    X(FRACTAL_ZZ, 28)                      \
    X(DHWCN, 31)                           \
    X(NDC1HWC0, 32)                        \
    X(FRACTAL_Z_3D, 33)                    \
    X(CN, 34)                              \
    X(NC, 35)                              \
    X(DHWNC, 36)                           \
    X(FRACTAL_Z_3D_TRANSPOSE, 37)          \
    X(FRACTAL_ZN_LSTM, 38)                 \
    X(FRACTAL_Z_G, 39)                     \
    X(RESERVED, 40)                        \
    X(ALL, 41)                             \
    X(NULL, 42)                            \
    X(ND_RNN_BIAS, 43)                     \
    X(FRACTAL_ZN_RNN, 44)                  \
    X(NYUV, 45)                            \
    X(NYUV_A, 46)                          \
    X(FRACTAL_Z_WINO, 48)                  \
    X(C1HWC0, 49)                          \
    X(FRACTAL_NZ_C0_16, 50)                \
    X(FRACTAL_NZ_C0_32, 51)                \
    X(FRACTAL_NZ_C0_2, 52)                 \
    X(FRACTAL_NZ_C0_4, 53)                 \
    X(FRACTAL_NZ_C0_8, 54)
