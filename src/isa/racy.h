// SPDX-License-Identifier: Apache-2.0
// Reads of bytes that other cores may be writing, as a poll's are: whoever reads finds out later whether they were.
#pragma once

#include <cstddef>
#include <cstdint>

// A function that reads such bytes; ThreadSanitizer is not to tell.
#if defined(__SANITIZE_THREAD__)
#define SFUMATO_RACY __attribute__((no_sanitize_thread))
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SFUMATO_RACY __attribute__((no_sanitize("thread")))
#endif
#endif
#ifndef SFUMATO_RACY
#define SFUMATO_RACY
#endif

namespace sfumato::isa {

// memcpy calls would be intercepted.
SFUMATO_RACY inline void CopyRacy(uint8_t* to, const uint8_t* from, size_t bytes) {
    const auto* p = static_cast<const volatile uint8_t*>(from);
    for (size_t i = 0; i < bytes; ++i) to[i] = p[i];
}

}  // namespace sfumato::isa
