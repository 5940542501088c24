// SPDX-License-Identifier: Apache-2.0
// What a framework asks and tells of captured streams (docs/spec/clients.md 3.4). Its own work, beside launches, comes
// here; aclmdlRICaptureBegin and its like are in acl/acl_rt.h.
#pragma once

#include <functional>
#include <memory>

#include "sfumato/host/watch.h"

namespace sfumato::host {

// Whether a capture of the stream is open, and whether its work is kept for later: then, or since it waits for an event
// that was not recorded, or since it updates a group of tasks.
SFUMATO_API bool IsCaptured(const void* stream);
SFUMATO_API bool KeepsWork(const void* stream);
// False: the stream keeps no work, and the caller does it now.
SFUMATO_API bool KeepWork(void* stream, const std::function<void()>& work);
// Keeps what replays need alive until the model of the stream's capture is destroyed. False: it is not captured.
SFUMATO_API bool HoldForCapture(const void* stream, const std::shared_ptr<void>& what);

// What the host may not do while a stream is captured: wait for it or for the device, copy to or from memory that is
// not pinned.
enum class HostAct : unsigned char { kWaitForStream, kWaitForDevice, kCopyPageable };
// True: take(refusal, text) has been told why the host may not do it now.
SFUMATO_API bool Forbidden(HostAct act, const void* stream, TakeText take, void* refusal);

}  // namespace sfumato::host
