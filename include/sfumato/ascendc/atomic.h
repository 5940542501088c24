// SPDX-License-Identifier: Apache-2.0
// What later moves to global memory do with the elements that are there (framework.md 3.10).
#pragma once

#include "sfumato/ascendc/issue_copy.h"

namespace AscendC {

template <class T>
void SetAtomicAdd(SFUMATO_AT) {
    sfumato::ascendc::SetAtomic(sfumato::ascendc::AtomicMode::kAdd, sfumato::ascendc::kTypeOf<T>, where);
}
template <class T>
void SetAtomicMax(SFUMATO_AT) {
    sfumato::ascendc::SetAtomic(sfumato::ascendc::AtomicMode::kMax, sfumato::ascendc::kTypeOf<T>, where);
}
template <class T>
void SetAtomicMin(SFUMATO_AT) {
    sfumato::ascendc::SetAtomic(sfumato::ascendc::AtomicMode::kMin, sfumato::ascendc::kTypeOf<T>, where);
}
// Another element type for the mode in force.
template <class T>
void SetAtomicType(SFUMATO_AT) {
    sfumato::ascendc::SetAtomicElement(sfumato::ascendc::kTypeOf<T>, where);
}
inline void SetAtomicNone() { sfumato::ascendc::ClearAtomic(); }
inline void DisableDmaAtomic() { sfumato::ascendc::ClearAtomic(); }

}  // namespace AscendC
