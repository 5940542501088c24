// SPDX-License-Identifier: Apache-2.0
// Calls the operators of the project: each case prints codes, reports and results.
#include <cstdio>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_blend_custom.h"
#include "aclnn_fractal_custom.h"
#include "aclnn_shift_custom.h"
#include "aclnn_step_custom.h"

namespace {

using Ints = std::vector<int64_t>;

void* Device(const std::vector<float>& values) {
    void* p = nullptr;
    aclrtMalloc(&p, values.size() * 4, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(p, values.size() * 4, values.data(), values.size() * 4, ACL_MEMCPY_HOST_TO_DEVICE);
    return p;
}

aclTensor* Tensor(void* p, const Ints& shape, const Ints& strides, int64_t offset, int64_t held,
                  aclDataType type = ACL_FLOAT, aclFormat format = ACL_FORMAT_ND) {
    return aclCreateTensor(shape.data(), shape.size(), type, strides.empty() ? nullptr : strides.data(), offset, format,
                           &held, 1, p);
}

void Show(const char* what, const void* p, size_t count) {
    std::vector<float> host(count);
    aclrtMemcpy(host.data(), count * 4, p, count * 4, ACL_MEMCPY_DEVICE_TO_HOST);
    std::printf("%s:", what);
    for (const float v : host) std::printf(" %g", v);
    std::printf("\n");
}

void Said(const char* what, int code) {
    const char* text = aclGetRecentErrMsg();
    std::printf("%s: %d\n%s%s", what, code, text ? text : "", text ? "\n" : "");
}

char kNone[] = "none", kAll[] = "all";

struct Blend {
    const aclTensor *x = nullptr, *y = nullptr, *z = nullptr;
    const aclIntArray *shift = nullptr, *ints = nullptr;
    const aclFloatArray* floats = nullptr;
    double alpha = 2;
    int64_t more = 0;
    bool hundred = false;
    char* mode = kNone;
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;

    int First() {
        return aclnnBlendCustomGetWorkspaceSize(x, y, shift, alpha, more, hundred, mode, ints, floats, z, &size,
                                                &executor);
    }
    // Both phases; what is wrong is shown.
    int Run() {
        int code = First();
        if (code) return code;
        void* workspace = nullptr;
        aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST);
        code = aclnnBlendCustom(workspace, size, executor, nullptr);
        aclrtFree(workspace);
        return code;
    }
};

// The functions of StepCustom: versions, tensors for arrays, a list of lists.
struct Step {
    const aclTensor *x, *y, *table_tensor, *scales_tensor, *z;
    const aclIntArray *table, *pairs, *lengths;
    const aclFloatArray* scales;
    void* out;
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;

