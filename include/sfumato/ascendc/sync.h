// SPDX-License-Identifier: Apache-2.0
// Flags and barriers (framework.md 2.3).
#pragma once

#include "sfumato/ascendc/issue.h"

namespace AscendC {

template <HardEvent event>
void SetFlag(int32_t id, SFUMATO_AT) {
    sfumato_::set_flag(static_cast<uint8_t>(event), id, where);
}
template <HardEvent event>
void WaitFlag(int32_t id, SFUMATO_AT) {
    sfumato_::wait_flag(static_cast<uint8_t>(event), id, where);
}
template <pipe_t pipe>
void PipeBarrier(SFUMATO_AT) {
    static_assert(pipe != PIPE_S,
                  "PipeBarrier: PIPE_S is in order by itself; legal are PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, "
                  "PIPE_MTE3, PIPE_FIX, PIPE_ALL");
    sfumato_::pipe_barrier(pipe, where);
}

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

// The same calls as the C layer spells them.
inline void set_flag(pipe_t from, pipe_t to, int id, SFUMATO_AT) {
    sfumato::ascendc::set_flag(sfumato::ascendc::EventOf(from, to, "SetFlag", where), id, where);
}
inline void wait_flag(pipe_t from, pipe_t to, int id, SFUMATO_AT) {
    sfumato::ascendc::wait_flag(sfumato::ascendc::EventOf(from, to, "WaitFlag", where), id, where);
}
inline void pipe_barrier(pipe_t pipe, SFUMATO_AT) { sfumato::ascendc::pipe_barrier(pipe, where); }
