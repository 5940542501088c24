// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sfumato/data_type.h"

namespace sfumato::exec {

// Whether Cast of registers knows the pair (docs/spec/reg_cast.tsv).
bool CastsRegisters(DataType type, DataType to);

// Calls t.Add<from, to...>() for them.
template <class Table>
constexpr void AddCasts(Table& t) {
    using enum DataType;
    t.template Add<kHalf, kInt4, kInt8, kUint8, kInt16, kInt32, kFloat, kBfloat16, kHifloat8>();
    t.template Add<kBfloat16, kInt32, kFloat, kHalf, kFp4E2m1, kFp4E1m2, kFp8E8m0>();
    t.template Add<kFloat, kInt16, kInt32, kInt64, kHifloat8, kFp8E4m3, kFp8E5m2, kHalf, kBfloat16>();
    t.template Add<kHifloat8, kHalf, kFloat>();
    t.template Add<kFp8E4m3, kFloat>();
    t.template Add<kFp8E5m2, kFloat>();
    t.template Add<kFp8E8m0, kBfloat16>();
    t.template Add<kFp4E2m1, kBfloat16>();
    t.template Add<kFp4E1m2, kBfloat16>();
    t.template Add<kInt4, kHalf, kBfloat16, kInt16>();
    t.template Add<kInt8, kHalf, kInt16, kInt32>();
    t.template Add<kUint8, kHalf, kUint16, kUint32>();
    t.template Add<kInt16, kHalf, kFloat, kInt4, kUint8, kInt32, kUint32>();
    t.template Add<kUint16, kUint8, kUint32>();
    t.template Add<kInt32, kFloat, kUint8, kInt16, kUint16, kInt64>();
    t.template Add<kUint32, kUint8, kInt16, kUint16>();
    t.template Add<kInt64, kFloat, kInt32>();
}

}  // namespace sfumato::exec