    Step(void* in, void* its_out) : out(its_out) {
        const int64_t numbers[] = {5, 6, 7}, ends[] = {2, 0, 1};
        const float reals[] = {0.5f};
        void* on_device = nullptr;
        aclrtMalloc(&on_device, 8, ACL_MEM_MALLOC_HUGE_FIRST);
        aclrtMemcpy(on_device, 8, numbers, 8, ACL_MEMCPY_HOST_TO_DEVICE);
        x = y = Tensor(in, {4}, {}, 0, 8);
        z = Tensor(out, {4}, {}, 0, 8);
        table_tensor = Tensor(on_device, {1}, {}, 0, 1, ACL_INT64);
        scales_tensor = Tensor(in, {1}, {}, 0, 8);
        table = aclCreateIntArray(numbers, 1), pairs = aclCreateIntArray(numbers, 3);
        lengths = aclCreateIntArray(ends, 3), scales = aclCreateFloatArray(reals, 1);
    }
    void Then(const char* what, int code, int (*second)(void*, uint64_t, aclOpExecutor*, aclrtStream)) {
        Said(what, code ? code : second(nullptr, size, executor, nullptr));
        Show("out", out, 4);
    }
    int First2(const aclIntArray* values, const aclIntArray* ends) {
        return aclnnStepCustomV2GetWorkspaceSize(x, table, y, scales, values, ends, z, &size, &executor);
    }
};

// A matrix in FRACTAL_NZ, its memory told as dimensions or as one number.
int RunFractal(void* in, void* out, const Ints& stored) {
    const int64_t shape[] = {20, 3};
    aclTensor* x =
        aclCreateTensor(shape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_FRACTAL_NZ, stored.data(), stored.size(), in);
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const int code = aclnnFractalCustomGetWorkspaceSize(x, Tensor(out, {4}, {}, 0, 8), &size, &executor);
    return code ? code : aclnnFractalCustom(nullptr, size, executor, nullptr);
}

void Right(void* in, void* out) {
    Blend b;
    b.x = Tensor(in, {2, 3}, {}, 0, 8, ACL_FLOAT, ACL_FORMAT_NCHW);
    b.z = Tensor(out, {2, 3}, {}, 0, 8);
    Said("plain", b.Run());
    Show("out", out, 8);
    const int64_t numbers[] = {10, 20};
    const float reals[] = {0.25f};
    b.y = b.x, b.shift = aclCreateIntArray(numbers, 1), b.more = 7, b.hundred = true, b.mode = kAll;
    b.ints = aclCreateIntArray(numbers, 2), b.floats = aclCreateFloatArray(reals, 1);
    Said("all", b.Run());
    Show("out", out, 8);
    Blend views;
    views.x = Tensor(in, {3, 2}, {1, 3}, 1, 8);
    views.z = Tensor(out, {3, 2}, {1, 4}, 0, 8);
    Said("views", views.Run());
    Show("out", out, 8);
    Blend empty;
    empty.x = Tensor(nullptr, {0, 3}, {}, 0, 0);
    empty.z = Tensor(nullptr, {0, 3}, {}, 0, 0);
    Said("empty", empty.Run());
    aclTensor* x = Tensor(in, {4}, {}, 2, 8);
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    Said("in place", aclnnShiftCustomGetWorkspaceSize(x, &size, &executor));
    Said("repeatable", aclSetAclOpExecutorRepeatable(executor));
    Said("run", aclnnShiftCustom(nullptr, size, executor, nullptr));
    Said("address", aclSetInputTensorAddr(executor, 0, x, out) | aclSetOutputTensorAddr(executor, 0, x, out));
    Said("run", aclnnShiftCustom(nullptr, size, executor, nullptr));
    Show("in", in, 8);
    Show("out", out, 8);
    Said("destroy", aclDestroyAclOpExecutor(executor));
    Step s(Device({1, 2, 3, 4, 5, 6, 7, 8}), out);
    s.Then("version 0", aclnnStepCustomGetWorkspaceSize(s.x, s.table, s.z, &s.size, &s.executor), aclnnStepCustom);
    s.Then("version 1", aclnnStepCustomV1GetWorkspaceSize(s.x, s.table, s.y, s.z, &s.size, &s.executor),
           aclnnStepCustomV1);
    s.Then("version 2", s.First2(s.pairs, s.lengths), aclnnStepCustomV2);
    s.Then("default", s.First2(nullptr, nullptr), aclnnStepCustomV2);
    s.Then("tensors", aclnnStepCustomTensorGetWorkspaceSize(s.x, s.table_tensor, s.z, &s.size, &s.executor),
           aclnnStepCustom);
    s.Then("tensors, version 2",
           aclnnStepCustomV2TensorGetWorkspaceSize(s.x, s.table_tensor, s.y, nullptr, s.pairs, s.lengths, s.z, &s.size,
                                                   &s.executor),
           aclnnStepCustomV2);
    std::vector<float> fractals(256, 0);
    fractals.back() = 9;
    void* matrix = Device(fractals);
    for (const Ints& stored : {Ints{1, 2, 16, 8}, Ints{256}}) {
        Said("fractals", RunFractal(matrix, out, stored));
        Show("out", out, 4);
    }
}

void Wrong(void* in, void* out) {
    Blend good;
    good.x = Tensor(in, {2, 3}, {}, 0, 8);
    good.z = Tensor(out, {2, 3}, {}, 0, 8);
    Blend b = good;
    b.x = nullptr;
    Said("null", b.First());
    b.x = reinterpret_cast<const aclTensor*>(aclCreateIntArray(nullptr, 0));
    Said("other object", b.First());
    b.x = Tensor(in, {2, 3}, {}, 0, 8, ACL_INT32);
    Said("type", b.First());
    b = good;
    b.z = Tensor(out, {3, 2}, {}, 0, 8);
    Said("shape", b.First());
    b.x = b.z = Tensor(in, {1, 1, 1, 2, 3}, {}, 0, 8);
    Said("inference", b.First());
    b = good;
    Said("no place", aclnnBlendCustomGetWorkspaceSize(b.x, b.y, b.shift, 1, 0, false, kNone, nullptr, nullptr, b.z,
                                                      nullptr, &b.executor));
    Said("first", b.First());
    Said("no workspace", aclnnBlendCustom(nullptr, 0, b.executor, nullptr));
    Said("another's", aclnnShiftCustom(nullptr, 0, b.executor, nullptr));
    Said("stream", aclnnBlendCustom(in, 64, b.executor, in));
    Said("host workspace", aclnnBlendCustom(&b, 64, b.executor, nullptr));
    Said("used", aclnnBlendCustom(in, 64, b.executor, nullptr));
    Said("none", aclnnBlendCustom(in, 64, nullptr, nullptr));
    std::vector<float> host(8);
    b.x = Tensor(host.data(), {2, 3}, {}, 0, 8);
    Said("host pointer", b.Run());
    b.x = Tensor(static_cast<float*>(in) + 4, {2, 3}, {}, 0, 8);
    Said("too long", b.Run());
    aclTensor* gaps = Tensor(in, {2}, {2}, 0, 8);
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    Said("gaps", aclnnShiftCustomGetWorkspaceSize(gaps, &size, &executor));
    aclTensor* bad = Tensor(Device({13, 1, 1, 1}), {4}, {}, 0, 4);
    Said("first", aclnnShiftCustomGetWorkspaceSize(bad, &size, &executor));
    Said("index", aclSetInputTensorAddr(executor, 1, bad, in));
    Said("fault", aclnnShiftCustom(nullptr, size, executor, nullptr));
    Step s(in, out);
    Said("lengths", s.First2(s.pairs, s.table));
    Said("too many", s.First2(s.table, s.lengths));
    Said("one array", s.First2(s.pairs, nullptr));
    Said("tensor for array", aclnnStepCustomTensorGetWorkspaceSize(s.x, reinterpret_cast<const aclTensor*>(s.table),
                                                                   s.z, &s.size, &s.executor));
    Said("needed values", aclnnStepCustomV2TensorGetWorkspaceSize(s.x, s.table_tensor, s.y, s.scales_tensor, s.pairs,
                                                                  s.lengths, s.z, &s.size, &s.executor));
    Said("first", s.First2(s.pairs, s.lengths));
    Said("another version", aclnnStepCustomV1(nullptr, s.size, s.executor, nullptr));
    Said("other fractals", RunFractal(Device(std::vector<float>(256, 0)), out, {1, 1, 16, 8}));
    Said("short of fractals", RunFractal(Device(std::vector<float>(128, 0)), out, {1, 2, 16, 8}));
}

// Under streams=check,strict=1.
void Streams(void* in, void* out) {
    Step s(in, out);
    aclrtStream a = nullptr, b = nullptr;
    aclrtEvent event = nullptr;
    aclrtCreateStream(&a), aclrtCreateStream(&b), aclrtCreateEvent(&event);
    const aclTensor *first = s.x, *third = Tensor(Device({0, 0, 0, 0}), {4}, {}, 0, 4);
    const auto on = [&](aclrtStream stream, const aclTensor* from, const aclTensor* to) {
        const int code = aclnnStepCustomGetWorkspaceSize(from, s.table, to, &s.size, &s.executor);
        return code ? code : aclnnStepCustom(nullptr, s.size, s.executor, stream);
    };
    Said("writes", on(a, first, s.z));
    Said("reads", on(b, s.z, third));
    aclrtRecordEvent(event, a), aclrtStreamWaitEvent(b, event);
    Said("behind an event", on(b, s.z, third));
    Said("writes over", on(a, first, third));
}

}  // namespace

int main(int count, char** words) {
    void* in = Device({1, 2, 3, 4, 5, 6, 7, 8});
    void* out = Device({-1, -1, -1, -1, -1, -1, -1, -1});
    const std::string mode = count == 1 ? "right" : words[1];
    mode == "right" ? Right(in, out) : mode == "wrong" ? Wrong(in, out) : Streams(in, out);
}
