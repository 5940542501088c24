// SPDX-License-Identifier: Apache-2.0
// DataCopy and DataCopyPad that keep the layout, on every path (framework.md 3.3, 3.4, 3.7).
#pragma once

#include "sfumato/ascendc/ends.h"

namespace sfumato::ascendc {

// A move of so many elements, or of blocks with gaps.
template <class Dst, class Src, class Shape>
MoveCall Moving(const Dst& dst, const Src& src, const Shape& shape, Where where) {
    auto call = Join<MoveCall>(dst, src, where);
    if constexpr (std::is_integral_v<Shape>) {
        call.by_count = true;
        call.block_len = shape;
    } else {
        call.block_count = shape.blockCount;
        call.block_len = shape.blockLen;
        call.src_gap = shape.srcStride;
        call.dst_gap = shape.dstStride;
    }
    return call;
}

}  // namespace sfumato::ascendc

namespace AscendC {

// count elements, contiguous; bytes are rounded down to a multiple of 32.
template <class T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, uint32_t count, SFUMATO_AT) {
    sfumato_::data_move(sfumato_::Moving(dst, src, count, where));
}
template <class T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, uint32_t count, SFUMATO_AT) {
    sfumato_::data_move(sfumato_::Moving(dst, src, count, where));
}
template <class T>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t count, SFUMATO_AT) {
    sfumato_::data_move(sfumato_::Moving(dst, src, count, where));
}

// Blocks with gaps, in units of 32 bytes (bias table 64, Fixpipe buffer 128).
template <class T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& params, SFUMATO_AT) {
    sfumato_::data_move(sfumato_::Moving(dst, src, params, where));
}
template <class T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& params, SFUMATO_AT) {
    sfumato_::data_move(sfumato_::Moving(dst, src, params, where));
}
// T and U differ on the way to the bias table only: half becomes float.
template <class T, class U>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyParams& params, SFUMATO_AT) {
    sfumato_::data_move(sfumato_::Moving(dst, src, params, where));
}

// Blocks of any number of bytes; on the way to UB padded to 32 bytes. The older forms take DataCopyParams, lengths in
// bytes too.
template <class T>
void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyExtParams& params,
                 const DataCopyPadExtParams<std::type_identity_t<T>>& pad, SFUMATO_AT) {
    auto call = sfumato_::Moving(dst, src, params, where);
    call.is_pad = pad.isPad;
    call.left = pad.leftPadding;
    call.right = pad.rightPadding;
    call.pad_value = sfumato_::ToBits(pad.paddingValue);
    sfumato_::data_move_pad(call);
}
template <class T>
void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& params,
                 const DataCopyPadParams& pad, SFUMATO_AT) {
    auto call = sfumato_::Moving(dst, src, params, where);
    call.is_pad = pad.isPad;
    call.left = pad.leftPadding;
    call.right = pad.rightPadding;
    call.pad_value = pad.paddingValue;
    sfumato_::data_move_pad(call);
}
template <class T>
void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyExtParams& params, SFUMATO_AT) {
    sfumato_::data_move_pad(sfumato_::Moving(dst, src, params, where));
}
template <class T>
void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& params, SFUMATO_AT) {
    sfumato_::data_move_pad(sfumato_::Moving(dst, src, params, where));
}

// What DataCopyPad fills in when isPad is false and padding is asked for.
template <class T, TPosition pos = TPosition::MAX>
void SetPadValue(T value, SFUMATO_AT) {
    sfumato_::SetPadRegister(sfumato_::ToBits(value), where);
}

}  // namespace AscendC
