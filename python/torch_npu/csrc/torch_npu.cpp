// SPDX-License-Identifier: Apache-2.0
// libtorch_npu: the device npu for PyTorch on the memory of Sfumato's runtime, and the module torch_npu._C. One unit,
// compiled on first use against the PyTorch that is installed.
#include <ATen/autocast_mode.h>
#include <ATen/core/GeneratorForPrivateuseone.h>
#include <torch/csrc/Generator.h>
#include <torch/csrc/autograd/autograd_not_implemented_fallback.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/version.h>

#include "faults.h"
#include "format.h"
#include "graphs.h"
#include "guard.h"
#include "hooks.h"
#include "memory.h"
#include "operators.h"
#include "torch_npu/csrc/framework/utils/OpPreparation.h"
#include "torch_npu/torch_npu.h"

namespace torch_npu {
namespace {

Hooks& TheHooks() {
    static auto* hooks = new Hooks;
    return *hooks;
}
const bool kRegistered = [] {
    c10::SetAllocator(c10::DeviceType::PrivateUse1, &DeviceAllocator::The());
    c10::SetStorageImplCreate(c10::DeviceType::PrivateUse1, &NewStorage);
    at::RegisterPrivateUse1HooksInterface(&TheHooks());
    return true;
}();
#if TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR < 7  // later ones ask the hooks
at::Generator NewGenerator(c10::DeviceIndex device) { return TheHooks().getNewGenerator(device); }
REGISTER_GENERATOR_PRIVATEUSE1(NewGenerator)
#endif
C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard);

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
    m.impl("empty.memory_format", TORCH_FN(Empty));
    m.impl("empty_strided", TORCH_FN(EmptyStrided));
    m.impl("as_strided", TORCH_FN(at::native::as_strided_tensorimpl));
    m.impl("view", TORCH_FN(at::native::view));
    m.impl("_reshape_alias", TORCH_FN(at::native::_reshape_alias));
    m.impl("unfold", TORCH_FN(at::native::unfold));
    m.impl("view_as_real", TORCH_FN(at::native::view_as_real));
    m.impl("view_as_complex", TORCH_FN(at::native::view_as_complex));
    m.impl("resize_", TORCH_FN(Resize));
    m.impl("_copy_from", TORCH_FN(CopyFrom));
    m.impl("_copy_from_and_resize", TORCH_FN(CopyFromAndResize));
    m.impl("_local_scalar_dense", TORCH_FN(LocalScalarDense));
    m.impl("set_.source_Tensor", TORCH_FN(SetTensor));
    m.impl("set_.source_Storage", TORCH_FN(SetStorage));
    m.impl("set_.source_Storage_storage_offset", TORCH_FN(SetStorageAt));
    m.impl("set_", TORCH_FN(SetNothing));
    m.impl("record_stream", TORCH_FN(RecordStream));
    m.impl("convolution_overrideable", TORCH_FN(Kept<&Convolution>::Call));
    m.impl("convolution_backward_overrideable", TORCH_FN(Kept<&ConvolutionBackward>::Call));
    m.impl("_thnn_fused_lstm_cell", TORCH_FN(Kept<&LstmCell>::Call));
    m.impl("_thnn_fused_lstm_cell_backward_impl", TORCH_FN(Kept<&LstmCellBackward>::Call));
    m.impl("_thnn_fused_gru_cell", TORCH_FN(Kept<&GruCell>::Call));
    m.impl("_thnn_fused_gru_cell_backward", TORCH_FN(Kept<&GruCellBackward>::Call));
}
// A copy resolves the bits of lazy conjugates and negatives itself.
TORCH_LIBRARY_IMPL(aten, Conjugate, m) { m.impl("_copy_from", torch::CppFunction::makeFallthrough()); }
TORCH_LIBRARY_IMPL(aten, Negative, m) { m.impl("_copy_from", torch::CppFunction::makeFallthrough()); }
TORCH_LIBRARY_IMPL(_, PrivateUse1, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&Fallback>()); }

