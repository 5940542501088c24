// SPDX-License-Identifier: Apache-2.0
// Calls an aclnn function of an operator package: looked up by name, in two phases, the workspace gone before the
// second.
#include <dlfcn.h>
#include <ATen/ATen.h>
#include <torch/csrc/utils/pybind.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "acl/acl.h"
#include "torch_npu/csrc/core/npu/NPUStream.h"
#include "torch_npu/csrc/framework/OpCommand.h"
#include "torch_npu/csrc/framework/utils/OpPreparation.h"

struct aclTensor;
struct aclScalar;
struct aclOpExecutor;

// The folders of ASCEND_CUSTOM_OPP_PATH, then the vendors of ASCEND_OPP_PATH.
static std::vector<std::string> Packages() {
    std::vector<std::string> folders;
    std::istringstream custom(std::getenv("ASCEND_CUSTOM_OPP_PATH") ? std::getenv("ASCEND_CUSTOM_OPP_PATH") : "");
    for (std::string folder; std::getline(custom, folder, ':');) folders.push_back(folder);
    const std::string opp = std::getenv("ASCEND_OPP_PATH") ? std::getenv("ASCEND_OPP_PATH") : "";
    std::ifstream config(opp + "/vendors/config.ini");
    for (std::string line; std::getline(config, line);) {
        if (line.rfind("load_priority=", 0) != 0) continue;
        std::istringstream vendors(line.substr(14));
        for (std::string vendor; std::getline(vendors, vendor, ',');) folders.push_back(opp + "/vendors/" + vendor);
    }
    return folders;
}
static void* Find(const char* name) {
    static const std::vector<void*> libraries = [] {
        std::vector<void*> opened;
        for (const std::string& folder : Packages())
            opened.push_back(dlopen((folder + "/op_api/lib/libcust_opapi.so").c_str(), RTLD_LAZY));
        opened.push_back(dlopen("libopapi.so", RTLD_LAZY));
        return opened;
    }();
    for (void* library : libraries) {
        void* symbol = library ? dlsym(library, name) : nullptr;
        if (symbol) return symbol;
    }
    TORCH_CHECK(false, name, " is in no operator package");
}
template <class Function>
static Function* Find(const char* name) {
    return reinterpret_cast<Function*>(Find(name));
}

static aclTensor* Convert(const at::Tensor& t) {
    const int64_t stored = static_cast<int64_t>(t.storage().nbytes() / t.element_size());
    const aclDataType type = t.scalar_type() == at::kFloat ? ACL_FLOAT : ACL_FLOAT16;
    using Create = aclTensor*(const int64_t*, uint64_t, aclDataType, const int64_t*, int64_t, aclFormat, const int64_t*,
                              uint64_t, void*);
    return Find<Create>("aclCreateTensor")(t.sizes().data(), static_cast<uint64_t>(t.dim()), type, t.strides().data(),
                                           t.storage_offset(), ACL_FORMAT_ND, &stored, 1, t.storage().mutable_data());
}
static aclScalar* Convert(double value) {
    return Find<aclScalar*(void*, aclDataType)>("aclCreateScalar")(&value, ACL_DOUBLE);
}
// An attribute of an operator project: passed as it is.
struct Attribute {
    double value;
};
static double Convert(Attribute attribute) { return attribute.value; }
static void Release(double) {}
static void Release(aclTensor* tensor) { Find<int(const aclTensor*)>("aclDestroyTensor")(tensor); }
static void Release(aclScalar* scalar) { Find<int(const aclScalar*)>("aclDestroyScalar")(scalar); }

template <class... Arguments>
static void Call(const std::string& name, const Arguments&... arguments) {
    const auto converted = std::make_tuple(Convert(arguments)...);
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const int code = std::apply(
        [&](auto... a) {
            const std::string first = name + "GetWorkspaceSize";
            return Find<int(decltype(a)..., uint64_t*, aclOpExecutor**)>(first.c_str())(a..., &size, &executor);
        },
        converted);
    TORCH_CHECK(code == 0, name, "GetWorkspaceSize returned ", code);
    void* workspace = nullptr;
    if (size) workspace = at_npu::native::OpPreparation::unsafe_empty_workspace(size).data_ptr();
    const auto stream = c10_npu::getCurrentNPUStream().stream(false);
    at_npu::native::OpCommand::RunOpApi(name, [=]() -> int {
        const int second =
            Find<int(void*, uint64_t, aclOpExecutor*, aclrtStream)>(name.c_str())(workspace, size, executor, stream);
        std::apply([](auto... a) { (Release(a), ...); }, converted);
        return second;
    });
}
#define EXEC_NPU_CMD(function, ...) Call(#function, __VA_ARGS__)

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("scale_add", [](const at::Tensor& x, const at::Tensor& y, double alpha) {
        at::Tensor out = at::empty_like(x);
        EXEC_NPU_CMD(aclnnScaleAdd, x, y, alpha, out);
        return out;
    });
    m.def("axpy", [](const at::Tensor& x, const at::Tensor& y, double alpha) {
        at::Tensor out = at::empty_like(x);
        EXEC_NPU_CMD(aclnnAxpyCustom, x, y, Attribute{alpha}, out);
        return out;
    });
    m.def("missing", [](const at::Tensor& x) { EXEC_NPU_CMD(aclnnNowhere, x); });
}
