// SPDX-License-Identifier: Apache-2.0
// Where a debugger begins to read.
#include "sfumato/debugger.h"

#include <array>
#include <cstddef>

#include "frontends/ascendc/context.h"

// What readers of version 1 know: another layout is another version.
namespace sfumato::debug {
static_assert(kVersion == 1);
static_assert(sizeof(List) == 24 && sizeof(Where) == 16);
static_assert(sizeof(Block) == 32 && offsetof(Block, last) == 8 && offsetof(Block, state) == 24);
static_assert(sizeof(Queue) == 56 && offsetof(Queue, depth) == 4 && offsetof(Queue, taken) == 16 &&
              offsetof(Queue, parts) == 32);
static_assert(sizeof(Buffer) == 40 && offsetof(Buffer, address) == 8 && offsetof(Buffer, taken) == 24);
static_assert(sizeof(Pool) == 32 && sizeof(Pipe) == 104 && sizeof(Allocation) == 32 && sizeof(Core) == 72);
static_assert(sizeof(Library) == 48 && offsetof(Library, memory_names) == 16);
}  // namespace sfumato::debug

namespace sfumato::ascendc {
namespace {

constexpr uint32_t kPositions = static_cast<uint32_t>(AscendC::TPosition::MAX);

template <size_t count, class Of>
std::array<const char*, count> Names() {
    std::array<const char*, count> names;
    for (size_t i = 0; i < count; ++i) names[i] = Name(static_cast<Of>(i));
    return names;
}
const auto memory_names = Names<isa::kMemoryCount, isa::Memory>();
const auto position_names = Names<kPositions, AscendC::TPosition>();

// The same in every thread: t_core is initial-exec.
int64_t CoreAt() {
    return reinterpret_cast<intptr_t>(&runtime::t_core) - reinterpret_cast<intptr_t>(__builtin_thread_pointer());
}

}  // namespace
}  // namespace sfumato::ascendc

const sfumato::debug::Library sfumato_debug = {sfumato::debug::kVersion,
                                               sfumato::isa::kMemoryCount,
                                               sfumato::ascendc::kPositions,
                                               sfumato::ascendc::memory_names.data(),
                                               sfumato::ascendc::position_names.data(),
                                               sfumato::ascendc::CoreAt(),
                                               offsetof(sfumato::runtime::ScalarPort, shown)};
