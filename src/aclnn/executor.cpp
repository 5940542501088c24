// SPDX-License-Identifier: Apache-2.0
// The two phases of an aclnn call (clients.md 5).
#include "aclnn/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <sstream>

#include "aclnn/groups.h"
#include "aclnn/unpack.h"
#include "host/acl_call.h"
#include "host/capture.h"
#include "host/ranks.h"
#include "host/launch.h"
#include "host/stream_order.h"
#include "op/launch_blocks.h"
#include "report/rules.h"
#include "sfumato/jit.h"
#include "soc/chip.h"

namespace sfumato::aclnn {
namespace {

using host::Device;

aclnnStatus SayError(const char* call, const std::exception& error, aclnnStatus code) {
    Device::Say(fmt::format("{}: {}", call, error.what()));
    return code;
}
aclnnStatus Refuse(const char* call, Finding finding, aclnnStatus code) {
    return Say(ToReport(std::move(finding), call, {}), code);
}

// What failed, by the rule.
aclnnStatus CodeOf(const Report& report) {
    const auto any = [&](auto... rules) { return ((report.rule == rules) || ...); };
    if (any(Rule::kOpInfer, Rule::kOpOutputShape)) return ACLNN_ERR_INNER_INFERSHAPE_ERROR;
    if (any(Rule::kOpKernel)) return ACLNN_ERR_INNER_FIND_KERNEL_ERROR;
    if (any(Rule::kOpInput, Rule::kOpCombination, Rule::kOpAttr, Rule::kOpChip, Rule::kOpNotContiguous))
        return ACLNN_ERR_PARAM_INVALID;
    return ACLNN_ERR_INNER_TILING_ERROR;
}

void DestroyExecutor(aclOpExecutor* executor) {
    if (SetDead(executor, kTypeName<aclOpExecutor>)) delete executor;
}

aclnnStatus CheckExecutor(const char* call, const aclOpExecutor* executor) {
    if (!executor) {
        return Refuse(call,
                      {Rule::kOpExecutor, "executor", "the executor is null", "nullptr",
                       "what aclnn<Op>GetWorkspaceSize gave", ""},
                      ACLNN_ERR_INNER_NULLPTR);
    }
    if (IsLive(executor)) return ACLNN_SUCCESS;
    return Refuse(call,
                  {Rule::kOpExecutor, "executor", "the executor is used up, or none", WhatIs(executor),
                   "what aclnn<Op>GetWorkspaceSize gave, once",
                   "call the first phase again, or aclSetAclOpExecutorRepeatable behind it"},
                  ACLNN_ERR_PARAM_INVALID);
}

// Elements of a view, one after another in its order, to or from memory without gaps.
void CopyView(const aclTensor& t, uint8_t* packed, bool gathers) {
    const uint64_t size = aclDataTypeSize(t.type);
    auto* base = static_cast<uint8_t*>(t.data);
    std::vector<int64_t> index(t.view.size(), 0);
    for (uint64_t i = 0, count = t.Count(); i < count; ++i) {
        int64_t at = t.offset;
        for (size_t d = 0; d < index.size(); ++d) at += index[d] * t.strides[d];
        uint8_t *element = base + static_cast<uint64_t>(at) * size, *own = packed + i * size;
        std::memcpy(gathers ? own : element, gathers ? element : own, size);
        for (size_t d = index.size(); d-- > 0 && ++index[d] == t.view[d];) index[d] = 0;
    }
}

// Memory of one run, and the tensors with gaps that it stands for.
class Memory {
public:
    explicit Memory(const char* call) : call_(call), blocks_(Device::Current().memory()) {}

    // Throws KernelError: host-pointer, freed-block-used, memcpy-size.
    std::vector<std::vector<uint8_t*>> Place(const Slots& slots) {
        std::vector<std::vector<uint8_t*>> all(slots.size());
        for (size_t i = 0; i < slots.size(); ++i) {
            for (const Slot& slot : slots[i]) all[i].push_back(PlaceOf(slot));
        }
        return all;
    }
    void Scatter() {
        for (const auto& [slot, packed] : results_) CopyView(slot->tensor, packed, false);
    }

private:
    uint8_t* Take(uint64_t bytes, const std::string& name, const void* from = nullptr) {
        return blocks_.Take(Device::Current().memory().Allocate(bytes, name, from));
    }
    uint8_t* PlaceOf(const Slot& slot) {
        if (slot.on_host) return Take(slot.values.size(), slot.name, slot.values.data());
        const aclTensor& t = slot.tensor;
        const uint64_t size = aclDataTypeSize(t.type);
        if (t.Count() == 0 && !t.data) return Take(0, slot.name);
        // int4 and smaller: their bytes are the launch's to check.
        CheckBlock(call_, slot.name, t.data, t.Reach() * size);
        auto* p = static_cast<uint8_t*>(t.data) + static_cast<uint64_t>(t.offset) * size;
        if (!slot.gathers) return p;
        // A tensor that is input and output has one copy.
        for (const auto& [other, packed] : copies_) {
            if (other->tensor.data == t.data && other->tensor.offset == t.offset && other->tensor.view == t.view &&
                other->tensor.strides == t.strides) {
                if (slot.scatters) results_.emplace_back(&slot, packed);
                return packed;
            }
        }
        uint8_t* packed = Take(slot.BytesOf(), slot.name);
        CopyView(t, packed, true);
        copies_.emplace_back(&slot, packed);
        if (slot.scatters) results_.emplace_back(&slot, packed);
        return packed;
    }

