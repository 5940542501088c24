// SPDX-License-Identifier: Apache-2.0
// mmap(2), mremap(2), madvise(2), memfd_create(2), and the lists of mappings and pages in proc(5).
#include "system/memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <vector>

namespace sfumato::system {
namespace {

void* Map(uint64_t bytes, int protection, int sharing, void* at = nullptr) {
    void* const mapping = mmap(at, bytes, protection, sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return mapping == MAP_FAILED ? nullptr : mapping;
}

uint64_t BytesOfPages(int which) {
    return static_cast<uint64_t>(std::max(sysconf(which), 0L)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

void* ReserveAddresses(uint64_t bytes) { return Map(bytes, PROT_NONE, MAP_PRIVATE); }

void* ReserveAddressesAt(uintptr_t at, uint64_t bytes) {
    void* const there = reinterpret_cast<void*>(at);
    void* const mapping = Map(bytes, PROT_NONE, MAP_PRIVATE | MAP_FIXED_NOREPLACE, there);
    if (mapping == there || !mapping) return mapping;
    munmap(mapping, bytes);  // kernels before 4.17 take the address for a wish
    return nullptr;
}

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

int FileFilledWith(uint8_t byte, uint64_t bytes) {
    const int file = memfd_create("filled", MFD_CLOEXEC);
    const std::vector<uint8_t> filled(bytes, byte);
    if (file >= 0 && write(file, filled.data(), bytes) == static_cast<ssize_t>(bytes)) return file;
    if (file >= 0) close(file);
    return -1;
}

bool ShowFileAt(int file, uint64_t bytes, void* there) {
    return mmap(there, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, 0) != MAP_FAILED;
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

std::vector<bool> PagesInUse(uintptr_t address, uint64_t bytes) {
    const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    const uintptr_t first = address / page, end = (address + bytes + page - 1) / page;
    std::vector<uint64_t> entries(end - first);
    const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (file < 0) return {};
    const uint64_t size = entries.size() * sizeof(uint64_t);
    const auto got = pread(file, entries.data(), size, static_cast<off_t>(first * sizeof(uint64_t)));
    close(file);
    if (got != static_cast<ssize_t>(size)) return {};
    std::vector<bool> used;
    for (const uint64_t entry : entries) used.push_back(entry >> 62 != 0);  // in memory, or swapped out
    return used;
}

uint64_t TotalMemory() { return BytesOfPages(_SC_PHYS_PAGES); }

uint64_t FreeMemory() { return BytesOfPages(_SC_AVPHYS_PAGES); }

}  // namespace sfumato::system
