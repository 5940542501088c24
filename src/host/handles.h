// SPDX-License-Identifier: Apache-2.0
// Streams, events and contexts: tokens that are never used again, so that a destroyed one is known.
#pragma once

namespace sfumato::host {

enum class Handle : unsigned char { kStream, kEvent, kContext };

constexpr const char* Name(Handle handle) {
    constexpr const char* kNames[] = {"stream", "event", "context"};
    return kNames[static_cast<int>(handle)];
}

void* NewHandle(Handle kind);
// False when p is none.
bool RemoveHandle(Handle kind, void* p);
// nullptr is the default stream, and no other handle.
bool IsLive(Handle kind, const void* p);

}  // namespace sfumato::host