    const char* call_;
    op::LaunchBlocks blocks_;
    std::vector<std::pair<const Slot*, uint8_t*>> copies_, results_;
};

// What a tensor's elements may be: all bytes of its view, the gaps among them.
runtime::TouchedBytes BytesOf(const aclTensor& t, bool write) {
    const uint64_t size = aclDataTypeSize(t.type), offset = static_cast<uint64_t>(t.offset);
    return {static_cast<const uint8_t*>(t.data) + offset * size, t.Reach() ? (t.Reach() - offset) * size : 0, write};
}

}  // namespace

aclnnStatus Say(const Report& report, aclnnStatus code) {
    host::Told::The().AddCall(report);
    Device::Say(report.Text());
    return code;
}

aclnnStatus CheckWorkspace(const char* call, const aclOpExecutor& e, void* workspace, uint64_t size) {
    if (size >= e.workspace && (workspace || e.workspace == 0)) return ACLNN_SUCCESS;
    return Refuse(call,
                  {Rule::kOpWorkspace, "workspace", "the workspace is smaller than the tiling asked for",
                   workspace ? fmt::format("{} bytes", size) : fmt::format("nullptr, {} bytes", size),
                   fmt::format("at least {} bytes: workspaceSize of the first phase", e.workspace), ""},
                  ACLNN_ERR_PARAM_INVALID);
}

std::vector<Report> RacesOf(const aclOpExecutor& e, const void* workspace, aclrtStream stream) {
    host::StreamOrder& order = host::StreamOrder::The();
    if (!order.on()) return {};
    std::vector<runtime::TouchedBytes> touched;
    for (const Slots* slots : {&e.inputs, &e.outputs}) {
        for (const std::vector<Slot>& declared : *slots) {
            for (const Slot& slot : declared) {
                if (!slot.on_host) touched.push_back(BytesOf(slot.tensor, slots == &e.outputs));
            }
        }
    }
    if (e.workspace) touched.push_back({static_cast<const uint8_t*>(workspace), e.workspace, true});
    return order.Submit(host::OnStream(stream), e.name.c_str(), {}, touched);
}

aclnnStatus CheckPhase(const char* name, const aclOpExecutor* executor, bool own, aclrtStream stream) {
    if (const aclnnStatus error = CheckExecutor(name, executor)) return error;
    if (!own) {
        return Refuse(name,
                      {Rule::kOpExecutor, "executor", "the executor is of another function", executor->name, name, ""},
                      ACLNN_ERR_PARAM_INVALID);
    }
    return host::AclCall(name).CheckHandle(host::Handle::kStream, stream) ? ACLNN_ERR_PARAM_INVALID : ACLNN_SUCCESS;
}

namespace {

// Of several devices the stream may be busy: what the run comes to is then for a later call.
aclnnStatus SubmitKept(const char* name, const std::shared_ptr<const aclOpExecutor>& kept, const RunPhase& run,
                       aclrtStream stream) {
    if (host::Ranks::The().count() == 1) return run(*kept, stream);
    std::vector<const void*> pointers = ContextsOf(*kept);
    for (const Slots* slots : {&kept->inputs, &kept->outputs}) {
        for (const std::vector<Slot>& declared : *slots) {
            for (const Slot& slot : declared) pointers.push_back(slot.on_host ? nullptr : slot.tensor.data);
        }
    }
    return host::Ranks::The().Submit(stream, name, std::move(pointers), [kept, run, stream] {
        host::Ranks::Outcome outcome{run(*kept, stream), {}};
        if (const char* text = outcome.code ? Device::TakeMessage() : nullptr) outcome.text = text;
        return outcome;
    });
}

}  // namespace

aclnnStatus SubmitPhase(const char* name, aclOpExecutor* executor, aclrtStream stream, const RunPhase& run) {
    const auto checked = [name, run](const aclOpExecutor& e, aclrtStream on) {
        try {
            return run(e, on);
        } catch (const KernelError& error) {
            return Say(error.report(), ACLNN_ERR_RUNTIME_ERROR);
        } catch (const std::exception& error) {
            return SayError(name, error, ACLNN_ERR_RUNTIME_ERROR);
        }
    };
    aclnnStatus code = ACLNN_SUCCESS;
    if (host::Captures::The().busy() || host::Ranks::The().count() > 1) {
        const auto kept = std::make_shared<const aclOpExecutor>(*executor);
        code = host::Submit(name, stream,
                            [name, kept, checked](aclrtStream on) { return SubmitKept(name, kept, checked, on); });
    } else {
        code = checked(*executor, stream);
    }
    if (!executor->repeatable) DestroyExecutor(executor);
    return code;
}

void CheckBlock(const char* call, const std::string& name, const void* p, uint64_t end) {
    const auto fail = [&](Finding finding) { throw KernelError(ToReport(std::move(finding), call, {})); };
    const host::Place place = Device::Find(p);
    const std::string found = Device::Describe(p);
    if (!place.OnDevice() || place.block->freed) {
        fail({place.OnDevice() ? Rule::kFreedBlockUsed : Rule::kHostPointer, name,
              place.OnDevice() ? "the memory was freed" : "this is no memory of the device", found,
              "memory of aclrtMalloc that was not freed", ""});
    }
    if (end > place.block->bytes - place.offset) {
        fail({Rule::kMemcpySize, name, "the tensor reaches past the end of its block",
              fmt::format("{} bytes from {}, which has {}", end, found, place.block->bytes),
              fmt::format("at most {} bytes", place.block->bytes - place.offset), ""});
    }
}

std::shared_ptr<op::Operator> OperatorOf(const Package& package, const std::string& chip) {
    static std::mutex mutex;
    static auto* loaded = new std::map<std::pair<const Package*, std::string>, std::shared_ptr<op::Operator>>;
    std::lock_guard lock(mutex);
    std::shared_ptr<op::Operator>& op = (*loaded)[{&package, chip}];
    if (op) return op;
    op::LoadOptions options;
    options.folder = Unpack(package);
    options.chip = chip;
    options.op = package.op;
    std::istringstream flags(package.flags);
    for (std::string flag; flags >> flag;) options.flags.push_back(flag);
    // Reports and messages name the files of the project that was built.
    options.flags.push_back(fmt::format("-ffile-prefix-map={}={}", options.folder, package.folder));
    return op = op::Operator::Load(options);
}

void PrepareExecutor(aclOpExecutor& e, const std::vector<std::pair<std::string, op::AttrValue>>& attrs,
                     bool outputs_known, bool strict) {
    std::vector<std::vector<op::Tensor>> outputs;
    if (outputs_known) outputs = Arguments::Tensors(e.outputs);
    e.call = e.op->Prepare(Arguments::Tensors(e.inputs), attrs, std::move(outputs), strict);
    CheckGroups(e);
    e.tiling = e.op->Tile(e.call);
    for (const Report& report : e.tiling.findings) std::fprintf(stderr, "%s\n", report.Text().c_str());
    e.op->CompileKernel(e.call, e.tiling);
    e.workspace = e.op->WorkspaceBytes(e.tiling);
}

bool RunExecutor(const Package& package, void* workspace, const aclOpExecutor& e, aclrtStream stream) {
    LaunchOptions launch = host::OptionsOfEnvironment(Route::kAclnn, "");
    if (!package.auto_sync) launch.auto_sync = false;
    Memory memory(e.name.c_str());
    op::Operator::Places places{memory.Place(e.inputs), memory.Place(e.outputs), static_cast<uint8_t*>(workspace)};
    if (e.workspace) CheckBlock(e.name.c_str(), "workspace", workspace, e.workspace);
    LaunchResult result = e.op->Run(e.call, e.tiling, places, Device::Current().memory(), launch);
    for (Report& race : RacesOf(e, workspace, stream)) result.findings.push_back(std::move(race));
    launch.kernel = package.op;
    host::Told::The().Add(launch, e.tiling.blocks, e.op->origin().kernel_source.c_str(), result);
    if (const std::string faults = host::Faults(result); !faults.empty()) {
        if (host::ExitOnFault()) host::EndProcess(kFault, faults);
        Device::Say(faults);
        return false;
    }
    memory.Scatter();
    return true;
}

aclnnStatus SfumatoAclnnPrepare(const Function& f, const Value* values, uint64_t* workspace_size,
                                aclOpExecutor** executor) {
    if (!workspace_size || !executor) {
        host::AclCall(f.prepare).RefuseNull(workspace_size ? "executor" : "workspaceSize");
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    Arguments arguments;
    bool reading = false;
    try {
        const LaunchOptions options = host::OptionsOfEnvironment(Route::kAclnn, "");
        auto e = std::make_unique<aclOpExecutor>();
        e->function = &f;
        e->name = f.name;
        e->op = OperatorOf(f.of, soc::FindChip(options.chip).product);
        const op::Definition& d = e->op->definition();
        reading = true;
        arguments.Read(f, d, values);
        reading = false;
        e->inputs = std::move(arguments.inputs);
        e->outputs = std::move(arguments.outputs);
        PrepareExecutor(*e, arguments.attrs, true, options.strict);
        *workspace_size = e->workspace;
        SetLive(e.get(), kTypeName<aclOpExecutor>);
        *executor = e.release();
        return ACLNN_SUCCESS;
    } catch (const KernelError& error) {
        return Say(error.report(), reading ? arguments.error : CodeOf(error.report()));
    } catch (const CompileError& error) {
        return SayError(f.prepare, error, ACLNN_ERR_INNER_FIND_KERNEL_ERROR);
    } catch (const std::exception& error) {
        return SayError(f.prepare, error, ACLNN_ERR_INNER);
    }
}

aclnnStatus SfumatoAclnnRun(const Package& package, const char* name, void* workspace, uint64_t workspace_size,
                            aclOpExecutor* executor, aclrtStream stream) {
    const Function* f = executor && IsLive(executor) ? executor->function : nullptr;
    const bool own = f && &f->of == &package && std::strcmp(f->name, name) == 0;
    if (const aclnnStatus error = CheckPhase(name, executor, own, stream)) return error;
    if (const aclnnStatus error = CheckWorkspace(name, *executor, workspace, workspace_size)) return error;
    return SubmitPhase(name, executor, stream, [&package, workspace](const aclOpExecutor& e, aclrtStream on) {
        return RunExecutor(package, workspace, e, on) ? ACLNN_SUCCESS : ACLNN_ERR_RUNTIME_ERROR;
    });
}

namespace {

// Another address for the index-th tensor of those, in their order.
aclnnStatus SetAddress(const char* call, aclOpExecutor* executor, std::vector<Slots*> lists, size_t index,
                       aclTensor* tensor, void* addr) {
    if (const aclnnStatus error = CheckExecutor(call, executor)) return error;
    if (!tensor) {
        return Refuse(call, {Rule::kAclArgument, "tensor", "the object is null", "nullptr", "aclTensor", ""},
                      ACLNN_ERR_INNER_NULLPTR);
    }
    size_t count = 0;
    for (Slots* slots : lists) {
        for (std::vector<Slot>& declared : *slots) {
            for (Slot& slot : declared) {
                if (count++ != index) continue;
                slot.tensor.data = addr;
                if (IsLive(tensor)) tensor->data = addr;
                return ACLNN_SUCCESS;
            }
        }
    }
    return Refuse(call,
                  {Rule::kAclArgument, "index", "the call has no such tensor", fmt::format("{}", index),
                   fmt::format("0 to {}", static_cast<int64_t>(count) - 1), ""},
                  ACLNN_ERR_PARAM_INVALID);
}

}  // namespace
}  // namespace sfumato::aclnn

using namespace sfumato::aclnn;

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor) {
    if (const aclnnStatus error = CheckExecutor("aclSetAclOpExecutorRepeatable", executor)) return error;
    executor->repeatable = true;
    return ACLNN_SUCCESS;
}
aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
    if (const aclnnStatus error = CheckExecutor("aclDestroyAclOpExecutor", executor)) return error;
    DestroyExecutor(executor);
    return ACLNN_SUCCESS;
}
aclnnStatus aclSetInputTensorAddr(aclOpExecutor* executor, size_t index, aclTensor* tensor, void* addr) {
    return SetAddress("aclSetInputTensorAddr", executor, {executor ? &executor->inputs : nullptr}, index, tensor, addr);
}
aclnnStatus aclSetOutputTensorAddr(aclOpExecutor* executor, size_t index, aclTensor* tensor, void* addr) {
    return SetAddress("aclSetOutputTensorAddr", executor, {executor ? &executor->outputs : nullptr}, index, tensor,
                      addr);
}
aclnnStatus aclSetTensorAddr(aclOpExecutor* executor, size_t index, aclTensor* tensor, void* addr) {
    if (!executor) return CheckExecutor("aclSetTensorAddr", executor);
    return SetAddress("aclSetTensorAddr", executor, {&executor->inputs, &executor->outputs}, index, tensor, addr);
}
