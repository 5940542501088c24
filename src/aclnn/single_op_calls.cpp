// SPDX-License-Identifier: Apache-2.0
// The functions of acl_op.h and acl_op_compiler.h.
#include <cstring>
#include <map>
#include <mutex>

#include "acl/acl_op_compiler.h"
#include "aclnn/single_op.h"

namespace sfumato::aclnn {
namespace {

struct Arrays {
    int count;
    const aclTensorDesc* const* descs;
    const aclDataBuffer* const* buffers;
};

aclError Execute(const char* name, const char* op, Arrays in, Arrays out, const aclopAttr* attr, aclrtStream stream,
                 aclTensorDesc* const* told) {
    return Guard(name, [&] {
        OpCall call{name, op, {}, {}, {}, {}};
        call.attr = call.Take(attr);
        call.inputs = call.Take("inputDesc", in.count, in.descs);
        call.from = call.Take("inputs", in.count, in.buffers);
        call.outputs = call.Take("outputDesc", out.count, out.descs);
        call.to = call.Take("outputs", out.count, out.buffers);
        return RunOp(call, stream, told);
    });
}

struct CompileOptions {
    std::mutex mutex;
    std::map<int, std::string> values;
};
CompileOptions& TheCompileOptions() {
    static CompileOptions options;
    return options;
}
std::string CompileOption(aclCompileOpt opt) {
    std::lock_guard lock(TheCompileOptions().mutex);
    return TheCompileOptions().values[opt];
}

}  // namespace
}  // namespace sfumato::aclnn

using namespace sfumato::aclnn;

aclError aclopSetModelDir(const char* folder) {
    if (!folder) {
        RefuseArgument("aclopSetModelDir", "modelDir", "there is no folder", "nullptr", "a path");
        return ACL_ERROR_INVALID_PARAM;
    }
    std::fprintf(stderr, "note: aclopSetModelDir: operators run from installed packages; no model of '%s' is read\n",
                 folder);
    return ACL_SUCCESS;
}
aclError aclopSetMaxOpQueueNum(uint64_t count) {
    if (count) return ACL_SUCCESS;
    RefuseArgument("aclopSetMaxOpQueueNum", "maxOpNum", "there is no room for an operator", "0", "1 or more");
    return ACL_ERROR_INVALID_PARAM;
}

aclError aclopExecute(const char* op, int inputs, const aclTensorDesc* const in[], const aclDataBuffer* const from[],
                      int outputs, const aclTensorDesc* const out[], aclDataBuffer* const to[], const aclopAttr* attr,
                      aclrtStream stream) {
    return Execute("aclopExecute", op, {inputs, in, from}, {outputs, out, to}, attr, stream, nullptr);
}
aclError aclopExecuteV2(const char* op, int inputs, aclTensorDesc* in[], aclDataBuffer* from[], int outputs,
                        aclTensorDesc* out[], aclDataBuffer* to[], aclopAttr* attr, aclrtStream stream) {
    return Execute("aclopExecuteV2", op, {inputs, in, from}, {outputs, out, to}, attr, stream, out);
}
aclError aclopCompileAndExecute(const char* op, int inputs, const aclTensorDesc* const in[],
                                const aclDataBuffer* const from[], int outputs, const aclTensorDesc* const out[],
                                aclDataBuffer* const to[], const aclopAttr* attr, aclopEngineType, aclopCompileType,
                                const char*, aclrtStream stream) {
    return Execute("aclopCompileAndExecute", op, {inputs, in, from}, {outputs, out, to}, attr, stream, nullptr);
}
aclError aclopCompileAndExecuteV2(const char* op, int inputs, aclTensorDesc* in[], aclDataBuffer* from[], int outputs,
                                  aclTensorDesc* out[], aclDataBuffer* to[], aclopAttr* attr, aclopEngineType,
                                  aclopCompileType, const char*, aclrtStream stream) {
    return Execute("aclopCompileAndExecuteV2", op, {inputs, in, from}, {outputs, out, to}, attr, stream, out);
}
aclError aclopCompile(const char* op, int inputs, const aclTensorDesc* const in[], int outputs,
                      const aclTensorDesc* const out[], const aclopAttr* attr, aclopEngineType, aclopCompileType,
                      const char*) {
    const char* name = "aclopCompile";
    return Guard(name, [&] {
        OpCall call{name, op, {}, {}, {}, {}};
        call.attr = call.Take(attr);
        call.inputs = call.Take("inputDesc", inputs, in);
        call.outputs = call.Take("outputDesc", outputs, out);
        Prepared(call, PackageOf(call));
        return ACL_SUCCESS;
    });
}
aclError aclopInferShape(const char* op, int inputs, aclTensorDesc* in[], aclDataBuffer* from[], int outputs,
                         aclTensorDesc* out[], aclopAttr* attr) {
    const char* name = "aclopInferShape";
    return Guard(name, [&] {
        OpCall call{name, op, {}, {}, {}, {}};
        call.attr = call.Take(attr);
        call.inputs = call.Take("inputDesc", inputs, in);
        call.from = call.Take("inputs", inputs, from);
        call.Take("outputDesc", outputs, out);
        InferOp(call, out, outputs);
        return ACL_SUCCESS;
    });
}

