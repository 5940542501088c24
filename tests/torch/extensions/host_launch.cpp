// SPDX-License-Identifier: Apache-2.0
// A kernel and its launch in a .cpp that torch.utils.cpp_extension.load compiles with CXX=bisheng: a gradient by
// kernels, and launches that must fail.
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/utils/pybind.h>

#include <thread>

#include "acl/acl.h"
#include "kernel_operator.h"
#include "torch_npu/csrc/aten/common/from_blob.h"
#include "torch_npu/csrc/core/npu/NPUStream.h"

using namespace AscendC;

__global__ __aicore__ void muls_kernel(GM_ADDR x, GM_ADDR y, float factor, uint32_t count) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, (count + 7) / 8 * 8 * sizeof(float));
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(x), count);
    to.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(y), count);
    LocalTensor<float> t = buffer.Get<float>();
    const DataCopyExtParams bytes{1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0};
    DataCopyPad(t, from, bytes, DataCopyPadExtParams<float>{false, 0, 0, 0});
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Muls(t, t, factor, count);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopyPad(to, t, bytes);
}

static void Launch(void* x, void* y, float factor, int64_t count) {
    const auto n = static_cast<uint32_t>(count);
    muls_kernel<<<1, nullptr, c10_npu::getCurrentNPUStream()>>>(x, y, factor, n);
}
static at::Tensor Times(const at::Tensor& x, double factor) {
    at::Tensor y = at::empty_like(x);
    Launch(x.data_ptr(), y.data_ptr(), static_cast<float>(factor), x.numel());
    return y;
}

struct Scale : torch::autograd::Function<Scale> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x, double factor) {
        context->saved_data["factor"] = factor;
        return Times(x, factor);
    }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        return {Times(gradients[0].contiguous(), context->saved_data["factor"].toDouble()), at::Tensor()};
    }
};

// A tensor over memory of aclrtMalloc.
static at::Tensor Foreign(int64_t count) {
    void* block = nullptr;
    TORCH_CHECK(aclrtMalloc(&block, static_cast<size_t>(count) * 4, ACL_MEM_MALLOC_HUGE_FIRST) == 0);
    return at_npu::native::from_blob(
        block, {count}, [](void* p) { aclrtFree(p); }, at::kFloat);
}

static void FromThread(const at::Tensor& x) {
    std::thread([&] { Launch(x.data_ptr(), x.data_ptr(), 1, 1 << 20); }).join();
}

struct AtDestruction {
    at::Tensor x;
    ~AtDestruction() { Launch(x.data_ptr(), x.data_ptr(), 1, 1 << 20); }
};
static int64_t InDestructor(const at::Tensor& x) {
    AtDestruction last{x};
    return x.numel();
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("scale", [](const at::Tensor& x, double factor) { return Scale::apply(x, factor); });
    m.def("times", &Times);
    m.def("times_at", [](int64_t x, int64_t y, double factor, int64_t count) {
        Launch(reinterpret_cast<void*>(x), reinterpret_cast<void*>(y), static_cast<float>(factor), count);
    });
    m.def("foreign", &Foreign);
    m.def("from_thread", &FromThread);
    m.def("in_destructor", &InDestructor);
}
