// SPDX-License-Identifier: Apache-2.0
// Flags and barriers (framework.md 2.3).
#pragma once

#include "sfumato/ascendc/issue.h"

namespace AscendC {

template <pipe_t src, pipe_t dst>
class TQueSync {
public:
    void SetFlag(TEventID id, SFUMATO_AT) {
        sfumato_::set_flag(sfumato_::EventOf(src, dst, "SetFlag", where), id, where);
    }
    void WaitFlag(TEventID id, SFUMATO_AT) {
        sfumato_::wait_flag(sfumato_::EventOf(src, dst, "WaitFlag", where), id, where);
    }
};

}  // namespace AscendC

#include "sfumato/ascendc/calls/sync.h"