aclError aclopCreateHandle(const char* op, int inputs, const aclTensorDesc* const in[], int outputs,
                           const aclTensorDesc* const out[], const aclopAttr* attr, aclopHandle** handle) {
    const char* name = "aclopCreateHandle";
    if (!handle) return AclCall(name).RefuseNull("handle");
    return Guard(name, [&] {
        OpCall call{name, op, {}, {}, {}, {}};
        call.attr = call.Take(attr);
        aclopHandle made;
        for (const aclTensorDesc* d : call.Take("inputDesc", inputs, in)) made.inputs.push_back(*d);
        for (const aclTensorDesc* d : call.Take("outputDesc", outputs, out)) made.outputs.push_back(*d);
        if (attr) made.attr = *attr;
        made.op = PackageOf(call).op;
        *handle = New(std::move(made));
        return ACL_SUCCESS;
    });
}
void aclopDestroyHandle(aclopHandle* handle) { Destroy("aclopDestroyHandle", handle); }
aclError aclopExecWithHandle(aclopHandle* handle, int inputs, const aclDataBuffer* const from[], int outputs,
                             aclDataBuffer* const to[], aclrtStream stream) {
    const char* name = "aclopExecWithHandle";
    if (!handle || !IsLive(handle))
        return RefuseObject(name, kTypeName<aclopHandle>, handle) ? ACL_ERROR_INVALID_PARAM : ACL_SUCCESS;
    return Guard(name, [&] {
        OpCall call{name, handle->op.c_str(), {}, {}, {}, {}};
        for (const aclTensorDesc& d : handle->inputs) call.inputs.push_back(&d);
        for (const aclTensorDesc& d : handle->outputs) call.outputs.push_back(&d);
        call.from = call.Take("inputs", inputs, from);
        call.to = call.Take("outputs", outputs, to);
        if (call.from.size() != call.inputs.size() || call.to.size() != call.outputs.size()) {
            call.Refuse({sfumato::Rule::kAclArgument, "handle", "the handle was made for another number of tensors",
                         fmt::format("{} and {}", call.from.size(), call.to.size()),
                         fmt::format("{} inputs and {} outputs", call.inputs.size(), call.outputs.size()), ""});
        }
        call.attr = &handle->attr;
        return RunOp(call, stream, nullptr);
    });
}

aclError aclSetCompileopt(aclCompileOpt opt, const char* value) {
    if (!value) {
        RefuseArgument("aclSetCompileopt", "value", "there is no text", "nullptr", "a value of the option");
        return ACL_ERROR_INVALID_PARAM;
    }
    std::lock_guard lock(TheCompileOptions().mutex);
    TheCompileOptions().values[opt] = value;
    return ACL_SUCCESS;
}
size_t aclGetCompileoptSize(aclCompileOpt opt) { return CompileOption(opt).size() + 1; }
aclError aclGetCompileopt(aclCompileOpt opt, char* value, size_t length) {
    const std::string set = CompileOption(opt);
    if (value && length > set.size()) return std::memcpy(value, set.c_str(), set.size() + 1), ACL_SUCCESS;
    RefuseArgument("aclGetCompileopt", "length", "there is no room for the value",
                   value ? fmt::format("{}", length) : "nullptr",
                   fmt::format("{}, of aclGetCompileoptSize", set.size() + 1));
    return ACL_ERROR_INVALID_PARAM;
}
aclError aclopSetCompileFlag(aclOpCompileFlag) { return ACL_SUCCESS; }
