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
#ifdef SFUMATO_RACY
#define SFUMATO_RACES_ARE_TOLD true
#else
#define SFUMATO_RACY
#define SFUMATO_RACES_ARE_TOLD false
#endif

namespace sfumato::isa {

// ThreadSanitizer watches.
constexpr bool kRacesAreTold = SFUMATO_RACES_ARE_TOLD;
#undef SFUMATO_RACES_ARE_TOLD

// The words that fit, where they are aligned.
template <class Word>
SFUMATO_RACY inline void CopyWordsRacy(uint8_t*& to, const uint8_t*& from, size_t& bytes) {
    using Any [[gnu::may_alias]] = Word;
    for (; bytes >= sizeof(Word) && reinterpret_cast<uintptr_t>(from) % sizeof(Word) == 0; bytes -= sizeof(Word)) {
        const Word word = *reinterpret_cast<const volatile Any*>(from);
        __builtin_memcpy(to, &word, sizeof(word));
        to += sizeof(Word);
        from += sizeof(Word);
    }
}

// memcpy calls would be intercepted. Words are read whole, as a core reads them.
SFUMATO_RACY inline void CopyRacy(uint8_t* to, const uint8_t* from, size_t bytes) {
    CopyWordsRacy<uint64_t>(to, from, bytes);
    CopyWordsRacy<uint32_t>(to, from, bytes);
    CopyWordsRacy<uint8_t>(to, from, bytes);
}

}  // namespace sfumato::isa