// Operators that have no gradient go past autograd; later releases than 2.6 know it of every device.
const bool kAutogradRegistered = [] {
    constexpr auto kKey = c10::DispatchKey::AutogradPrivateUse1;
    if (c10::Dispatcher::singleton().hasBackendFallbackForDispatchKey(kKey)) return false;
    static torch::Library library(torch::Library::IMPL, "_", kKey, __FILE__, __LINE__);
    library.fallback(torch::autograd::basicAutogradNotImplementedFallback());
    return true;
}();

// torch.autocast("npu"), with PyTorch's own lists.
TORCH_LIBRARY_IMPL(_, AutocastPrivateUse1, m) { m.fallback(torch::CppFunction::makeFallthrough()); }
#ifdef AT_FORALL_LOWER_PRECISION_FP  // older releases have no lists to take
TORCH_LIBRARY_IMPL(aten, AutocastPrivateUse1, m){
#define SFUMATO_LOWER(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, lower_precision_fp)
#define SFUMATO_FP32(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32)
#define SFUMATO_FP32_UNLESS_ASKED(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32_set_opt_dtype)
#define SFUMATO_PROMOTE(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, promote)
    AT_FORALL_LOWER_PRECISION_FP(SFUMATO_LOWER) AT_FORALL_FP32(SFUMATO_FP32)
        AT_FORALL_FP32_SET_OPT_DTYPE(SFUMATO_FP32_UNLESS_ASKED) AT_FORALL_PROMOTE(SFUMATO_PROMOTE)
#undef SFUMATO_LOWER
#undef SFUMATO_FP32
#undef SFUMATO_FP32_UNLESS_ASKED
#undef SFUMATO_PROMOTE
}
#endif

TORCH_LIBRARY(npu, m) {
    m.def("npu_format_cast(Tensor self, int acl_format) -> Tensor");
    m.def("get_npu_format(Tensor self) -> int");
    m.def("get_storage_size(Tensor self) -> int");
}
TORCH_LIBRARY_IMPL(npu, CompositeExplicitAutograd, m) {
    m.impl("npu_format_cast", TORCH_FN(Kept<&FormatCast>::Call));
    m.impl("get_npu_format", TORCH_FN(at_npu::native::get_npu_format));
    m.impl("get_storage_size",
           [](const at::Tensor& self) { return c10::multiply_integers(at_npu::native::get_npu_storage_sizes(self)); });
}

at::Tensor FromBlob(void* data, c10::IntArrayRef sizes, c10::IntArrayRef strides, c10::DataPtr owner,
                    const c10::TensorOptions& options) {
    (void)data;
    const c10::Device device = Devices::Npu(Devices::Current());
    at::Tensor tensor =
        Empty({0}, c10::typeMetaToScalarType(options.dtype()), c10::nullopt, device, c10::nullopt, c10::nullopt);
    const auto bytes = static_cast<int64_t>(
        at::detail::computeStorageNbytes(sizes, strides, static_cast<size_t>(tensor.element_size())));
    tensor.set_(c10::Storage(c10::make_intrusive<NPUStorageImpl>(c10::StorageImpl::use_byte_size_t(), bytes,
                                                                 std::move(owner), nullptr, false)),
                0, sizes, strides);
    DescribeAs(tensor, ACL_FORMAT_ND, tensor.sizes());
    return tensor;
}

}  // namespace
}  // namespace torch_npu

