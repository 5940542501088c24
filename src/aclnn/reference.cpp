// SPDX-License-Identifier: Apache-2.0
// The call of a reference operator: its arguments as views, the checks that the table gives, and the run, which comes
// in the order of its stream as a kernel's launch does.
#include "aclnn/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "aclnn/executor.h"
#include "host/acl_call.h"
#include "host/device.h"
#include "host/launch.h"
#include "reference/call.h"

namespace sfumato::aclnn {
namespace {

using reference::Argument;
using reference::Call;
using reference::Operator;
using reference::Parameter;
using reference::Role;
using reference::View;

constexpr size_t kMostRank = 8;

[[noreturn]] void Refuse(Finding finding) { throw reference::Refusal{std::move(finding)}; }
[[noreturn]] void RefuseNull(const Parameter& p, const char* message, const std::string& legal) {
    throw reference::Refusal{{Rule::kOpInput, p.name, message, "nullptr", legal, ""}, true};
}

View ViewOf(const aclTensor& t) {
    View v{static_cast<int>(t.type), nullptr, t.view, t.strides};
    if (t.data) v.data = static_cast<uint8_t*>(t.data) + t.offset * static_cast<int64_t>(reference::SizeOf(v.type));
    return v;
}

// The arguments of the first phase, and the tensors among them for the second.
class Reader {
public:
    Reader(const Operator& op, const Value* values, aclOpExecutor& executor)
        : op_(op), values_(values), executor_(executor) {}

    std::vector<Argument> Read() {
        std::vector<Argument> arguments;
        for (size_t i = 0; i < op_.parameters.size(); ++i) arguments.push_back(Of(op_.parameters[i], values_[i]));
        return arguments;
    }

private:
    template <class T>
    const T* Object(const Parameter& p, const Value& value) {
        const auto* object = static_cast<const T*>(value.object);
        if (object && !IsLive(object)) {
            Refuse({Rule::kAclHandle, p.name, fmt::format("the argument is no {}", kTypeName<T>), WhatIs(object),
                    fmt::format("an {} that is alive", kTypeName<T>),
                    "callers that look the function up check no types: compare with its header in aclnnop/"});
        }
        if (!object && !p.IsOptional())
            RefuseNull(p, "a required argument is null", fmt::format("an {}", kTypeName<T>));
        return object;
    }
    void NeedType(const Parameter& p, int type) {
        if (p.types >> type & 1) return;
        Refuse({Rule::kOpInput, p.name, "the operator does not take this element type", reference::NameOf(type),
                reference::TypeWords(p.types),
                "if the vendor's operator takes it, register an operator of your own with this name"});
    }
    View Tensor(const Parameter& p, const aclTensor& t, std::vector<Slot>& slots) {
        NeedType(p, static_cast<int>(t.type));
        if (t.view.size() > kMostRank) {
            Refuse({Rule::kOpInput, p.name, "a tensor of this many dimensions is not taken",
                    fmt::format("{}, {} dimensions", reference::Words(t.view), t.view.size()),
                    fmt::format("at most {}", kMostRank), ""});
        }
        constexpr aclFormat kLaidOut[] = {ACL_FORMAT_FRACTAL_NZ,  ACL_FORMAT_NC1HWC0,  ACL_FORMAT_FRACTAL_Z,
                                          ACL_FORMAT_NC1HWC0_C04, ACL_FORMAT_NDC1HWC0, ACL_FRACTAL_Z_3D};
        if (std::ranges::find(kLaidOut, t.format) != std::end(kLaidOut)) {
            Refuse({Rule::kOpInput, p.name, "reference operators take no format that lays elements out anew",
                    fmt::format("format {}", static_cast<int>(t.format)), "ACL_FORMAT_ND or another plain one",
                    "make a tensor of ACL_FORMAT_ND of it before"});
        }
        Slot slot;
        slot.name = p.name;
        slot.tensor = t;
        slots.push_back(std::move(slot));
        return ViewOf(t);
    }
    // A place among the executor's tensors for those of the parameter; one that is input and output has two.
    void Tensors(const Parameter& p, const std::vector<const aclTensor*>& tensors, Argument& argument) {
        std::vector<Slot> slots;
        for (const aclTensor* t : tensors) {
            if (!t) RefuseNull(p, "a tensor of the list is null", "an aclTensor");
            argument.tensors.push_back(Tensor(p, *t, slots));
        }
        if (p.role != Role::kOutput && p.role != Role::kOptionalOutput) executor_.inputs.push_back(slots);
        if (p.IsResult()) executor_.outputs.push_back(std::move(slots));
    }
    void Number(const Parameter& p, const aclScalar& scalar, Argument& argument) {
        NeedType(p, static_cast<int>(scalar.type));
        argument.bytes = scalar.bytes;
        argument.tensors.push_back({static_cast<int>(scalar.type), argument.bytes.data(), {}, {}});
    }
    Argument Of(const Parameter& p, const Value& value) {
        Argument a;
        switch (value.kind) {
            case Kind::kTensor:
                if (const auto* t = Object<aclTensor>(p, value)) {
                    Tensors(p, {t}, a);
                    a.given = true;
                } else {
                    Tensors(p, {}, a);
                }
                break;
            case Kind::kTensorList:
                if (const auto* list = Object<aclTensorList>(p, value)) {
                    Tensors(p, list->values, a);
                    a.given = true;
                } else {
                    Tensors(p, {}, a);
                }
                break;
            case Kind::kScalar:
                if (const auto* s = Object<aclScalar>(p, value)) {
                    Number(p, *s, a);
                    a.given = true;
                }
                break;
            case Kind::kIntArray:
                if (const auto* list = Object<aclIntArray>(p, value)) {
                    a.integers = list->values;
                    a.given = true;
                }
                break;
            case Kind::kString:
                a.given = value.object != nullptr;
                if (a.given) a.text = static_cast<const char*>(value.object);
                break;
            case Kind::kFloat: a.real = value.real, a.given = true; break;
            default: a.number = value.number, a.given = true; break;
        }
        return a;
    }

