// SPDX-License-Identifier: Apache-2.0
// Pairs of a wrong program and its corrected twin: the halves differ by the statement at fault. The wrong half must
// give one finding of its rule in one eager run, the corrected one nothing at warning or above (pairs_test.cpp).
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "kernel_operator.h"
#include "sfumato/launch.h"

namespace sfumato::pairs {

using namespace AscendC;

// One allocation of global memory. No bytes given: what memory holds that nobody wrote.
struct Memory {
    const char* name;
    GlobalMemory::Role role;
    uint64_t size;
    std::vector<uint8_t> bytes = {};
};

// After so many elements an input begins again.
inline uint32_t input_period = 4;

// 1, 2, 3, 4, 1 ...: small numbers that no sum or product of a few rounds.
template <class T>
Memory Input(const char* name, uint32_t count) {
    Memory memory{name, GlobalMemory::Role::kInput, count * sizeof(T), std::vector<uint8_t>(count * sizeof(T))};
    for (uint32_t i = 0; i < count; ++i) {
        const T value = static_cast<T>(static_cast<float>(i % input_period + 1));
        std::memcpy(memory.bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
    return memory;
}
template <class T>
Memory InOut(const char* name, uint32_t count) {
    Memory memory = Input<T>(name, count);
    memory.role = GlobalMemory::Role::kInOut;
    return memory;
}
template <class T>
Memory Output(const char* name, uint32_t count) {
    return {name, GlobalMemory::Role::kOutput, count * sizeof(T)};
}
template <class T>
Memory Workspace(const char* name, uint32_t count) {
    return {name, GlobalMemory::Role::kWorkspace, count * sizeof(T)};
}
// Cleared by the host, as counters and accumulators are.
inline Memory Zeroed(Memory memory) {
    memory.bytes.assign(memory.size, 0);
    return memory;
}

// What most pairs leave as it is here.
struct Launched {
    const char* check = "all";  // first: a list of allocations begins with none of these
    std::vector<Memory> gm = {Input<float>("x", 64), Output<float>("z", 64)};
    const char* chip = "Ascend910B1";
    CoreChoice core = CoreChoice::kDefault;
    uint32_t blocks = 1;
    bool auto_sync = true;
    std::vector<const char*> others = {};  // rules the wrong half breaks besides, each at warning or above
    bool system_workspace = false;
    const char* source = "";  // the public bug report it is rebuilt from: "owner/repository#12"
};

// {.blocks = 2} is none, as it would be of a vector.
struct Allocations {
    Allocations(std::initializer_list<Memory> list) : gm(list) {}
    Allocations(std::vector<Memory> all) : gm(std::move(all)) {}
    std::vector<Memory> gm;
};

struct Pair : Launched {
    using Program = void (*)(GM_ADDR* gm, bool wrong);  // gm[i]: the i-th allocation
    Pair(std::string its_name, const char* its_rule, Program its_program, Launched launched = {})
        : Launched(std::move(launched)), name(std::move(its_name)), rule(its_rule), program(its_program) {}
    Pair(std::string its_name, const char* its_rule, Program its_program, Allocations allocations)
        : Pair(std::move(its_name), its_rule, its_program, Launched{.gm = std::move(allocations.gm)}) {}

    std::string name;
    const char* rule;  // of the finding in the wrong half
    Program program;
};

struct Class {
    const char* name;  // of its file in reports/, too
    std::vector<Pair> (*pairs)();
};

std::vector<Pair> VectorPipePairs();
std::vector<Pair> ScalarPipePairs();
std::vector<Pair> AicPipePairs();
std::vector<Pair> AicReturnPairs();
std::vector<Pair> CoupledPipePairs();
std::vector<Pair> SamePipePairs();
std::vector<Pair> QueuePairs();
std::vector<Pair> CubeQueuePairs();
std::vector<Pair> BufferPairs();
std::vector<Pair> EventPairs();
std::vector<Pair> KernelPairs();
std::vector<Pair> StaticTensorPairs();
std::vector<Pair> ExactPairs();
std::vector<Pair> OrderPairs();
std::vector<Pair> CoreTilePairs();
std::vector<Pair> CoreSyncPairs();
std::vector<Pair> CoreAtomicPairs();
std::vector<Pair> CoreMixPairs();
std::vector<Pair> PollingPairs();
std::vector<Pair> CacheLinePairs();
std::vector<Pair> CubeBufferPairs();
std::vector<Pair> UninitialisedLanePairs();
std::vector<Pair> UninitialisedMemoryPairs();
std::vector<Pair> OutputPairs();
std::vector<Pair> NumberPairs();
std::vector<Pair> LastBitPairs();
std::vector<Pair> LeftBehindPairs();
std::vector<Pair> SourceReusedPairs();
std::vector<Pair> MatmulPairs();
std::vector<Pair> HarmlessPairs();
std::vector<Pair> ReportedPipePairs();
std::vector<Pair> ReportedCubePairs();
std::vector<Pair> ReportedCorePairs();

// The same pairs on another chip.
inline std::vector<Pair> On(const char* chip, std::vector<Pair> pairs) {
    for (Pair& pair : pairs) {
        pair.name += std::string("_on_") + (chip + std::strlen("Ascend"));
        pair.chip = chip;
    }
    return pairs;
}
// The same pairs, where the compiler inserts nothing.
inline std::vector<Pair> WithoutAutoSync(std::vector<Pair> pairs) {
    for (Pair& pair : pairs) pair.auto_sync = false;
    return pairs;
}
inline std::vector<Pair> Together(std::initializer_list<std::vector<Pair>> groups) {
    std::vector<Pair> all;
    for (const std::vector<Pair>& group : groups) all.insert(all.end(), group.begin(), group.end());
    return all;
}

// A tensor of global memory.
template <class T>
__aicore__ inline GlobalTensor<T> Gm(GM_ADDR address, uint64_t count) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(address), count);
    return tensor;
}

// The second pipe of the event waits for the first. Two on the way at once need ids of their own.
template <HardEvent event>
__aicore__ inline void Sync(TEventID id = GetTPipePtr()->FetchEventID<event>()) {
    SetFlag<event>(id);
    WaitFlag<event>(id);
}

}  // namespace sfumato::pairs