namespace c10_npu {
using torch_npu::Devices;

NPUStream getCurrentNPUStream(c10::DeviceIndex device) {
    return NPUStream(Devices::CurrentStream(Devices::Resolve(device)));
}
NPUStream getDefaultNPUStream(c10::DeviceIndex device) {
    return NPUStream(c10::Stream(c10::Stream::DEFAULT, Devices::Npu(Devices::Resolve(device))));
}
NPUStream getNPUStreamFromPool(c10::DeviceIndex device) {
    return NPUStream(torch_npu::PoolStream(Devices::Resolve(device)));
}
NPUStream getStreamFromPool(bool, c10::DeviceIndex device) { return getNPUStreamFromPool(device); }
void setCurrentNPUStream(NPUStream stream) { Devices::SetCurrentStream(stream.unwrap()); }
bool npuSynchronizeDevice(bool check_error) {
    if (check_error) torch_npu::RaiseFaults();
    return true;
}

c10::DeviceIndex device_count() noexcept { return Devices::Count(); }
c10::DeviceIndex device_count_ensure_non_zero() { return Devices::Count(); }
c10::DeviceIndex current_device() { return Devices::Current(); }
void set_device(c10::DeviceIndex device) { Devices::Set(device); }
void device_synchronize() { torch_npu::RaiseFaults(); }
aclError GetDeviceCount(int32_t* count) { return *count = Devices::Count(), ACL_SUCCESS; }
aclError GetDevice(int32_t* device) { return *device = Devices::Current(), ACL_SUCCESS; }
aclError SetDevice(c10::DeviceIndex device) {
    if (device < 0 || device >= Devices::Count()) return ACL_ERROR_INVALID_PARAM;
    return Devices::Set(device), ACL_SUCCESS;
}
c10::DeviceIndex ExchangeDevice(c10::DeviceIndex device) { return torch_npu::TheHooks().exchangeDevice(device); }
c10::DeviceIndex MaybeExchangeDevice(c10::DeviceIndex device) { return torch_npu::TheHooks().exchangeDevice(device); }

}  // namespace c10_npu

namespace at_npu::native {

OpCommand& OpCommand::Name(const std::string& name) { return name_ = name, *this; }
OpCommand& OpCommand::SetCustomHandler(PROC_FUNC handler) { return handler_ = std::move(handler), *this; }
void OpCommand::Run() {
    TORCH_CHECK(handler_, "OpCommand ", name_, ": there is no handler to run");
    const PROC_FUNC handler = std::move(handler_);
    handler_ = nullptr;
    RunOpApi(name_, handler);
}
void OpCommand::RunOpApi(const std::string& name, PROC_FUNC handler, bool) {
    const int code = handler();
    const std::string faults = sfumato::host::CollectFaults();
    TORCH_CHECK(faults.empty(), faults);
    if (code == 0) return;
    const char* text = aclGetRecentErrMsg();
    TORCH_CHECK(false, "OpCommand ", name, ": its handler returned ", code, text ? "\n" : "", text ? text : "");
}
void OpCommand::RunOpApiV2(const std::string& name, const PROC_FUNC& handler, bool sync) {
    RunOpApi(name, handler, sync);
}
OpCommand& OpCommand::RefuseVendorOperator(const char* call) {
    TORCH_CHECK_NOT_IMPLEMENTED(
        false, "OpCommand ", name_, ": ", call,
        ": the vendor's operators are not provided; call a kernel of yours in SetCustomHandler");
    return *this;
}

int64_t get_npu_format(const at::Tensor& tensor) {
    torch_npu::utils::torch_check_npu(tensor);
    return torch_npu::DescOf(tensor).npu_format_;
}
std::vector<int64_t> get_npu_storage_sizes(const at::Tensor& tensor) {
    torch_npu::utils::torch_check_npu(tensor);
    const auto& sizes = torch_npu::DescOf(tensor).storage_sizes_;
    return {sizes.begin(), sizes.end()};
}
at::Tensor npu_format_cast(const at::Tensor& tensor, int64_t format) { return torch_npu::FormatCast(tensor, format); }
at::Tensor empty_with_format(c10::IntArrayRef sizes, const c10::TensorOptions& options, int64_t format, bool) {
    return torch_npu::EmptyWithFormat(sizes, options, format);
}

at::Tensor OpPreparation::apply_tensor_without_format(c10::IntArrayRef sizes, const c10::TensorOptions& options) {
    return at::empty(sizes, options);
}
at::Tensor OpPreparation::apply_tensor_without_format(const at::Tensor& like) {
    return at::empty(like.sizes(), like.options());
}
at::Tensor OpPreparation::apply_tensor_without_format(const at::Tensor& like, c10::IntArrayRef sizes) {
    return at::empty(sizes, like.options());
}
at::Tensor OpPreparation::unsafe_empty_workspace(uint64_t bytes) {
    return at::empty({static_cast<int64_t>(bytes)},
                     at::TensorOptions(at::kByte).device(torch_npu::Devices::Npu(torch_npu::Devices::Current())));
}

at::Tensor from_blob(void* data, c10::IntArrayRef sizes, const c10::TensorOptions& options) {
    return from_blob(data, sizes, c10::contiguous_strides(sizes), options);
}
at::Tensor from_blob(void* data, c10::IntArrayRef sizes, c10::IntArrayRef strides, const c10::TensorOptions& options) {
    const c10::Device device = torch_npu::Devices::Npu(torch_npu::Devices::Current());
    return torch_npu::FromBlob(data, sizes, strides, {data, device}, options);
}
at::Tensor from_blob(void* data, c10::IntArrayRef sizes, const std::function<void(void*)>& deleter,
                     const c10::TensorOptions& options) {
    const c10::Device device = torch_npu::Devices::Npu(torch_npu::Devices::Current());
    return torch_npu::FromBlob(data, sizes, c10::contiguous_strides(sizes),
                               c10::InefficientStdFunctionContext::makeDataPtr(data, deleter, device), options);
}

}  // namespace at_npu::native

