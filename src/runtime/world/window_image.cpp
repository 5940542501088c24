// SPDX-License-Identifier: Apache-2.0
// Copies of windows, of the pages alone that hold something.
#include "runtime/world/window_image.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "system/memory.h"

namespace sfumato::runtime {
namespace {

// visit(offset, bytes) of the runs of pages in [base, base + bytes) that may hold something; of all where the system
// does not tell.
template <class Visit>
void ForEachPresent(const uint8_t* base, uint64_t bytes, const Visit& visit) {
    const auto address = reinterpret_cast<uintptr_t>(base);
    const std::vector<bool> used = system::PagesInUse(address, bytes);
    if (used.empty()) return visit(0, bytes);
    const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    const auto offset_of = [&](size_t i) {
        const uint64_t at = (address / page + i) * page;
        return at < address ? 0 : std::min(at - address, bytes);
    };
    for (auto from = used.begin(); (from = std::find(from, used.end(), true)) != used.end();) {
        const auto to = std::find(from, used.end(), false);
        const uint64_t at = offset_of(static_cast<size_t>(from - used.begin()));
        visit(at, offset_of(static_cast<size_t>(to - used.begin())) - at);
        from = to;
    }
}

}  // namespace

WindowImage::WindowImage(const GlobalMemory& memory, uint32_t rank) {
    const GlobalMemory::Impl& impl = *memory.impl();
    std::lock_guard lock(impl.mutex);
    for (const auto& a : impl.allocations) {
        if (!a.live || a.shared_by != rank || a.bytes == 0) continue;
        Window& window = windows_.emplace_back(Window{a.base, a.bytes, {}});
        ForEachPresent(a.base, a.bytes,
                       [&](uint64_t at, uint64_t bytes) { window.pages[at].assign(a.base + at, a.base + at + bytes); });
    }
}

void WindowImage::Restore() const {
    for (const Window& window : windows_) {
        ForEachPresent(window.base, window.bytes,
                       [&](uint64_t at, uint64_t bytes) { std::memset(window.base + at, 0, bytes); });
        for (const auto& [at, bytes] : window.pages) std::memcpy(window.base + at, bytes.data(), bytes.size());
    }
}

}  // namespace sfumato::runtime
