// SPDX-License-Identifier: Apache-2.0
// The pairs of pipes a flag can join, in the order of the HardEvent enum (framework.md 2.2).
#pragma once

#define SFUMATO_HARD_EVENTS                                                                                            \
    SFUMATO_HARD_EVENT(MTE2, MTE1)                                                                                     \
    SFUMATO_HARD_EVENT(MTE1, MTE2) SFUMATO_HARD_EVENT(MTE1, M) SFUMATO_HARD_EVENT(M, MTE1) SFUMATO_HARD_EVENT(MTE2, V) \
        SFUMATO_HARD_EVENT(V, MTE2) SFUMATO_HARD_EVENT(MTE3, V) SFUMATO_HARD_EVENT(V, MTE3) SFUMATO_HARD_EVENT(M, V)   \
            SFUMATO_HARD_EVENT(V, M) SFUMATO_HARD_EVENT(V, V) SFUMATO_HARD_EVENT(MTE3, MTE1)                           \
                SFUMATO_HARD_EVENT(MTE1, MTE3) SFUMATO_HARD_EVENT(MTE1, V) SFUMATO_HARD_EVENT(MTE2, M)                 \
                    SFUMATO_HARD_EVENT(M, MTE2) SFUMATO_HARD_EVENT(V, MTE1) SFUMATO_HARD_EVENT(M, FIX)                 \
                        SFUMATO_HARD_EVENT(FIX, M) SFUMATO_HARD_EVENT(MTE3, MTE2) SFUMATO_HARD_EVENT(MTE2, MTE3)       \
                            SFUMATO_HARD_EVENT(S, V) SFUMATO_HARD_EVENT(V, S) SFUMATO_HARD_EVENT(S, MTE2)              \
                                SFUMATO_HARD_EVENT(MTE2, S) SFUMATO_HARD_EVENT(S, MTE3) SFUMATO_HARD_EVENT(MTE3, S)    \
                                    SFUMATO_HARD_EVENT(MTE2, FIX) SFUMATO_HARD_EVENT(FIX, MTE2)                        \
                                        SFUMATO_HARD_EVENT(FIX, S) SFUMATO_HARD_EVENT(M, S)                            \
                                            SFUMATO_HARD_EVENT(FIX, MTE3) SFUMATO_HARD_EVENT(MTE1, FIX)                \
                                                SFUMATO_HARD_EVENT(FIX, MTE1)
