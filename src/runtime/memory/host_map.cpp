// SPDX-License-Identifier: Apache-2.0
// Asks the kernel and the dynamic linker.
#include "runtime/memory/host_map.h"

#include <link.h>

#include <cinttypes>
#include <cstdio>

namespace sfumato::runtime {

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

void ModuleMap::Read() {
    ranges_.clear();
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* ranges) {
            for (int i = 0; i < info->dlpi_phnum; ++i) {
                const ElfW(Phdr)& p = info->dlpi_phdr[i];
                if (p.p_type != PT_LOAD) continue;
                const uintptr_t begin = info->dlpi_addr + p.p_vaddr;
                static_cast<std::vector<Range>*>(ranges)->push_back({begin, begin + p.p_memsz, info->dlpi_addr});
            }
            return 0;
        },
        &ranges_);
}

bool ModuleMap::Holds(uintptr_t address, uint64_t bytes, bool write, const void* code) {
    if (ranges_.empty()) Read();
    const auto module_of = [this](uintptr_t a, uint64_t n) -> const Range* {
        for (const Range& r : ranges_) {
            if (a >= r.begin && a < r.end && n <= r.end - a) return &r;
        }
        return nullptr;
    };
    const Range* own = module_of(reinterpret_cast<uintptr_t>(code), 1);
    if (const Range* held = module_of(address, bytes)) return !write || (own && own->module == held->module);
    // A thread's variables move with the thread.
    struct Question {
        uintptr_t address;
        uint64_t bytes;
        bool write;
        uintptr_t module;
    } question{address, bytes, write, own ? own->module : 0};
    return dl_iterate_phdr(
               [](dl_phdr_info* info, size_t, void* asked) {
                   const auto& q = *static_cast<const Question*>(asked);
                   const auto begin = reinterpret_cast<uintptr_t>(info->dlpi_tls_data);
                   if (begin == 0 || (q.write && info->dlpi_addr != q.module)) return 0;
                   for (int i = 0; i < info->dlpi_phnum; ++i) {
                       const ElfW(Phdr)& p = info->dlpi_phdr[i];
                       if (p.p_type == PT_TLS && q.address >= begin && q.address - begin + q.bytes <= p.p_memsz)
                           return 1;
                   }
                   return 0;
               },
               &question) != 0;
}

}  // namespace sfumato::runtime
