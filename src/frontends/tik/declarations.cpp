// SPDX-License-Identifier: Apache-2.0
// Scalars, tensors and slices: names, lifetimes, where a local tensor lies.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/tik/program.h"
#include "sfumato/round_up.h"

namespace sfumato::tik {
namespace {

using isa::Memory;

constexpr struct {
    std::string_view name;
    Memory memory;
} kScopes[] = {{"global", Memory::kGm},       {"local.UB", Memory::kUb},   {"local.L1", Memory::kL1},
               {"local.L0A", Memory::kL0A},   {"local.L0B", Memory::kL0B}, {"local.L0C", Memory::kL0C},
               {"local.L1OUT", Memory::kL0C}, {"local.BT", Memory::kBt},   {"local.FB", Memory::kFb}};

// tik.md 3.8.
uint64_t AlignmentOf(Memory memory, DataType type) {
    switch (memory) {
        case Memory::kL1:
        case Memory::kL0A:
        case Memory::kL0B: return 512;
        case Memory::kL0C: return BytesOf(type, 256);
        case Memory::kBt: return 64;
        case Memory::kFb: return 128;
        default: return isa::kBlockBytes;
    }
}

std::string ShapeText(const std::vector<int64_t>& shape) {
    std::string text;
    for (const int64_t d : shape) text += fmt::format("{}{}", text.empty() ? "" : ", ", d);
    return fmt::format("({}{})", text, shape.size() == 1 ? "," : "");
}

}  // namespace

Memory FindScope(std::string_view name) {
    for (const auto& s : kScopes) {
        if (s.name == name) return s.memory;
    }
    return Memory::kNone;
}

ScalarId Program::Impl::AddScalar(ScalarKind kind, const char* call, std::string_view type, uint32_t length,
                                  std::string_view name, Where where) {
    where = Begin(call, where);
    CheckName(call, name, where);
    ScalarNode s;
    s.kind = kind;
    s.type = ParseType(call, type, where);
    const bool arithmetic = BitsOf(s.type) >= 8 && (kind == ScalarKind::kScalar || s.type != DataType::kBfloat16);
    if (!arithmetic || (kind == ScalarKind::kLoop && IsFloating(s.type))) {
        Fail(call, where,
             {Rule::kDtype, "dtype", "the type is not one of a scalar here", fmt::format("'{}'", type),
              kind == ScalarKind::kLoop ? "an integer type"
                                        : "int8, uint8, int16, uint16, float16, int32, uint32, float32, int64, uint64",
              ""});
    }
    s.name = name;
    s.length = length;
    s.slot = ir.slots;
    s.scope = scope;
    s.where = where;
    ir.slots += length;
    ir.scalars.push_back(std::move(s));
    return {static_cast<int32_t>(ir.scalars.size() - 1)};
}

ScalarId Program::Scalar(std::string_view type, std::string_view name, Where where) {
    return impl_->AddScalar(ScalarKind::kScalar, "Scalar", type, 1, name, where);
}

ScalarId Program::ScalarArray(std::string_view type, int64_t length, std::string_view name, Where where) {
    constexpr int64_t kMost = 65536;  // what a frame holds of one array; the page gives no limit
    if (length < 1 || length > kMost) {
        impl_->Fail("ScalarArray", impl_->Keep(where),
                    {Rule::kParameterRange, "length", "the length is out of range", fmt::format("{}", length),
                     fmt::format("1..{}", kMost), ""});
    }
    return impl_->AddScalar(ScalarKind::kArray, "ScalarArray", type, static_cast<uint32_t>(length), name, where);
}

ScalarId Program::InputScalar(std::string_view type, std::string_view name, Where where) {
    if (impl_->scope != 0) {
        impl_->Fail("InputScalar", impl_->Keep(where),
                    {Rule::kInputScalarScope, std::string(name), "an InputScalar is made outside every block",
                     "one inside a `with` block", "the top level of the program", ""});
    }
    return impl_->AddScalar(ScalarKind::kInput, "InputScalar", type, 1, name, where);
}

// The product of all sizes, held below 2^62.
uint64_t Program::Impl::ElementsOf(const std::vector<int64_t>& shape, Where where) const {
    constexpr uint64_t kMost = uint64_t{1} << 62;
    uint64_t elements = 1;
    for (const int64_t d : shape) {
        if (d < 1 || elements > kMost / static_cast<uint64_t>(d)) {
            Fail("Tensor", where,
                 {Rule::kShape, "shape", "the shape is not legal", ShapeText(shape), "sizes of 1 and more",
                  "a Tensor of unknown size in GM has the shape (2**31 - 1,)"});
        }
        elements *= static_cast<uint64_t>(d);
    }
    if (shape.empty())
        Fail("Tensor", where, {Rule::kShape, "shape", "the shape is empty", "()", "one size or more", ""});
    return elements;
}

void Program::Impl::PlaceInGm(TensorNode* t) {
    const TensorOptions& options = t->options;
    const auto fail = [&](Rule rule, std::string operand, std::string message, std::string found, std::string legal,
                          std::string hint) {
        Fail("Tensor", t->where,
             {rule, std::move(operand), std::move(message), std::move(found), std::move(legal), std::move(hint)});
    };
    if (scope != 0) {
        fail(Rule::kGmScope, t->name, "a Tensor in GM can't be defined in local", "one inside a `with` block",
             "the top level of the program", "make it before the loops");
    }
    if (options.has_init && options.init.size() != t->bytes) {
        fail(Rule::kInitValue, "init_value", "the data has another size than the Tensor",
             fmt::format("{} bytes", options.init.size()), fmt::format("{} bytes", t->bytes), "");
    }
    constexpr uint64_t kMostInit = 256 * 1024;
    if (options.has_init && t->elements > kMostInit) {
        fail(Rule::kInitValue, "init_value", "there is too much constant data", fmt::format("{} elements", t->elements),
             fmt::format("at most {}", kMostInit), "pass the data as an input");
    }
    t->gm = static_cast<int32_t>(ir.gm.size());
    ir.gm.push_back(static_cast<int32_t>(ir.tensors.size()));
    gm_range.push_back(
        {t->dynamic() ? UINT64_MAX / 2 : t->bytes, Intern(t->name), t->dynamic() ? 0 : -t->bytes % isa::kBlockBytes});
}

// Double buffering: the tensor exists once for each thread of the loop around it that has the most.
void Program::Impl::SetCopies(TensorNode* t) const {
    for (int32_t s = scope; s > 0; s = Nth(ir.scopes, s).parent) {
        const Scope& around = Nth(ir.scopes, s);
        if (around.kind != Scope::Kind::kFor) continue;
        const int32_t loop = Nth(ir.statements, around.statement).a;
        const auto threads = static_cast<uint32_t>(Nth(ir.loops, loop).thread_num);
        if (threads <= t->copies) continue;
        t->copies = threads;
        t->loop = loop;
    }
}

void Program::Impl::PlaceOnChip(TensorNode* t) {
    const TensorOptions& options = t->options;
    if (options.is_workspace || options.is_atomic_add || options.has_init || options.has_init_fill) {
        Fail("Tensor", t->where,
             {Rule::kTensorOption, t->name, "the option is for Tensors in GM",
              fmt::format("a Tensor in {}", t->scope_name), "is_workspace, is_atomic_add and init_value with scope_gm",
              "set the data with vec_dup"});
    }
    SetCopies(t);
    const uint64_t align = AlignmentOf(t->memory, t->type), room = chip.Bytes(t->memory);
    uint64_t& taken = Nth(used, t->memory);
    t->pitch = RoundUpTo(t->bytes, align);
    t->offset = options.start_addr >= 0 ? static_cast<uint64_t>(options.start_addr) : RoundUpTo(taken, align);
    if (options.start_addr >= 0 && t->offset % align != 0) {
        Fail("Tensor", t->where,
             {Rule::kStartAddr, "start_addr", "the address is not aligned", fmt::format("{}", t->offset),
              fmt::format("a multiple of {}", align), ""});
    }
    const uint64_t wanted = t->copies > 1 ? t->pitch * t->copies : t->bytes;
    if (t->offset > room || wanted > room - t->offset) {
        Fail("Tensor", t->where,
             {Rule::kBufferSize, t->name, fmt::format("{} applies buffer size more than available", t->scope_name),
              t->copies > 1 ? fmt::format("{} bytes, {} times {} for thread_num", wanted, t->copies, t->pitch)
                            : fmt::format("{} bytes", wanted),
              room == 0 ? fmt::format("{} has no {}", chip.name, isa::Name(t->memory))
                        : fmt::format("{} of the {} bytes of {} are left", room - std::min(room, t->offset), room,
                                      isa::Name(t->memory)),
              "make it smaller, or end the `with` blocks of Tensors that are done"});
    }
    if (options.start_addr < 0) taken = t->offset + wanted;
}

TensorId Program::Tensor(std::string_view type, const std::vector<int64_t>& shape, std::string_view scope,
                         std::string_view name, const TensorOptions& options, Where where) {
    constexpr const char* kCall = "Tensor";
    Impl& p = *impl_;
    where = p.Begin(kCall, where);
    p.CheckName(kCall, name, where);
    TensorNode t;
    t.type = p.ParseType(kCall, type, where);
    t.memory = FindScope(scope);
    t.name = name;
    t.scope_name = scope;
    t.shape = shape;
    t.scope = p.scope;
    t.options = options;
    t.where = where;
    if (t.memory == Memory::kNone) {
        std::string legal;
        for (const auto& s : kScopes) legal += fmt::format("{}{}", legal.empty() ? "" : ", ", s.name);
        p.Fail(kCall, where,
               {Rule::kScope, "scope", "the scope does not exist", fmt::format("'{}'", scope), legal, ""});
    }
    t.elements = p.ElementsOf(shape, where);
    t.bytes = BytesOf(t.type, t.elements);
    if (options.max_mem_size > 0) t.bytes = std::max(t.bytes, static_cast<uint64_t>(options.max_mem_size));
    t.memory == Memory::kGm ? p.PlaceInGm(&t) : p.PlaceOnChip(&t);
    p.ir.tensors.push_back(std::move(t));
    return {static_cast<int32_t>(p.ir.tensors.size() - 1)};
}

RefId Program::Ref(TensorId tensor, ExprId offset, std::string_view type, Where where) {
    Impl& p = *impl_;
    where = p.Keep(where);
    p.RequireLive("Tensor", Nth(p.ir.tensors, tensor.value), where);
    offset = p.RequireInteger("Tensor", "index", offset, where);
    p.ir.refs.push_back({tensor.value, offset.value, p.ParseType("Tensor", type, where)});
    return {static_cast<int32_t>(p.ir.refs.size() - 1)};
}

uint64_t Program::Available(std::string_view scope) const {
    const Memory memory = FindScope(scope);
    if (memory == Memory::kNone || memory == Memory::kGm) {
        throw Error(fmt::format("get_available_buffer_size: '{}' is no on-chip scope", scope));
    }
    const uint64_t room = impl_->chip.Bytes(memory), used = Nth(impl_->used, memory);
    return room > used ? room - used : 0;
}

}  // namespace sfumato::tik
