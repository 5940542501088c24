// SPDX-License-Identifier: Apache-2.0
// Calls of one operator by its name: the operator of a package, run as its aclnn functions run it (framework.md 5.6).
#include "aclnn/single_op.h"

#include <algorithm>

#include "host/launch.h"
#include "host/type_bits.h"
#include "report/rules.h"
#include "sfumato/host/capture.h"
#include "sfumato/jit.h"
#include "sfumato/letters.h"
#include "soc/chip.h"

namespace sfumato::aclnn {
namespace {

using host::Device;
using Descs = std::vector<const aclTensorDesc*>;
using Buffers = std::vector<const aclDataBuffer*>;

aclError AclCodeOf(const Report& report) {
    const auto any = [&](auto... rules) { return ((report.rule == rules) || ...); };
    if (any(Rule::kOpUnknown)) return ACL_ERROR_OP_NOT_FOUND;
    if (any(Rule::kOpInput, Rule::kOpCombination)) return ACL_ERROR_OP_INPUT_NOT_MATCH;
    if (any(Rule::kOpInfer, Rule::kOpOutputShape)) return ACL_ERROR_OP_OUTPUT_NOT_MATCH;
    if (any(Rule::kOpAttr)) return ACL_ERROR_OP_ATTR_NOT_MATCH;
    return ACL_ERROR_INVALID_PARAM;
}

std::string NearName(const std::string& name, const std::string& names) {
    std::string best;
    size_t least = 3;
    for (size_t begin = 0; begin < names.size();) {
        const size_t end = std::min(names.find(", ", begin), names.size());
        const std::string other = names.substr(begin, end - begin);
        const size_t distance = EditDistance(Lower(name), Lower(other));
        if (distance < least) least = distance, best = other;
        begin = end + 2;
    }
    return best;
}

std::string Described(const aclTensorDesc& d) {
    return op::Describe({d.has_storage ? d.storage : d.dims,
                         static_cast<int>(d.type),
                         d.has_storage || d.format == ACL_FORMAT_UNDEFINED ? ACL_FORMAT_ND : d.format,
                         {}});
}

void CheckBytes(const OpCall& call, const std::string& name, uint64_t there, const aclTensorDesc& d, uint64_t need) {
    if (there >= need) return;
    call.Refuse({Rule::kAclArgument, name, "the buffer is smaller than its tensor",
                 fmt::format("{} bytes for {}", there, Described(d)), fmt::format("at least {} bytes", need), ""});
}

uint64_t BytesOf(const aclTensor& t) {
    uint64_t bits = host::TypeBits(t.type);
    for (const int64_t d : t.storage) bits *= static_cast<uint64_t>(std::max<int64_t>(d, 0));
    return (bits + 7) / 8;
}

// Dimensions without gaps.
void Lay(aclTensor& t, std::vector<int64_t> dims, std::vector<int64_t> storage) {
    t.view = std::move(dims);
    t.storage = std::move(storage);
    t.strides.assign(t.view.size(), 1);
    for (size_t i = t.view.size(); i-- > 1;) t.strides[i - 1] = t.strides[i] * t.view[i];
}

Slot SlotOf(const OpCall& call, const op::Param& param, const aclTensorDesc& d, const aclDataBuffer* buffer,
            bool output) {
    Slot slot;
    slot.name = param.name;
    aclTensor& t = slot.tensor;
    t.type = d.type;
    t.format = d.storage_format != ACL_FORMAT_UNDEFINED ? d.storage_format : d.format;
    if (t.format == ACL_FORMAT_UNDEFINED) t.format = ACL_FORMAT_ND;
    Lay(t, d.dims, d.has_storage ? d.storage : d.dims);
    const bool known = d.IsKnown();
    const uint64_t bytes = known ? BytesOf(t) : 0;
    if (!known && !output) {
        call.Refuse({Rule::kOpInput, param.name, "a dimension of an input is not known", Described(d),
                     "dimensions of 0 or more", "what is compiled here is compiled for the shapes of the call"});
    }
    if (d.constant && !output) {
        CheckBytes(call, param.name, d.values.size(), d, bytes);
        slot.on_host = true;
        slot.values = d.values.substr(0, bytes);
        return slot;
    }
    if (!buffer) return slot;
    CheckBytes(call, param.name, buffer->size, d, bytes);
    t.data = buffer->data;
    if (d.place == ACL_MEMTYPE_DEVICE) {
        // Host code may read such an input: what the device has is copied for it (decided).
        const host::Place place = Device::Find(t.data);
        if (param.value_depend && !output && place.OnDevice() && !place.block->freed)
            slot.values.assign(static_cast<const char*>(t.data), bytes);
        slot.on_host = !slot.values.empty();
        return slot;
    }
    if (output) {
        call.Refuse({Rule::kAclArgument, param.name, "an output lies on the host", "aclSetTensorPlaceMent",
                     "memory of the device", ""});
    }
    slot.on_host = true;
    if (bytes) slot.values.assign(static_cast<const char*>(t.data), bytes);
    return slot;
}

// The tensors of each declaration, in its order.
Slots Assign(const OpCall& call, const std::vector<op::Param>& params, const Descs& descs, const Buffers& buffers,
             bool output) {
    const char* what = output ? "output" : "input";
    const auto list = [](const op::Param& p) { return p.type == op::ParamType::kDynamic; };
    const bool named = std::ranges::any_of(descs, [](const aclTensorDesc* d) { return !d->dynamic_input.empty(); });
    if (!named && std::ranges::count_if(params, list) > 1 && descs.size() != params.size()) {
        call.Refuse({Rule::kOpInput, "", fmt::format("several {}s are lists, and no tensor says of which it is", what),
                     fmt::format("{} tensors", descs.size()), "one for each, or aclSetTensorDynamicInput", ""});
    }
    Slots slots(params.size());
    size_t next = 0;
    for (size_t i = 0; i < params.size(); ++i) {
        size_t count = next < descs.size() ? 1 : 0;
        if (list(params[i]) && named) {
            count = 0;
            while (next + count < descs.size() && descs[next + count]->dynamic_input == params[i].name) ++count;
        } else if (list(params[i]) && descs.size() != params.size()) {
            const size_t others = params.size() - i - 1, left = descs.size() - next;
            count = left > others ? left - others : 0;
        }
        for (; count-- > 0; ++next) {
            if (descs[next]->IsAbsent()) continue;
            const aclDataBuffer* buffer = next < buffers.size() ? buffers[next] : nullptr;
            slots[i].push_back(SlotOf(call, params[i], *descs[next], buffer, output));
        }
    }
    if (next < descs.size()) {
        const std::string& name = descs[next]->dynamic_input;
        std::string legal = fmt::format("{} {}s in order of declaration", params.size(), what);
        for (const op::Param& p : params) {
            if (!name.empty() && list(p)) legal += ", with the list " + p.name;
        }
        call.Refuse({Rule::kOpInput, fmt::format("{} {}", what, next + 1),
                     name.empty() ? fmt::format("there are more {}s than declared", what)
                                  : "the operator has no list of this name here",
                     name.empty() ? fmt::format("{}", descs.size()) : fmt::format("'{}'", name), legal, ""});
    }
    return slots;
}

std::vector<std::pair<std::string, op::AttrValue>> AttrsOf(const OpCall& call) {
    if (!call.attr) return {};
    if (!call.attr->texts.empty()) {
        call.Refuse({Rule::kOpAttr, call.attr->texts.begin()->first, "no operator takes a list of texts",
                     "aclopSetAttrListString", "the types of operator projects", ""});
    }
    return {call.attr->values.begin(), call.attr->values.end()};
}

// Outputs with dimensions that were not known: as inferred, in the buffers of the caller.
void TakeInferred(const OpCall& call, aclOpExecutor& e) {
    for (size_t i = 0; i < e.outputs.size(); ++i) {
        for (size_t j = 0; j < e.outputs[i].size() && j < e.call.outputs[i].size(); ++j) {
            Slot& slot = e.outputs[i][j];
            const op::Spec& spec = e.call.outputs[i][j].spec;
            Lay(slot.tensor, spec.shape, spec.shape);
            for (const aclDataBuffer* b : call.to) {
                if (b->data != slot.tensor.data || b->size >= BytesOf(slot.tensor)) continue;
                call.Refuse({Rule::kAclArgument, slot.name, "the buffer is smaller than its tensor",
                             fmt::format("{} bytes for {}", b->size, op::Describe(spec)),
                             fmt::format("at least {} bytes", BytesOf(slot.tensor)), ""});
            }
        }
    }
}

bool OutputsKnown(const OpCall& call) {
    return !call.outputs.empty() &&
           std::ranges::all_of(call.outputs, [](const aclTensorDesc* d) { return d->IsKnown(); });
}

// The shapes that were inferred, for the caller to read.
void Tell(const aclOpExecutor& e, aclTensorDesc* const* outputs, int count, bool all) {
    int next = 0;
    for (const std::vector<op::Tensor>& tensors : e.call.outputs) {
        for (const op::Tensor& t : tensors) {
            if (next == count) return;
            aclTensorDesc& d = *outputs[next++];
            if (d.IsKnown() && !all) continue;
            d.dims = t.spec.shape;
            if (all) d.type = static_cast<aclDataType>(t.spec.type);
        }
    }
}

class Workspace {
public:
    explicit Workspace(uint64_t bytes) {
        if (bytes && aclrtMalloc(&block_, bytes, ACL_MEM_MALLOC_HUGE_FIRST)) throw Error("no memory for the workspace");
    }
    ~Workspace() {
        if (block_) aclrtFree(block_);
    }
    Workspace& operator=(Workspace&&) = delete;
    void* get() const { return block_; }

private:
    void* block_ = nullptr;
};

}  // namespace

void OpCall::Refuse(Finding finding) const { throw KernelError(ToReport(std::move(finding), name, {})); }
const aclopAttr* OpCall::Take(const aclopAttr* given) const {
    if (given && !IsLive(given)) {
        Refuse({Rule::kAclHandle, "attr", "this is no aclopAttr", WhatIs(given),
                "one that was created and not destroyed, or nullptr", ""});
    }
    return given;
}

aclError SayFailure(const char* name, const std::exception& error) {
    if (const auto* refused = dynamic_cast<const KernelError*>(&error)) {
        host::Told::The().AddCall(refused->report());
        Device::Say(refused->report().Text());
        return AclCodeOf(refused->report());
    }
    Device::Say(fmt::format("{}: {}", name, error.what()));
    return ACL_ERROR_FAILURE;
}

const Package& PackageOf(const OpCall& call) {
    if (!call.op) call.Refuse({Rule::kAclArgument, "opType", "there is no name", "nullptr", "an operator's", ""});
    if (const Package* package = FindPackage(call.op)) return *package;
    const std::string there = RegisteredOperators(), near = NearName(call.op, there);
    call.Refuse({Rule::kOpUnknown, "opType", "no installed package has such an operator", fmt::format("'{}'", call.op),
                 there,
                 !near.empty()     ? fmt::format("did you mean {}?", near)
                 : there == "none" ? "install the operator's package, and run the program under `sfumato env`"
                                   : "install the operator's package; the toolkit's own operators are not here"});
}

aclOpExecutor Prepared(const OpCall& call, const Package& package) {
    const LaunchOptions options = host::OptionsOfEnvironment(Route::kAclnn, "");
    aclOpExecutor e;
    e.name = call.name;
    e.op = OperatorOf(package, soc::FindChip(options.chip).product);
    const op::Definition& d = e.op->definition();
    e.inputs = Assign(call, d.inputs, call.inputs, call.from, false);
    e.outputs = Assign(call, d.outputs, call.outputs, call.to, true);
    const bool known = OutputsKnown(call);
    PrepareExecutor(e, AttrsOf(call), known, options.strict);
    if (!known) TakeInferred(call, e);
    return e;
}

aclError RunOp(const OpCall& call, aclrtStream stream, aclTensorDesc* const* told) {
    if (const aclError error = AclCall(call.name).CheckHandle(host::Handle::kStream, stream)) return error;
    if (host::IsCaptured(stream)) {
        call.Refuse({Rule::kNpuGraphUnsupported, "stream", "a call by the operator's name is not captured",
                     fmt::format("{}", stream), "the operator's aclnn function, or its kernel", ""});
    }
    const Package& package = PackageOf(call);
    const bool known = OutputsKnown(call);
    const aclOpExecutor e = Prepared(call, package);
    const Workspace workspace(e.workspace);
    if (!RunExecutor(package, workspace.get(), e, stream)) return ACL_ERROR_RT_AICORE_EXCEPTION;
    if (told && !known) Tell(e, told, static_cast<int>(call.outputs.size()), false);
    return ACL_SUCCESS;
}

void InferOp(const OpCall& call, aclTensorDesc* const* outputs, int count) {
    const LaunchOptions options = host::OptionsOfEnvironment(Route::kAclnn, "");
    aclOpExecutor e;
    e.op = OperatorOf(PackageOf(call), soc::FindChip(options.chip).product);
    e.inputs = Assign(call, e.op->definition().inputs, call.inputs, call.from, false);
    e.call = e.op->Prepare(Arguments::Tensors(e.inputs), AttrsOf(call));
    Tell(e, outputs, count, true);
}

}  // namespace sfumato::aclnn
