// SPDX-License-Identifier: Apache-2.0
// What kernels cast the context of a group to, declared from the tables of ranks.md 6.2 and 6.3.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sfumato::contexts {

struct TwoAddresses {
    uint64_t host, device;
};
struct Relation {
    uint32_t rank, world_rank;
    uint64_t in, out, exp;
    uint64_t heads[4];
};
struct OperationResource {
    uint64_t workspace, workspace_bytes;
    uint32_t rank, ranks;
    uint64_t window_bytes, in, out;
    char name[128];
    uint64_t exp_bytes, exp;
    uint32_t start, step;
    uint64_t version;
    uint8_t local[2472];
    uint32_t topology_rank, topology_ranks;
    int32_t device;
    uint32_t topology_unused[2], pods, topology_more[3], servers;
    uint8_t topology_rest[120];
    uint8_t deterministic;
    uint8_t configuration_unused[15];
    uint64_t notify_wait;
    uint8_t configuration_rest[24];
    uint64_t states[3];
    uint8_t reserved[64];
    uint32_t notify_bytes, remote_count;
    TwoAddresses remote[131072];
};
static_assert(sizeof(Relation) == 64);
static_assert(offsetof(OperationResource, local) == 208);
static_assert(offsetof(OperationResource, topology_rank) == 2680);
static_assert(offsetof(OperationResource, deterministic) == 2840);
static_assert(offsetof(OperationResource, states) == 2888);
static_assert(offsetof(OperationResource, notify_bytes) == 2976);
static_assert(offsetof(OperationResource, remote) == 2984 && sizeof(OperationResource) == 2100136);
struct Detail {
    uint64_t bytes, address;
    uint32_t key;
};
struct Memories {
    uint32_t count, bytes;
    const Detail* list;
};
struct Rma {
    uint32_t rank, ranks, queues, work, completion, memory;
    uint64_t rings[4];
    const Memories* memories;
};
struct CombinedParameter {
    uint64_t workspace, workspace_bytes;
    uint32_t rank, ranks;
    uint64_t window_bytes, in[32], out[32];
    uint8_t reserved[8328];
    uint8_t many;
    uint64_t data, data_bytes, rma_bytes;
    const Rma* rma;
    const uint64_t* capability;
    uint64_t capability_bytes;
};
static_assert(offsetof(CombinedParameter, many) == 8872 && sizeof(CombinedParameter) == 8928);

}  // namespace sfumato::contexts