namespace torch_npu {

void init_npu(c10::DeviceIndex device) { Devices::Set(device); }
void init_npu(const at::Device& device) { Devices::Set(Devices::Resolve(device)); }
void init_npu(const std::string& device) {
    const size_t colon = device.find(':');
    TORCH_CHECK(device.substr(0, colon) == "npu", "init_npu: expected a device npu, found ", device);
    Devices::Set(colon == std::string::npos ? Devices::Current()
                                            : static_cast<c10::DeviceIndex>(std::atoi(device.c_str() + colon + 1)));
}
void finalize_npu() { RaiseFaults(); }

}  // namespace torch_npu

namespace torch::npu {
void synchronize(int64_t device) {
    torch_npu::Devices::Resolve(static_cast<c10::DeviceIndex>(device));
    torch_npu::RaiseFaults();
}
}  // namespace torch::npu

PYBIND11_MODULE(_C, m) {
    namespace py = pybind11;
    using torch_npu::Devices;

    m.def("raise_faults_as", [](py::object type) { torch_npu::Watcher::The().RaiseAs(type.ptr()); });
    m.def("collect_faults", [] { return sfumato::host::CollectFaults(); });
    m.def("last_fault", []() -> std::pair<std::string, std::string> {
        std::pair<std::string, std::string> fault;
        sfumato::host::LastFault(&sfumato::host::TakeString, &fault.first, &fault.second);
        return fault;
    });
    m.def("record_launches", [](bool on) { torch_npu::Watcher::The().Record(on); });
    m.def("take_launches", [] {
        py::list launches;
        for (const auto& note : torch_npu::Watcher::The().TakeNotes())
            launches.append(py::make_tuple(note.kernel, note.blocks, note.records, note.seconds, note.file, note.line));
        return launches;
    });
    m.def("take_references", [] { return torch_npu::Watcher::The().TakeReferences(); });
    // Of torch.ops.npu: results of tensors that need gradients say so, and backward() raises.
    m.def("refuse_gradients", [](const std::vector<std::string>& operators) {
        static torch::Library library(torch::Library::IMPL, "npu", c10::DispatchKey::AutogradPrivateUse1, __FILE__,
                                      __LINE__);
        for (const std::string& name : operators)
            library.impl(name.c_str(), torch::autograd::autogradNotImplementedFallback());
    });
    torch_npu::DefineGraphs(m);

    m.def("device_count", &Devices::Count);
    m.def("current_device", &Devices::Current);
    m.def("set_device", &Devices::Set);
    m.def("check_device", &Devices::Check);
    m.def("soc_name", &aclrtGetSocName);
    m.def("cores", [] {
        int64_t cube = 0, vector = 0;
        aclGetDeviceCapability(0, ACL_DEVICE_INFO_AI_CORE_NUM, &cube);
        aclGetDeviceCapability(0, ACL_DEVICE_INFO_VECTOR_CORE_NUM, &vector);
        return std::pair(cube, vector);
    });
    m.def("memory", [] {
        size_t free = 0, total = 0;
        aclrtGetMemInfo(ACL_HBM_MEM, &free, &total);
        return std::pair(free, total);
    });
    m.def("cache", [] {
        const auto stats = sfumato::host::StatsOfCache();
        py::dict all;
        all["allocated"] = stats.allocated, all["peak_allocated"] = stats.peak_allocated;
        all["reserved"] = stats.reserved, all["peak_reserved"] = stats.peak_reserved;
        all["blocks"] = stats.blocks, all["taken"] = stats.taken;
        return all;
    });
    m.def("empty_cache", &sfumato::host::ReleaseCached);
    m.def("reset_peaks", &sfumato::host::ResetCachePeaks);

    m.def("new_stream", [] { return torch_npu::NewStream(Devices::Current()).id(); });
    m.def("current_stream", [](int device) {
        return Devices::CurrentStream(Devices::Resolve(static_cast<c10::DeviceIndex>(device))).id();
    });
    m.def("set_stream", [](int device, int64_t id) {
        Devices::SetCurrentStream(
            c10::Stream(c10::Stream::UNSAFE, Devices::Npu(static_cast<c10::DeviceIndex>(device)), id));
    });
    m.def("new_event", [](bool external) {
        aclrtEvent event = nullptr;
        torch_npu::CheckAcl(external ? aclrtCreateEventWithFlag(&event, ACL_EVENT_EXTERNAL) : aclrtCreateEvent(&event));
        return reinterpret_cast<int64_t>(event);
    });
    m.def("destroy_event", [](int64_t event) { aclrtDestroyEvent(reinterpret_cast<aclrtEvent>(event)); });
    const auto of_both = [&m](const char* name, aclError (*call)(aclrtEvent, aclrtStream)) {
        m.def(name, [call](int64_t event, int64_t stream) {
            torch_npu::CheckAcl(call(reinterpret_cast<aclrtEvent>(event), reinterpret_cast<aclrtStream>(stream)));
        });
    };
    of_both("record_event", &aclrtRecordEvent);
    of_both("reset_event", &aclrtResetEvent);
    of_both("wait_event", [](aclrtEvent event, aclrtStream stream) { return aclrtStreamWaitEvent(stream, event); });
    m.def("synchronize_event",
          [](int64_t event) { torch_npu::CheckAcl(aclrtSynchronizeEvent(reinterpret_cast<aclrtEvent>(event))); });
    m.def("query_event", [](int64_t event) {
        aclrtEventRecordedStatus status{};
        torch_npu::CheckAcl(aclrtQueryEventStatus(reinterpret_cast<aclrtEvent>(event), &status));
        return status == ACL_EVENT_RECORDED_STATUS_COMPLETE;
    });
    m.def("elapsed_time", [](int64_t start, int64_t end) {
        float milliseconds = 0;
        torch_npu::CheckAcl(aclrtEventElapsedTime(&milliseconds, reinterpret_cast<aclrtEvent>(start),
                                                  reinterpret_cast<aclrtEvent>(end)));
        return milliseconds;
    });
    m.def("default_generator", [](int device) {
        return py::reinterpret_steal<py::object>(
            THPGenerator_Wrap(torch_npu::GeneratorOfDevice::Default(static_cast<c10::DeviceIndex>(device))));
    });
}
