// SPDX-License-Identifier: Apache-2.0
// The program and the libraries that are loaded, as the dynamic linker lists them.
#pragma once

#include <cstddef>
#include <cstdint>

struct dl_phdr_info;

namespace sfumato::system {

struct Addresses {
    uintptr_t begin = 0, bytes = 0;
    // Whether all of `count` bytes from `address` on lie here.
    bool Hold(uintptr_t address, uint64_t count = 1) const {
        return address >= begin && address - begin < bytes && count <= bytes - (address - begin);
    }
};

// The module that an address lies in.
struct ModuleFile {
    uintptr_t first = 0;         // its first address
    uintptr_t base = 0;          // what the addresses of its file count from
    const char* path = nullptr;  // opens its file; nullptr: the address lies in no module
};
ModuleFile ModuleAt(const void* address);

// A module while VisitModules shows it.
class Module {
public:
    explicit Module(const dl_phdr_info* info) : info_(info) {}
    // What the addresses of its file count from.
    uintptr_t base() const;
    // Its parts; one that is not in memory has no bytes.
    size_t parts() const;
    Addresses part(size_t number) const;
    // The part with the address; no bytes: none has it.
    Addresses PartWith(uintptr_t address) const;
    // Its thread_local variables of this thread, which begin at 0 while the thread has touched none.
    Addresses variables() const;
    // Its table of frames (.eh_frame_hdr); nullptr: it has none.
    const uint8_t* frame_table() const;

private:
    const dl_phdr_info* info_;
};

bool VisitModulesWith(bool (*visit)(const Module& module, void* data), void* data);

// Calls visit(module) for each, the program first, until one call is true; whether one was. Allocates nothing; holds
// the dynamic linker's lock meanwhile.
template <class Visit>
bool VisitModules(const Visit& visit) {
    const auto call = [](const Module& module, void* data) { return (*static_cast<const Visit*>(data))(module); };
    return VisitModulesWith(call, const_cast<Visit*>(&visit));
}

}  // namespace sfumato::system
