// SPDX-License-Identifier: Apache-2.0
// Copies of windows. Which pages are there tells /proc/self/pagemap (proc_pid_pagemap(5)): bits 63 and 62 of a page.
#include "runtime/world/window_image.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace sfumato::runtime {
namespace {

// visit(offset, bytes) of the runs of pages in [base, base + bytes) that may hold something; of all where the system
// does not tell.
template <class Visit>
void ForEachPresent(const uint8_t* base, uint64_t bytes, const Visit& visit) {
    const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<uintptr_t>(base) / page,
               end = (reinterpret_cast<uintptr_t>(base) + bytes - 1) / page + 1;
    std::vector<uint64_t> entries(end - begin);
    const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    const auto size = static_cast<ssize_t>(entries.size() * sizeof(uint64_t));
    const bool known = file >= 0 && pread(file, entries.data(), static_cast<size_t>(size),
                                          static_cast<off_t>(begin * sizeof(uint64_t))) == size;
    if (file >= 0) close(file);
    const auto present = [&](uint64_t i) { return !known || entries[i] >> 62 != 0; };
    const auto offset_of = [&](uint64_t i) {
        const uint64_t at = (begin + i) * page, first = reinterpret_cast<uintptr_t>(base);
        return at < first ? 0 : std::min(at - first, bytes);
    };
    for (uint64_t i = 0; i < entries.size(); ++i) {
        if (!present(i)) continue;
        uint64_t to = i + 1;
        while (to < entries.size() && present(to)) ++to;
        visit(offset_of(i), offset_of(to) - offset_of(i));
        i = to;
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
