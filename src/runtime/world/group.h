// SPDX-License-Identifier: Apache-2.0
// A group of ranks that communicate, as kernels see it: windows that every rank of it may touch, and for each rank a
// context that says where they lie (ranks.md 6).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/memory/global_memory.h"
#include "runtime/world/context_bytes.h"
#include "runtime/world/task_server.h"
#include "runtime/world/world.h"

namespace sfumato::runtime {

struct GroupOptions {
    uint64_t window_bytes = uint64_t{200} << 20;  // of In, and of Out (HCCL_BUFFSIZE)
    bool fill = false;                            // In and Out start as 0xFE in every byte, not as zeros
    std::string chip;                             // of its ranks: their contexts go by it
};

class Group {
public:
    static constexpr uint64_t kExpBytes = uint64_t{2} << 20, kWorkspaceBytes = uint64_t{16} << 20;

    // `ranks`: numbers in the world, in the order of their places in the group; `memories`: where each of them runs its
    // launches, which must stay until they or the group end. Throws Error for ranks or names that cannot be, and for
    // more memory than the machine has; UnsupportedError for a chip without contexts, and for more ranks than its
    // contexts have room for.
    Group(World& world, std::string name, std::vector<uint32_t> ranks, const std::vector<GlobalMemory*>& memories,
          const GroupOptions& options);
    // No launch of a member may run.
    ~Group();
    Group& operator=(Group&&) = delete;

    World& world() const { return world_; }
    const std::string& name() const { return name_; }
    World::Domain domain() const { return domain_; }
    uint32_t size() const { return static_cast<uint32_t>(ranks_.size()); }
    const std::vector<uint32_t>& ranks() const { return ranks_; }
    ContextLayout layout() const { return layout_; }
    // Of a rank of the world; -1: it is no member.
    int PlaceOf(uint32_t world_rank) const;

    // Of the rank at this place; each begins at a multiple of 2 MiB, with empty addresses behind its end.
    uint8_t* In(uint32_t place) const { return At(place, kIn); }
    uint8_t* Out(uint32_t place) const { return At(place, kOut); }
    uint8_t* Exp(uint32_t place) const { return At(place, kExp); }
    uint8_t* Workspace(uint32_t place) const { return At(place, kWorkspace); }
    // The structure that kernels get; nobody can write there.
    uint8_t* Context(uint32_t place) const { return At(place, kContext); }
    uint64_t window_bytes() const { return window_bytes_; }
    // Of the clients in its kernels.
    TaskServer& server() const { return *server_; }

    // Where an address lies in it.
    enum class Part : uint8_t { kIn, kOut, kExp, kWorkspace, kContext };
    struct Place {
        Part part;
        uint32_t place;
        uint64_t offset;
    };
    // Of an address that GroupOf gave this group for; otherwise with an offset behind the part's end.
    Place Find(const void* address) const;

private:
    using enum Part;
    static constexpr uint32_t kParts = 5;
    uint64_t BytesOf(Part part) const;
    uint8_t* At(uint32_t place, Part part) const { return base_ + place * of_rank_ + begin_[static_cast<int>(part)]; }
    bool Open(bool fill);
    void WriteContexts();
    void ShareAll();
    friend Group* GroupOf(const void* address);

    World& world_;
    const std::string name_;
    const std::vector<uint32_t> ranks_;
    const std::unique_ptr<TaskServer> server_ = std::make_unique<TaskServer>(name_, ranks_);
    const std::vector<GlobalMemory*> memories_;
    const uint64_t window_bytes_;
    const ContextLayout layout_;
    const World::Domain domain_;
    uint64_t begin_[kParts];  // in the memory of a rank
    uint64_t of_rank_ = 0;    // bytes from one rank's memory to the next
    uint8_t* base_ = nullptr;
};

// The group with a window, workspace or context, of any rank, that holds the address or lies before it; null: none of
// the process.
Group* GroupOf(const void* address);
// The group of the world that is called so; null: there is none.
Group* GroupNamed(const World& world, const std::string& name);
// Of the groups that are called so: what a launch in them names when it is submitted. Names of no group are left out:
// the launch reports them.
std::vector<World::Domain> DomainsOf(const World& world, const std::vector<std::string>& names);
// "'tp', 'world'": names of the groups of a world that has the rank, for reports; "none".
std::string GroupNames(const World& world, uint32_t rank);

}  // namespace sfumato::runtime
