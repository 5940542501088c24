// SPDX-License-Identifier: Apache-2.0
// Names of AscendC::MicroAPI, of which AscendC::Reg was made (docs/spec/reg_calls.tsv, old_names).
#pragma once

#include "sfumato/ascendc/reg/shuffles.h"
#include "sfumato/ascendc/reg/unaligned.h"

namespace AscendC {
namespace MicroAPI = Reg;
}

namespace AscendC::Reg {

// A call under an older name with one to four arguments behind the first: SFUMATO_NEW(...) is the call under the new
// one. Each is written out, since the place of the call cannot stand behind a pack.
#define SFUMATO_OLDER(Name, first, ...)                                                                                \
    SFUMATO_OLDER_OF(Name, SFUMATO_ALL(first, A&& a), SFUMATO_ALL(static_cast<A&&>(a)), __VA_ARGS__, class A)          \
    SFUMATO_OLDER_OF(Name, SFUMATO_ALL(first, A&& a, B&& b), SFUMATO_ALL(static_cast<A&&>(a), static_cast<B&&>(b)),    \
                     __VA_ARGS__, class A, class B)                                                                    \
    SFUMATO_OLDER_OF(Name, SFUMATO_ALL(first, A&& a, B&& b, C&& c),                                                    \
                     SFUMATO_ALL(static_cast<A&&>(a), static_cast<B&&>(b), static_cast<C&&>(c)), __VA_ARGS__, class A, \
                     class B, class C)                                                                                 \
    SFUMATO_OLDER_OF(Name, SFUMATO_ALL(first, A&& a, B&& b, C&& c, D&& d),                                             \
                     SFUMATO_ALL(static_cast<A&&>(a), static_cast<B&&>(b), static_cast<C&&>(c), static_cast<D&&>(d)),  \
                     __VA_ARGS__, class A, class B, class C, class D)
#define SFUMATO_ALL(...) __VA_ARGS__
#define SFUMATO_OLDER_OF(Name, parameters, arguments, ...)                       \
    template <__VA_ARGS__>                                                       \
    auto Name(parameters, SFUMATO_AT)->decltype(SFUMATO_NEW(arguments, where)) { \
        SFUMATO_NEW(arguments, where);                                           \
    }

// DataCopy loads where a register comes first, and stores where an address does.
#define SFUMATO_NEW(...) LoadAlign<T, dist>(dstReg, __VA_ARGS__)
SFUMATO_OLDER(DataCopy, U& dstReg, typename T = DefaultType, LoadDist dist = LoadDist::DIST_NORM, Register U)
SFUMATO_OLDER(DataCopy, MaskReg& dstReg, typename T = DefaultType, MaskDist dist = MaskDist::DIST_NORM)
#undef SFUMATO_NEW
#define SFUMATO_NEW(...) LoadAlign<T, postMode, dist>(dstReg, __VA_ARGS__)
SFUMATO_OLDER(DataCopy, U& dstReg, typename T = DefaultType, PostLiteral postMode, LoadDist dist = LoadDist::DIST_NORM,
              Register U)
SFUMATO_OLDER(DataCopy, MaskReg& dstReg, typename T = DefaultType, PostLiteral postMode,
              MaskDist dist = MaskDist::DIST_NORM)
#undef SFUMATO_NEW
#define SFUMATO_NEW(...) LoadAlign<T, dataMode>(dstReg, __VA_ARGS__)
SFUMATO_OLDER(DataCopy, U& dstReg, typename T = DefaultType, DataCopyMode dataMode, Register U)
#undef SFUMATO_NEW
#define SFUMATO_NEW(...) LoadAlign<T, dataMode, postMode>(dstReg, __VA_ARGS__)
SFUMATO_OLDER(DataCopy, U& dstReg, typename T = DefaultType, DataCopyMode dataMode, PostLiteral postMode, Register U)
#undef SFUMATO_NEW
#define SFUMATO_NEW(...) StoreAlign<T, dist>(dstAddr, __VA_ARGS__)
SFUMATO_OLDER(DataCopy, P* dstAddr, typename T = DefaultType, StoreDist dist = StoreDist::DIST_NORM, typename P)
#undef SFUMATO_NEW
#define SFUMATO_NEW(...) StoreAlign<T, postMode, dist>(dstAddr, __VA_ARGS__)
SFUMATO_OLDER(DataCopy, P*& dstAddr, typename T = DefaultType, PostLiteral postMode,
              StoreDist dist = StoreDist::DIST_NORM, typename P)
#undef SFUMATO_NEW
#define SFUMATO_NEW(...) StoreAlign<T, dataMode>(dstAddr, __VA_ARGS__)
SFUMATO_OLDER(DataCopy, P* dstAddr, typename T = DefaultType, DataCopyMode dataMode, typename P)
#undef SFUMATO_NEW
#define SFUMATO_NEW(...) StoreAlign<T, dataMode, postMode>(dstAddr, __VA_ARGS__)
SFUMATO_OLDER(DataCopy, P*& dstAddr, typename T = DefaultType, DataCopyMode dataMode, PostLiteral postMode, typename P)
#undef SFUMATO_NEW
template <typename T = DefaultType, MaskDist dist = MaskDist::DIST_NORM, typename P>
auto DataCopy(P* dstAddr, const MaskReg& mask, SFUMATO_AT) -> decltype(StoreAlign<T, dist>(dstAddr, mask, where)) {
    StoreAlign<T, dist>(dstAddr, mask, where);
}
template <typename T = DefaultType, MaskDist dist = MaskDist::DIST_NORM, typename P, class Offset>
auto DataCopy(P* dstAddr, const MaskReg& mask, Offset offset, SFUMATO_AT)
    -> decltype(StoreAlign<T, dist>(dstAddr, mask, offset, where)) {
    StoreAlign<T, dist>(dstAddr, mask, offset, where);
}
template <typename T = DefaultType, PostLiteral postMode, MaskDist dist = MaskDist::DIST_NORM, typename P>
void DataCopy(P*& dstAddr, const MaskReg& mask, int32_t offset, SFUMATO_AT) {
    StoreAlign<T, postMode, dist>(dstAddr, mask, offset, where);
}

#define SFUMATO_NEW(...) LoadUnAlignPre(ureg, __VA_ARGS__)
SFUMATO_OLDER(DataCopyUnAlignPre, U& ureg, class U)
#undef SFUMATO_NEW
#define SFUMATO_NEW(...) LoadUnAlign<T>(dstReg, ureg, __VA_ARGS__)
#define SFUMATO_TWO U &dstReg, UnalignRegForLoad &ureg
SFUMATO_OLDER(DataCopyUnAlign, SFUMATO_TWO, typename T = DefaultType,
              PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, Register U)
#undef SFUMATO_NEW
#undef SFUMATO_TWO
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, Register U, typename P>
void DataCopyUnAlign(P*& dstAddr, const U& srcReg, UnalignRegForStore& ureg, SFUMATO_AT) {
    StoreUnAlign<T, postMode>(dstAddr, srcReg, ureg, where);
}
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, Register U, typename P,
          class Stride>
void DataCopyUnAlign(P*& dstAddr, const U& srcReg, UnalignRegForStore& ureg, Stride stride, SFUMATO_AT) {
    StoreUnAlign<T, postMode>(dstAddr, srcReg, ureg, stride, where);
}
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, typename P>
void DataCopyUnAlignPost(P*& dstAddr, UnalignRegForStore& ureg, SFUMATO_AT) {
    StoreUnAlignPost<T>(dstAddr, ureg, where);
}
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, typename P, class Offset>
void DataCopyUnAlignPost(P*& dstAddr, UnalignRegForStore& ureg, Offset offset, SFUMATO_AT) {
    StoreUnAlignPost<T>(dstAddr, ureg, offset, where);
}
#undef SFUMATO_OLDER
#undef SFUMATO_OLDER_OF
#undef SFUMATO_ALL
template <typename T0 = DefaultType, typename T1 = DefaultType, typename T2 = DefaultType, Register T3, typename P,
          Register T4>
void DataCopyGather(T3& dstReg, P* baseAddr, const T4& index, const MaskReg& mask, SFUMATO_AT) {
    Gather<T0>(dstReg, baseAddr, index, mask, where);
}
template <typename T = DefaultType, Register U, typename P, Register S>
void DataCopyGatherB(U& dstReg, P* baseAddr, const S& index, const MaskReg& mask, SFUMATO_AT) {
    GatherB<T>(dstReg, baseAddr, index, mask, where);
}
template <typename T = DefaultType, typename U = DefaultType, typename P, Register S, Register V>
void DataCopyScatter(P* baseAddr, const S& srcReg, const V& index, const MaskReg& mask, SFUMATO_AT) {
    Scatter<T, U>(baseAddr, srcReg, index, mask, where);
}

}  // namespace AscendC::Reg
