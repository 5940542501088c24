// SPDX-License-Identifier: Apache-2.0
// mmap(2), mremap(2), madvise(2), and the list of mappings in proc(5).
#include "system/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace sfumato::system {
namespace {

void* Map(uint64_t bytes, int protection, int sharing) {
    void* const mapping = mmap(nullptr, bytes, protection, sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return mapping == MAP_FAILED ? nullptr : mapping;
}

uint64_t BytesOfPages(int which) {
    return static_cast<uint64_t>(std::max(sysconf(which), 0L)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

void* ReserveAddresses(uint64_t bytes) { return Map(bytes, PROT_NONE, MAP_PRIVATE); }

void* ReserveZeros(uint64_t bytes) { return Map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE); }

void* ReserveShowable(uint64_t bytes) {
    void* const mapping = Map(bytes, PROT_READ | PROT_WRITE, MAP_SHARED);
    if (mapping) madvise(mapping, bytes, MADV_DONTFORK);
    return mapping;
}

bool ShowAlsoAt(void* pages, uint64_t bytes, void* there) {
    // An old size of 0: the same pages appear a second time.
    return mremap(pages, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, there) != MAP_FAILED;
}

void WishHugePages(void* pages, uint64_t bytes) { madvise(pages, bytes, MADV_HUGEPAGE); }

void WishSmallPages(void* pages, uint64_t bytes) { madvise(pages, bytes, MADV_NOHUGEPAGE); }

bool CanTouch(uintptr_t address, uint64_t bytes, bool write) {
    std::FILE* maps = std::fopen("/proc/self/maps", "re");
    if (!maps) return false;
    uintptr_t next = address;  // all before it can be
    const uintptr_t end = address + bytes;
    char line[512];
    while (next < end && std::fgets(line, sizeof line, maps)) {
        uintptr_t from = 0, to = 0;
        char read = '-', writable = '-';
        if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %c%c", &from, &to, &read, &writable) != 4) continue;
        if (from <= next && next < to && read == 'r' && (!write || writable == 'w')) next = to;
    }
    std::fclose(maps);
    return next >= end && end > address;
}

uint64_t TotalMemory() { return BytesOfPages(_SC_PHYS_PAGES); }

uint64_t FreeMemory() { return BytesOfPages(_SC_AVPHYS_PAGES); }

}  // namespace sfumato::system
