// SPDX-License-Identifier: Apache-2.0
// dl_iterate_phdr(3) and dladdr1(3).
#include "system/modules.h"

#include <dlfcn.h>
#include <link.h>

namespace sfumato::system {

ModuleFile ModuleAt(const void* address) {
    Dl_info info{};
    link_map* map = nullptr;
    if (!address || dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || !map) return {};
    return {reinterpret_cast<uintptr_t>(info.dli_fbase), map->l_addr,
            map->l_name && *map->l_name ? map->l_name : "/proc/self/exe"};  // the program itself has no name there
}

uintptr_t Module::base() const { return info_->dlpi_addr; }

size_t Module::parts() const { return info_->dlpi_phnum; }

Addresses Module::part(size_t number) const {
    const auto& part = info_->dlpi_phdr[number];
    if (part.p_type != PT_LOAD) return {};
    return {info_->dlpi_addr + part.p_vaddr, part.p_memsz};
}

Addresses Module::PartWith(uintptr_t address) const {
    for (size_t i = 0; i < parts(); ++i) {
        if (const Addresses one = part(i); one.Hold(address)) return one;
    }
    return {};
}

Addresses Module::variables() const {
    for (size_t i = 0; i < parts(); ++i) {
        const auto& part = info_->dlpi_phdr[i];
        if (part.p_type == PT_TLS) return {reinterpret_cast<uintptr_t>(info_->dlpi_tls_data), part.p_memsz};
    }
    return {};
}

const uint8_t* Module::frame_table() const {
    for (size_t i = 0; i < parts(); ++i) {
        const auto& part = info_->dlpi_phdr[i];
        if (part.p_type == PT_GNU_EH_FRAME) return reinterpret_cast<const uint8_t*>(info_->dlpi_addr + part.p_vaddr);
    }
    return nullptr;
}

bool VisitModulesWith(bool (*visit)(const Module& module, void* data), void* data) {
    struct Call {
        bool (*visit)(const Module&, void*);
        void* data;
    } call{visit, data};
    const auto show = [](dl_phdr_info* info, size_t, void* of) {
        const auto& asked = *static_cast<const Call*>(of);
        return asked.visit(Module(info), asked.data) ? 1 : 0;
    };
    return dl_iterate_phdr(show, &call) != 0;
}

}  // namespace sfumato::system
