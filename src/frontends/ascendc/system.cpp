// SPDX-License-Identifier: Apache-2.0
// Where am I, kernel types, and the queue calls of the headers (framework.md 4.1, 4.2).
#include <fmt/format.h>

#include <optional>

#include "frontends/ascendc/framework.h"
#include "runtime/cores/core_reports.h"
#include "runtime/code/task_types.h"
#include "runtime/launch/launch_state.h"
#include "sfumato/ascendc/system.h"

namespace sfumato::ascendc {

using runtime::TaskType;

int64_t BlockIdx() {
    const auto& place = ThisCore("GetBlockIdx").place();
    return place.kind == isa::CoreKind::kVector ? int64_t{place.block} * place.ratio + place.sub_block : place.block;
}
int64_t BlockNum() { return ThisCore("GetBlockNum").launch().blocks; }
int64_t RawBlockIdx() { return ThisCore("block_idx").place().block; }
int64_t SubBlockIdx() { return ThisCore("GetSubBlockIdx").place().sub_block; }
int64_t SubBlockNum() {
    const auto& place = ThisCore("GetSubBlockNum").place();
    return place.kind == isa::CoreKind::kVector ? place.ratio : 1;
}
int64_t TaskRatio() {
    const auto& place = ThisCore("GetTaskRatio").place();
    return place.kind == isa::CoreKind::kVector ? place.ratio : 1;
}
bool IsVectorCore() { return ThisCore("ASCEND_IS_AIV").place().kind != isa::CoreKind::kCube; }
bool IsCubeCore() { return ThisCore("ASCEND_IS_AIC").place().kind != isa::CoreKind::kVector; }

// The counter of A2/A3 counts at 50 MHz. Here every instruction and every call counts as 20 (assumed): the same in
// every run, and a loop until a time ends.
int64_t SystemCycle() { return static_cast<int64_t>(20 * ThisCore("GetSystemCycle").NextCycle()); }

namespace {
// In the order of KernelMetaType.
const char* TaskTypeName(int number) {
    constexpr const char* kNames[] = {
        "KERNEL_TYPE_AIV_ONLY",    "KERNEL_TYPE_AIC_ONLY",       "KERNEL_TYPE_MIX_AIV_1_0", "KERNEL_TYPE_MIX_AIC_1_0",
        "KERNEL_TYPE_MIX_AIC_1_1", "KERNEL_TYPE_MIX_AIC_1_2",    "KERNEL_TYPE_AICORE",      "KERNEL_TYPE_VECTORCORE",
        "KERNEL_TYPE_MIX_AICORE",  "KERNEL_TYPE_MIX_VECTOR_CORE"};
    return number >= 0 && number < static_cast<int>(std::size(kNames)) ? kNames[number] : "no KernelMetaType";
}

// Of the chips with separate cores.
std::optional<TaskType> MetaTypeOf(int number) {
    switch (static_cast<KernelMetaType>(number)) {
        case KERNEL_TYPE_AIV_ONLY: return TaskType::kAivOnly;
        case KERNEL_TYPE_AIC_ONLY: return TaskType::kAicOnly;
        case KERNEL_TYPE_MIX_AIV_1_0: return TaskType::kMixAiv10;
        case KERNEL_TYPE_MIX_AIC_1_0: return TaskType::kMixAic10;
        case KERNEL_TYPE_MIX_AIC_1_1: return TaskType::kMixAic11;
        case KERNEL_TYPE_MIX_AIC_1_2: return TaskType::kMixAic12;
        default: return std::nullopt;
    }
}
}  // namespace

TaskTypeNote::TaskTypeNote(const char* closure_type, int number, bool every_key, uint64_t key, Where where) {
    const auto type = MetaTypeOf(number);
    if (!type) return;
    runtime::NoteTaskType({this, runtime::EnclosingFunction(closure_type), *type,
                           every_key ? std::nullopt : std::optional<uint64_t>(key), where});
}
TaskTypeNote::~TaskTypeNote() { runtime::ForgetTaskType(this); }

void DeclareTaskType(int number, Where where) {
    runtime::Core& core = ThisCore("KERNEL_TASK_TYPE");
    const bool split = core.chip().split_cores;
    const bool coupled = number == KERNEL_TYPE_AICORE || number == KERNEL_TYPE_MIX_VECTOR_CORE;
    const auto type = MetaTypeOf(number);
    if (type && split) return runtime::DeclareTaskType(core, *type, TaskTypeName(number), where);
    if (type || (coupled && !split)) return;
    Find(core, "KERNEL_TASK_TYPE", where,
         {Rule::kTaskTypeUnsupported, "", fmt::format("{} does not run kernels of this type", core.chip().name),
          TaskTypeName(number),
          split ? "KERNEL_TYPE_AIV_ONLY, AIC_ONLY, MIX_AIV_1_0, MIX_AIC_1_0, MIX_AIC_1_1, MIX_AIC_1_2"
                : "KERNEL_TYPE_AICORE, KERNEL_TYPE_MIX_VECTOR_CORE",
          ""});
}

void Trap(Where where) {
    runtime::Core& core = ThisCore("Trap");
    Find(core, "Trap", where, {Rule::kTrap, "", "the kernel stopped itself", "Trap()", "", ""});
    core.stopping().Now();
}

namespace {
Framework& Here(const char* call) { return Framework::Of(ThisCore(call)); }
// The same of a call that only kernels of their own make.
Framework& Unlisted(const char* call, Where where) {
    runtime::Core& core = ThisCore(call);
    NoteUnlisted(core, call, where);
    return Framework::Of(core);
}
}  // namespace

void PipeInit(void* pipe, Where where) { Here("TPipe").PipeInit(pipe, where); }
void PipeDestroy(void* pipe, bool barrier) noexcept {
    if (runtime::Core* core = runtime::CurrentCore()) Framework::Of(*core).PipeDestroy(pipe, barrier);
}
void PipeReset(void* pipe, Where where) { Here("TPipe::Reset").PipeReset(pipe, where); }
void* CurrentPipe(Where where) { return Unlisted("GetTPipePtr", where).CurrentPipe(where); }
bool InitQueue(Maker maker, QueueHandle* queue, uint32_t num, uint32_t len, Where where) {
    return Here("InitBuffer").InitQueue(maker, queue, num, len, where);
}
bool CheckOneBlock(const BufferHandle& buffer, uint32_t num, Where where) {
    return num == 1 ||
           Refuse(ThisCore("InitBuffer"), "InitBuffer", where,
                  {Rule::kBufferBlocks, Name(buffer.position), "a TBuf is one block", fmt::format("num {}", num), "1",
                   "use a TQue for several blocks, or a TBuf of their bytes together"});
}
bool InitBuffer(Maker maker, BufferHandle* buffer, uint32_t len, Where where) {
    return Here("InitBuffer").InitBuffer(maker, buffer, len, where);
}
bool InitPool(Maker maker, PoolHandle* pool, uint32_t len, const PoolHandle* share, Where where) {
    return Here("InitBufPool").InitPool(maker, pool, len, share, where);
}
void PoolReset(const PoolHandle& pool, Where where) { Here("TBufPool::Reset").PoolReset(pool, where); }
LocalView RestOf(AscendC::TPosition position, DataType type) {
    return Here("PopStackBuffer").Rest(position, type, nullptr, {});
}
void CheckPart(const BufferHandle& buffer, const LocalView& tensor, Where where) {
    Here("FreeTensor").CheckPart(buffer, tensor, where);
}
LocalView BufferGet(const BufferHandle& buffer, DataType type, uint64_t count, uint64_t byte_offset, bool whole,
                    Where where) {
    return Here("TBuf::Get").BufferGet(buffer, type, count, byte_offset, whole, where);
}
LocalView QueueAlloc(const QueueHandle& queue, DataType type, bool in_place, Where where) {
    return Here("AllocTensor").Alloc(queue, type, in_place, where);
}
bool QueueEnQue(const QueueHandle& queue, const LocalView& tensor, AscendC::TPosition from, AscendC::TPosition to,
                Where where) {
    return Here("EnQue").EnQue(queue, tensor, from, to, where);
}
LocalView QueueDeQue(const QueueHandle& queue, DataType type, AscendC::TPosition from, AscendC::TPosition to,
                     bool in_place, Where where) {
    return Here("DeQue").DeQue(queue, type, from, to, in_place, where);
}
void QueueFree(const QueueHandle& queue, const LocalView& tensor, Where where) {
    Here("FreeTensor").Free(queue, tensor, where);
}
int32_t QueueState(const QueueHandle& queue, QueueQuery query, Where where) {
    return Here("HasIdleBuffer").State(queue, query, where);
}
void QueueFreeEvents(const QueueHandle& queue, Where where) { Here("FreeAllEvent").FreeEvents(queue, where); }
int8_t AllocEvent(uint8_t event, Where where) { return Unlisted("AllocEventID", where).AllocEvent(event, where); }
void ReleaseEvent(uint8_t event, int8_t id, Where where) {
    Unlisted("ReleaseEventID", where).ReleaseEvent(event, id, where);
}
int8_t FetchEvent(uint8_t event, Where where) { return Unlisted("FetchEventID", where).FetchEvent(event, where); }

}  // namespace sfumato::ascendc