    const Operator& op_;
    const Value* values_;
    aclOpExecutor& executor_;
};

// Whose result it is: to another runtime of the process at every run, and what is returned once for each operator.
std::vector<Report> Mark(const Operator& op) {
    static std::mutex mutex;
    static auto* told = new std::set<const Operator*>;
    Finding finding{Rule::kReferenceOperator,
                    "",
                    "the result is reference, not the board's bits",
                    "",
                    "",
                    "register an operator of your own with this name to compare bits"};
    Report report = ToReport(std::move(finding), op.name, {});
    if (host::LaunchWatcher* w = host::Device::watcher) w->Referenced(report.Json().c_str());
    std::lock_guard lock(mutex);
    if (!told->insert(&op).second) return {};
    return {std::move(report)};
}

// The addresses of now, which aclSetTensorAddr may have changed.
void Place(const aclOpExecutor& e, Call& call) {
    size_t inputs = 0, outputs = 0;
    for (size_t i = 0; i < call.arguments.size(); ++i) {
        Argument& argument = call.arguments[i];
        const Parameter& p = call.op.parameters[i];
        if (p.types == 0 || p.role == Role::kAttr) continue;
        const bool result = p.IsResult();
        const std::vector<Slot>& slots = result ? e.outputs[outputs++] : e.inputs[inputs];
        if (!result || p.role == Role::kInOut) ++inputs;
        for (size_t n = 0; n < slots.size(); ++n) {
            const aclTensor& t = slots[n].tensor;
            if (t.Count()) CheckBlock(call.op.name, p.name, t.data, t.Reach() * reference::SizeOf(t.type));
            argument.tensors[n] = ViewOf(t);
        }
    }
}

}  // namespace

aclnnStatus PrepareReference(size_t index, const Value* values, uint64_t* workspace_size, aclOpExecutor** executor) {
    const Operator& op = reference::kOperators[index];
    const std::string prepare = op.Prepare();
    if (!workspace_size || !executor) {
        host::AclCall(prepare.c_str()).RefuseNull(workspace_size ? "executor" : "workspaceSize");
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    auto e = std::make_unique<aclOpExecutor>();
    try {
        e->name = op.name;
        e->reference = std::make_shared<Call>(op, Reader(op, values, *e).Read());
        e->reference->Check();
    } catch (const reference::Refusal& refusal) {
        return Say(ToReport(refusal.finding, prepare, {}),
                   refusal.null ? ACLNN_ERR_PARAM_NULLPTR : ACLNN_ERR_PARAM_INVALID);
    }
    *workspace_size = 0;
    SetLive(e.get(), kTypeName<aclOpExecutor>);
    *executor = e.release();
    return ACLNN_SUCCESS;
}

aclnnStatus RunReference(size_t index, void* workspace, uint64_t workspace_size, aclOpExecutor* executor,
                         aclrtStream stream) {
    const Operator& op = reference::kOperators[index];
    if (const aclnnStatus error =
            CheckPhase(op.name, executor, executor && IsLive(executor) && executor->name == op.name, stream))
        return error;
    if (const aclnnStatus error = CheckWorkspace(op.name, *executor, workspace, workspace_size)) return error;
    return SubmitPhase(op.name, executor, stream, [&op, workspace](const aclOpExecutor& e, aclrtStream on) {
        LaunchOptions launch = host::OptionsOfEnvironment(Route::kAclnn, "");
        Place(e, *e.reference);
        try {
            e.reference->Compute();
        } catch (const reference::Refusal& refusal) {
            return Say(ToReport(refusal.finding, op.name, {}), ACLNN_ERR_RUNTIME_ERROR);
        }
        LaunchResult result;
        result.findings = Mark(op);
        for (Report& race : RacesOf(e, workspace, on)) result.findings.push_back(std::move(race));
        launch.kernel = op.name;
        host::Told::The().Add(launch, 0, "", result);
        const std::string faults = host::Faults(result);
        if (faults.empty()) return static_cast<aclnnStatus>(ACLNN_SUCCESS);
        if (host::ExitOnFault()) host::EndProcess(kFault, faults);
        host::Device::Say(faults);
        return static_cast<aclnnStatus>(ACLNN_ERR_RUNTIME_ERROR);
    });
}

}  // namespace sfumato::aclnn
