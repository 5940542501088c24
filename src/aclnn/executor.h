// SPDX-License-Identifier: Apache-2.0
// What the first phase of an aclnn call leaves for the second.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "aclnn/objects.h"
#include "sfumato/host/aclnn.h"
#include "sfumato/op.h"

namespace sfumato::reference {
class Call;
}

namespace sfumato::aclnn {

// One tensor of the call: memory of the device, or values of the host that become such.
struct Slot {
    std::string name;  // of the declaration
    aclTensor tensor;
    std::string values;  // of an array or scalar; the tensor has no data then

    bool on_host = false;   // `values` holds it
    bool gathers = false;   // has gaps: the kernel gets a copy without
    bool scatters = false;  // and its result goes back
    uint64_t BytesOf() const { return tensor.Count() * aclDataTypeSize(tensor.type); }
};
using Slots = std::vector<std::vector<Slot>>;  // by declaration

// Turns the arguments into the inputs, outputs and attributes of a call. Throws KernelError; the code is in `error`.
struct Arguments {
    Slots inputs, outputs;
    std::vector<std::pair<std::string, op::AttrValue>> attrs;
    aclnnStatus error = ACLNN_SUCCESS;

    void Read(const Function& function, const op::Definition& definition, const Value* values);
    // As the operator's functions see them.
    static std::vector<std::vector<op::Tensor>> Tensors(const Slots& slots);
};

}  // namespace sfumato::aclnn

struct aclOpExecutor {
    const sfumato::aclnn::Function* function = nullptr;  // of an aclnn call
    std::string name;                                    // of the call that runs it
    std::shared_ptr<sfumato::op::Operator> op;
    std::shared_ptr<sfumato::reference::Call> reference;  // of a reference operator, which has no op
    sfumato::op::Call call;
    sfumato::op::Tiling tiling;
    sfumato::aclnn::Slots inputs, outputs;
    uint64_t workspace = 0;
    bool repeatable = false;
};

namespace sfumato::aclnn {

// Loaded once for each chip.
std::shared_ptr<op::Operator> OperatorOf(const Package& package, const std::string& chip);
// Infers, tiles and compiles; notes of the host code go to standard error. Throws KernelError, CompileError, Error.
void PrepareExecutor(aclOpExecutor& executor, const std::vector<std::pair<std::string, op::AttrValue>>& attrs,
                     bool outputs_known, bool strict);
// Runs it. Throws KernelError, Error; a kernel's faults are said, and false.
bool RunExecutor(const Package& package, void* workspace, const aclOpExecutor& executor, aclrtStream stream);

// What both kinds of operators check and tell. Codes are those of acl_meta.h, what they stand for is said.
aclnnStatus Say(const Report& report, aclnnStatus code);
// `own`: the executor is of the function.
aclnnStatus CheckPhase(const char* name, const aclOpExecutor* executor, bool own, aclrtStream stream);
aclnnStatus CheckWorkspace(const char* call, const aclOpExecutor& e, void* workspace, uint64_t size);
// Throws KernelError: host-pointer, freed-block-used, memcpy-size. `end`: bytes from p on.
void CheckBlock(const char* call, const std::string& name, const void* p, uint64_t end);
// Under streams=check: inputs are read, outputs and the workspace written.
std::vector<Report> RacesOf(const aclOpExecutor& e, const void* workspace, aclrtStream stream);
// The second phase: `run` works on the stream, now or when a capture of it is replayed, and what it throws is said. The
// executor is used up, unless it is repeatable.
using RunPhase = std::function<aclnnStatus(const aclOpExecutor&, aclrtStream)>;
aclnnStatus SubmitPhase(const char* name, aclOpExecutor* executor, aclrtStream stream, const RunPhase& run);

// The package of the operator, null when none is registered. Throws KernelError (toolkit-missing).
const Package* FindPackage(const std::string& op);
// "AddCustom, MulCustom", "none".
std::string RegisteredOperators();

}  // namespace sfumato::aclnn
