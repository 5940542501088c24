// SPDX-License-Identifier: Apache-2.0
// The scalar unit: loads and stores of single elements, tensor arithmetic (framework.md 1.10, 1.11, 2.8).
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "frontends/ascendc/framework.h"
#include "sfumato/ascendc/tensor.h"

namespace sfumato::ascendc {
namespace {

template <class T>
uint64_t LoadAs(const uint8_t* p) {
    T bits;
    std::memcpy(&bits, p, sizeof(bits));
    return bits;
}

uint64_t Load(const uint8_t* p, DataType type, uint64_t index) {
    if (type == DataType::kInt4) return (p[index / 2] >> (index % 2 * 4)) & 15;
    p += BytesOf(type, index);
    switch (BitsOf(type)) {
        case 64: return LoadAs<uint64_t>(p);
        case 32: return LoadAs<uint32_t>(p);
        case 16: return LoadAs<uint16_t>(p);
        default: return *p;
    }
}

// Checks one element of a local tensor and returns its operand; false when it was reported.
bool Element(runtime::Core& core, const LocalView& tensor, DataType type, uint64_t index, const char* call, Where where,
             isa::Operand* operand) {
    if (!ToOperand(core, call, "tensor", tensor, type, where, operand)) return false;
    if (operand->memory != isa::Memory::kUb) {
        return Refuse(core, call, where,
                      {Rule::kScalarPosition, "tensor", "the scalar unit cannot reach this memory",
                       Name(tensor.position), "VECIN, VECOUT and VECCALC", ""});
    }
    if (index >= tensor.size || BytesOf(type, index + 1) > tensor.room) {
        return Refuse(core, call, where,
                      {Rule::kScalarIndex, "index", "the index lies outside the tensor",
                       fmt::format("index {}", static_cast<int32_t>(index)),
                       tensor.size ? fmt::format("0 to {}", tensor.size - 1) : "none: it has no elements", ""});
    }
    operand->offset += type == DataType::kInt4 ? index / 2 : BytesOf(type, index);
    return true;
}

bool Element(runtime::Core& core, const GlobalView& tensor, DataType type, uint64_t index, const char* call,
             Where where, isa::Operand* operand) {
    if (!ToOperand(core, call, "tensor", tensor, type, where, operand)) return false;
    const auto& gm = core.Gm(operand->allocation);
    if (operand->offset > operand->limit || index >= (operand->limit - operand->offset) * 8 / BitsOf(type)) {
        return Refuse(core, call, where,
                      {Rule::kScalarIndex, gm.name, "the index lies outside the tensor",
                       fmt::format("index {}", static_cast<int64_t>(index)),
                       fmt::format("'{}' has {} bytes from the tensor's start", gm.name,
                                   operand->limit - std::min(operand->offset, operand->limit)),
                       ""});
    }
    // As a move behind SetGlobalBuffer's count, inside the argument.
    if (tensor.size != 0 && index >= tensor.size &&
        !Find(core, call, where,
              {Rule::kPastTensor, gm.name, "the index lies past the end of the tensor, inside its buffer",
               fmt::format("index {}", index), fmt::format("0 to {}", tensor.size - 1),
               "give SetGlobalBuffer the number of elements that the kernel uses"}))
        return false;
    operand->elements = 0;  // told
    operand->offset += BytesOf(type, index);
    return true;
}

isa::Span SpanOfElement(const isa::Operand& o) {
    return {o.offset, o.offset + std::max<uint64_t>(1, BitsOf(o.type) / 8)};
}

// Stores are records of the scalar pipe: later pipes see them after a flag. auto_sync inserts those of UB, none of
// global memory (framework.md 2.5).
void Store(runtime::Core& core, const isa::Operand& operand, uint64_t bits, Where where) {
    core.scalar().Await(operand.memory, operand.allocation, SpanOfElement(operand), true);
    isa::Record record(isa::Opcode::scalar_store);
    record.pipe = isa::Pipe::kS;
    record.operand_count = 1;
    record.operand[0] = operand;
    record.immediate = bits;
    record.mask.count = 1;
    record.where = where;
    core.Issue(record);
    if (core.auto_sync() && operand.memory != isa::Memory::kGm) core.pipes().DrainPipe(isa::Pipe::kS);
}

// Tells of the allocation that holds an address, if one does.
void MarkGlobal(runtime::Core& core, const void* address, events::Marked marked) {
    if (!core.told().Hears<events::Marked>()) return;
    const int allocation = core.FindGm(address);
    if (allocation < 0) return;
    marked.allocation = static_cast<uint32_t>(allocation);
    core.Marks(marked);
}

}  // namespace

uint64_t LoadLocal(const LocalView& tensor, DataType type, uint64_t index, const char* call, Where where) {
    runtime::Core& core = ThisCore(call);
    isa::Operand operand;
    if (!Element(core, tensor, type, index, call, where, &operand)) return 0;
    core.scalar().Access(operand.memory, 0, SpanOfElement(operand), false, call, where);
    return Load(tensor.address, type, index);
}

void StoreLocal(const LocalView& tensor, DataType type, uint64_t index, uint64_t bits, const char* call, Where where) {
    runtime::Core& core = ThisCore(call);
    isa::Operand operand;
    if (!Element(core, tensor, type, index, call, where, &operand)) return;
    if (type == DataType::kInt4) {  // two elements a byte: rewrite the byte
        core.scalar().Await(operand.memory, 0, SpanOfElement(operand), true);
        const uint8_t byte = tensor.address[index / 2];
        bits = index % 2 ? (byte & 0x0F) | (bits & 15) << 4 : (byte & 0xF0) | (bits & 15);
        operand.type = DataType::kUint8;
    }
    Store(core, operand, bits, where);
}

void HintCache(const void* address, bool cached) {
    using As = events::Marked::As;
    MarkGlobal(ThisCore("SetL2CacheHint"), address, {.as = cached ? As::kCached : As::kUncached});
}

uint64_t LoadGlobal(const GlobalView& tensor, DataType type, uint64_t index, Where where) {
    runtime::Core& core = ThisCore("GetValue");
    isa::Operand operand;
    if (!Element(core, tensor, type, index, "GetValue", where, &operand)) return 0;
    core.polls().Reads(tensor.address + BytesOf(type, index), BytesOf(type, 1), "GetValue", where);
    const uint8_t* instead =
        core.scalar().Access(operand.memory, operand.allocation, SpanOfElement(operand), false, "GetValue", where);
    return instead ? Load(instead, type, type == DataType::kInt4 ? index % 2 : 0) : Load(tensor.address, type, index);
}

void StoreGlobal(const GlobalView& tensor, DataType type, uint64_t index, uint64_t bits, Where where) {
    runtime::Core& core = ThisCore("SetValue");
    isa::Operand operand;
    if (!Element(core, tensor, type, index, "SetValue", where, &operand)) return;
    if (core.Gm(operand.allocation).constant) {
        RefuseConstant(core, "SetValue", operand.allocation, where);
        return;
    }
    Store(core, operand, bits, where);
}

uint8_t* ScalarPointer(const LocalView& tensor, DataType type, uint64_t index, const char* call, Where where) {
    runtime::Core& core = ThisCore(call);
    isa::Operand operand;
    if (!Element(core, tensor, type, index, call, where, &operand)) return Framework::Of(core).Nowhere();
    return core.scalar().Refer(operand.memory, 0, SpanOfElement(operand), tensor.address + BytesOf(type, index), call,
                               where);
}

uint8_t* ScalarPointer(const GlobalView& tensor, DataType type, uint64_t index, const char* call, Where where) {
    runtime::Core& core = ThisCore(call);
    isa::Operand operand;
    if (!RequireFact(core, call, &soc::Chip::global_reference, "use GetValue and SetValue", where) ||
        !Element(core, tensor, type, index, call, where, &operand)) {
        return Framework::Of(core).Nowhere();
    }
    uint8_t* const element = tensor.address + BytesOf(type, index);
    core.polls().Reads(element, BytesOf(type, 1), call, where);
    return core.scalar().Refer(operand.memory, operand.allocation, SpanOfElement(operand), element, call, where);
}

LocalView Advance(const LocalView& tensor, DataType type, uint64_t offset, Where where) {
    const uint64_t bytes = BytesOf(type, offset);
    // Inside a TBuf every slice is right, whatever Get was asked for.
    const bool of_buffer = tensor.block <= kFirstBuffer;
    if ((offset > tensor.size && !of_buffer) || bytes > tensor.room || (type == DataType::kInt4 && offset % 2 != 0)) {
        const bool odd = type == DataType::kInt4 && offset % 2 != 0;
        Find(ThisCore("operator[]"), "operator[]", where,
             {Rule::kTensorOffset, "offset",
              odd ? "an int4b_t tensor starts at whole bytes" : "the offset lies past the end of the tensor",
              fmt::format("element {}", static_cast<int64_t>(offset)),
              odd ? "an even offset"
                  : fmt::format("0 to {}", of_buffer ? uint64_t{tensor.room} * 8 / BitsOf(type) : tensor.size),
              ""});
        return {};
    }
    LocalView shifted = tensor;
    shifted.address += bytes;
    shifted.room -= static_cast<uint32_t>(bytes);
    shifted.size = offset < tensor.size || !of_buffer
                       ? shifted.size - static_cast<uint32_t>(offset)
                       : static_cast<uint32_t>(uint64_t{shifted.room} * 8 / BitsOf(type));
    return shifted;
}

namespace {
// Back towards the start of the allocation the tensor lies in: what lies before that may be another's.
GlobalView Return(const GlobalView& tensor, DataType type, uint64_t back, Where where) {
    runtime::Core& core = ThisCore("operator[]");
    const int allocation = core.FindGm(tensor.address);
    if (allocation >= 0) {
        const auto& gm = core.Gm(static_cast<uint32_t>(allocation));
        const auto before = static_cast<uint64_t>(tensor.address - core.GmBase(static_cast<uint32_t>(allocation)));
        const uint64_t most = before * 8 / BitsOf(type);
        if (back > most) {
            Find(core, "operator[]", where,
                 {Rule::kTensorOffset, gm.name, "the offset leads before the start of the global memory",
                  fmt::format("element {}", -static_cast<int64_t>(back)),
                  fmt::format("'{}' begins {} elements before the tensor", gm.name, most),
                  "check how the offset is computed"});
            return {};
        }
    }
    GlobalView shifted = tensor;
    shifted.address -= BytesOf(type, back);
    if (tensor.size != 0) shifted.size = tensor.size + back;
    return shifted;
}
}  // namespace

GlobalView Advance(const GlobalView& tensor, DataType type, uint64_t offset, Where where) {
    if (static_cast<int64_t>(offset) < 0) return Return(tensor, type, 0 - offset, where);
    GlobalView shifted = tensor;
    shifted.address += BytesOf(type, offset);
    // A tensor moved past its end has no known size left; the allocation's end is still checked.
    if (tensor.size != 0) shifted.size = tensor.size > offset ? tensor.size - offset : 0;
    return shifted;
}

void GlobalBuffer(const GlobalView& tensor, DataType type, Where where) {
    if (runtime::Core* core = runtime::CurrentCore())
        MarkGlobal(*core, tensor.address, {.as = events::Marked::As::kElements, .type = type, .where = where});
}

LocalView StaticTensor(AscendC::TPosition position, uint32_t byte_offset, DataType type, uint32_t count, Where where) {
    runtime::Core& core = ThisCore("LocalTensor");
    const bool known = static_cast<size_t>(position) < core.chip().position.size();
    const auto memory = known ? core.chip().position[static_cast<size_t>(position)] : isa::Memory::kNone;
    const uint64_t bytes = BytesOf(type, count);
    const uint64_t size = memory == isa::Memory::kGm || memory == isa::Memory::kNone ? 0 : core.chip().Bytes(memory);
    if (byte_offset % 32 != 0 || byte_offset + bytes > size) {
        Find(core, "LocalTensor", where,
             {Rule::kStaticTensor, Name(position),
              size == 0               ? fmt::format("{} has no on-chip memory behind the position", core.chip().name)
              : byte_offset % 32 != 0 ? "the byte offset is not aligned"
                                      : "the tensor does not fit the memory behind its position",
              fmt::format("{} bytes at byte offset {}", bytes, byte_offset),
              size == 0 ? "VECIN, VECOUT, VECCALC, or a cube position this chip has"
                        : fmt::format("a multiple of 32, at most {} bytes in all", size),
              ""});
        return {};
    }
    LocalView view;
    view.address = core.MemoryBase(memory) + byte_offset;
    view.size = count;
    view.room = static_cast<uint32_t>(bytes);
    view.position = position;
    return view;
}

}  // namespace sfumato::ascendc

namespace AscendC {

void ReportShapeUnset(sfumato::Where where) {
    using namespace sfumato::ascendc;
    Find(ThisCore("GetShapeInfo"), "GetShapeInfo", where,
         {sfumato::Rule::kShapeUnset, "", "the tensor has no shape", "GetShapeInfo before SetShapeInfo",
          "SetShapeInfo first", ""});
}

}  // namespace AscendC
