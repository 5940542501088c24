// SPDX-License-Identifier: Apache-2.0
// The tensors of a call as its ends, for every combination of local and global.
#pragma once

#include "sfumato/ascendc/tensor.h"

namespace sfumato::ascendc {

inline void SetDst(Ends* ends, const LocalView& view) { ends->dst = &view; }
inline void SetDst(Ends* ends, const GlobalView& view) { ends->gm = view; }
inline void SetSrc(Ends* ends, const LocalView& view) { ends->src = &view; }
inline void SetSrc(Ends* ends, const GlobalView& view) { ends->gm = view; }

// A Call, which derives from Ends, from `src` to `dst`; the tensors outlive it.
template <class Call, class Dst, class Src>
Call Join(const Dst& dst, const Src& src, Where where) {
    Call call;
    SetDst(&call, dst.view());
    SetSrc(&call, src.view());
    call.dst_type = kTypeOf<typename Dst::PrimType>;
    call.src_type = kTypeOf<typename Src::PrimType>;
    call.where = where;
    return call;
}

}  // namespace sfumato::ascendc
