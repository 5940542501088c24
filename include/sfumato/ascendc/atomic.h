// SPDX-License-Identifier: Apache-2.0
// What later moves to global memory do with the elements that are there (framework.md 3.10).
#pragma once

#include "sfumato/ascendc/issue_copy.h"

namespace AscendC {

template <class T>
void SetAtomicAdd(SFUMATO_AT) {
    sfa::SetAtomic(sfa::AtomicMode::kAdd, sfa::kTypeOf<T>, where);
}
template <class T>
void SetAtomicMax(SFUMATO_AT) {
    sfa::SetAtomic(sfa::AtomicMode::kMax, sfa::kTypeOf<T>, where);
}
template <class T>
void SetAtomicMin(SFUMATO_AT) {
    sfa::SetAtomic(sfa::AtomicMode::kMin, sfa::kTypeOf<T>, where);
}
// Another element type for the mode in force.
template <class T>
void SetAtomicType(SFUMATO_AT) {
    sfa::SetAtomicElement(sfa::kTypeOf<T>, where);
}
inline void SetAtomicNone() { sfa::ClearAtomic(); }
inline void DisableDmaAtomic() { sfa::ClearAtomic(); }

}  // namespace AscendC
