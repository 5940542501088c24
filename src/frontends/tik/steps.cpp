// SPDX-License-Identifier: Apache-2.0
#include "frontends/tik/steps.h"

#include <fmt/format.h>

#include "isa/path.h"

namespace sfumato::tik {

using isa::Memory;
using isa::Operand;

isa::Record& Steps::Add(isa::Opcode op, isa::Pipe pipe, std::initializer_list<Operand> operands) {
    isa::Record& r = out_->emplace_back(first_);
    r.Become(op);
    r.pipe = pipe;
    for (const Operand& o : operands) r.operand[r.operand_count++] = o;
    return r;
}

void Steps::Move(const Operand& dst, const Operand& src, uint32_t count, uint64_t bytes, uint64_t dst_pitch,
                 uint64_t src_pitch) {
    Add(isa::Opcode::data_move, isa::PipeOfPath(src.memory, dst.memory), {dst, src})
        .Set(isa::Move{{count, bytes, src_pitch, dst_pitch}});
}

uint64_t Steps::Begin(Memory memory) const {
    constexpr uint64_t kAlign = 1024;  // enough in every memory
    return RoundUpTo(Nth(v_.call().taken, memory), kAlign);
}

uint64_t Steps::Room(Memory memory) const {
    const uint64_t bytes = v_.chip().Bytes(memory), begin = Begin(memory);
    return bytes > begin ? bytes - begin : 0;
}

void Steps::RequireRoom(Memory memory, uint64_t least) const {
    const uint64_t room = Room(memory);
    if (room >= least) return;
    Refuse({Rule::kBufferSize, isa::Name(memory), "the call finds no room for what it works on",
            fmt::format("{} bytes left", room), fmt::format("{} bytes or more that no Tensor has taken", least),
            "end the `with` blocks of Tensors that are done"});
}

Operand Steps::Scratch(Memory memory, DataType type, uint64_t offset) const {
    Operand o;
    o.memory = memory;
    o.type = type;
    o.offset = Begin(memory) + offset;
    o.limit = v_.chip().Bytes(memory);
    return o;
}

void RequireTensor(const Operand& o, const char* name, Memory memory, uint64_t elements, const std::string& layout) {
    if (o.memory != memory) {
        Refuse({Rule::kMemoryPath, name, fmt::format("{} is in a memory the call cannot use", name),
                isa::Name(o.memory), isa::Name(memory), "check the scope of the Tensor"});
    }
    const uint64_t has = o.limit > o.offset ? (o.limit - o.offset) * 8 / BitsOf(o.type) : 0;
    if (has < elements) {
        Refuse({Rule::kTensorSize, name, fmt::format("{} is too small for the sizes of the call", name),
                fmt::format("{} elements", has), fmt::format("{} elements: {}", elements, layout),
                "round the sizes up to whole fractals where the Tensor is made"});
    }
}

int64_t RequireRange(int64_t value, const char* param, const Limits& limits) {
    if (value < limits.least || value > limits.most) {
        Refuse({Rule::kParameterRange, param, fmt::format("{} is out of range", limits.name), fmt::format("{}", value),
                fmt::format("{}..{}", limits.least, limits.most), ""});
    }
    return value;
}

std::vector<uint32_t> RequireList(const CallValues& v, Param param, std::initializer_list<Limits> items) {
    const CallArgument* list = v.Find(param);
    if (!list || list->kind != CallArgument::Kind::kList || static_cast<size_t>(list->count) != items.size()) {
        std::string legal;
        for (const Limits& i : items) legal += fmt::format("{}{}", legal.empty() ? "" : ", ", i.name);
        Refuse({Rule::kParameterType, Name(param), fmt::format("{} must be a list of {}", Name(param), items.size()),
                v.Given(list), fmt::format("[{}]", legal), ""});
    }
    std::vector<uint32_t> values;
    for (const Limits& i : items) {
        const int64_t value = v.Integer(v.Item(*list, static_cast<int>(values.size())));
        values.push_back(static_cast<uint32_t>(RequireRange(value, Name(param), i)));
    }
    return values;
}

}  // namespace sfumato::tik
