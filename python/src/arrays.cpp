// SPDX-License-Identifier: Apache-2.0
// Asks NumPy and PyTorch whose memory an array is, and writes past the caches.
#include "arrays.h"

#include <nanobind/stl/pair.h>

#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace nb = nanobind;

namespace sfumato::python {

Part PartOf(nb::handle array, const Bytes& bytes) {
    if (bytes.size() == 0 || array.attr("base").is_none()) return {};
    const nb::object owner = nb::module_::import_("sfumato._foreign").attr("owner_of")(array);
    const auto [address, size] = nb::cast<std::pair<uint64_t, uint64_t>>(owner);
    const auto begin = reinterpret_cast<uintptr_t>(bytes.data()), end = begin + bytes.size();
    if (begin < address || end > address + size) return {};
    return {begin - address, address + size - end};
}

void CopyOut(uint8_t* to, std::span<const uint8_t> bytes) {
    const uint8_t* from = bytes.data();
    size_t left = bytes.size();
    if (left == 0) return;
#if defined(__SSE2__)
    constexpr size_t kLeast = 4 << 20, kStep = 64, kAhead = 1024;
    if (left >= kLeast) {
        const size_t head = (kStep - reinterpret_cast<uintptr_t>(to) % kStep) % kStep;
        std::memcpy(to, from, head);
        to += head, from += head, left -= head;
        for (; left >= kStep; to += kStep, from += kStep, left -= kStep) {
            _mm_prefetch(reinterpret_cast<const char*>(from + kAhead), _MM_HINT_NTA);
            for (size_t i = 0; i < kStep; i += 16) {
                const auto* source = reinterpret_cast<const __m128i*>(from + i);
                _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), _mm_loadu_si128(source));
            }
        }
        _mm_sfence();
    }
#endif
    std::memcpy(to, from, left);
}

}  // namespace sfumato::python
