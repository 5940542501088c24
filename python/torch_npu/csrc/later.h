// SPDX-License-Identifier: Apache-2.0
// Streams that keep their work for later: those that are captured, and those that wait.
#pragma once

#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <functional>
#include <string>
#include <utility>

#include "devices.h"
#include "sfumato/host/capture.h"

namespace torch_npu {

inline void* CurrentHandle() { return reinterpret_cast<void*>(Devices::CurrentStream(Devices::Current()).id()); }

// Runs work at once whatever the stream, and below autograd: what a kept piece of work consists of.
class AtOnce {
public:
    AtOnce() { ++depth; }
    ~AtOnce() { --depth; }
    AtOnce& operator=(AtOnce&&) = delete;
    static bool On() { return depth != 0; }

private:
    static inline thread_local int depth = 0;
    at::AutoDispatchBelowADInplaceOrView below_;
    // Nor do modes of the caller's see it.
    c10::impl::ExcludeDispatchKeyGuard plain_{
        c10::DispatchKeySet({c10::DispatchKey::Python, c10::DispatchKey::PythonTLSSnapshot})};
};

inline bool KeepsWork() { return !AtOnce::On() && sfumato::host::KeepsWork(CurrentHandle()); }
inline void Keep(std::function<void()> work) {
    sfumato::host::KeepWork(CurrentHandle(), [work = std::move(work)] {
        const AtOnce now;
        work();
    });
}
// Throws where the host may not do it now.
inline void CheckAllowed(sfumato::host::HostAct act, const void* stream) {
    std::string why;
    TORCH_CHECK(!sfumato::host::Forbidden(act, stream, &sfumato::host::TakeString, &why), why);
}

}  // namespace torch_npu
