// SPDX-License-Identifier: Apache-2.0
// What later moves to global memory do with the elements that are there (framework.md 3.10).
#pragma once

#include "sfumato/ascendc/issue_copy.h"

namespace AscendC {

template <class T>
void SetAtomicAdd(SFUMATO_AT) {
    sfumato_::SetAtomic(sfumato_::AtomicMode::kAdd, sfumato_::kTypeOf<T>, where);
}
template <class T>
void SetAtomicMax(SFUMATO_AT) {
    sfumato_::SetAtomic(sfumato_::AtomicMode::kMax, sfumato_::kTypeOf<T>, where);
}
template <class T>
void SetAtomicMin(SFUMATO_AT) {
    sfumato_::SetAtomic(sfumato_::AtomicMode::kMin, sfumato_::kTypeOf<T>, where);
}
// Another element type for the mode in force.
template <class T>
void SetAtomicType(SFUMATO_AT) {
    sfumato_::SetAtomicElement(sfumato_::kTypeOf<T>, where);
}
inline void SetAtomicNone() { sfumato_::ClearAtomic(); }
inline void DisableDmaAtomic() { sfumato_::ClearAtomic(); }

}  // namespace AscendC
