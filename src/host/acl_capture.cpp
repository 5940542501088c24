// SPDX-License-Identifier: Apache-2.0
// acl calls that capture a stream's work and replay it (clients.md 3.4).
#include "acl/acl_rt.h"
#include "host/capture.h"
#include "host/ranks.h"
#include "host/stream_order.h"
#include "sfumato/host/capture.h"
#include "soc/chip.h"

namespace sfumato::host {
namespace {

// A finding as an acl call says it.
aclError Ended(const AclCall& call, std::optional<Finding> finding) {
    return finding ? call.Refuse(std::move(*finding)) : ACL_SUCCESS;
}
// The same, of a stream that must exist.
template <class F>
aclError OfStream(const AclCall& call, const void* stream, F f) {
    const aclError error = call.CheckHandle(Handle::kStream, stream);
    return error ? error : Ended(call, f(Captures::The()));
}

aclError CheckModel(const AclCall& call, const void* model) {
    if (Captures::The().IsModel(model)) return ACL_SUCCESS;
    return call.Refuse({Rule::kAclHandle, "modelRI", "the model does not exist", fmt::format("{}", model),
                        "what aclmdlRICaptureEnd gave, not destroyed", ""});
}

aclError Begin(const AclCall& call, aclrtStream stream, aclmdlRICaptureMode mode) {
    try {
        const soc::Chip& chip = soc::FindChip(ChipOfEnvironment());
        if (!chip.stream_capture) {
            return call.Refuse(
                {Rule::kNpuGraphUnsupported, "", "the chip's runtime captures no streams", std::string(chip.name),
                 "Ascend910B, Ascend910_93, Ascend310P", "run the program without graphs (eager mode)"},
                ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
        }
    } catch (const std::exception& error) {
        EndProcess(kUsage, error.what());
    }
    return OfStream(call, stream, [&](Captures& captures) { return captures.Begin(stream, mode); });
}

aclError Execute(const AclCall& call, aclmdlRI model, aclrtStream stream) {
    aclError error = CheckModel(call, model);
    if (!error) error = call.CheckOwn(Handle::kStream, stream);
    if (error) return error;
    std::optional<Finding> refused;
    error = Captures::The().Execute(model, stream, refused);
    return refused ? call.Refuse(std::move(*refused)) : error;
}

}  // namespace

bool IsCaptured(const void* stream) {
    return Captures::The().busy() && Captures::The().StatusOf(stream, nullptr) != ACL_MODEL_RI_CAPTURE_STATUS_NONE;
}
bool KeepsWork(const void* stream) { return Captures::The().busy() && Captures::The().Keeps(stream); }
bool KeepWork(void* stream, const std::function<void()>& work) {
    std::optional<Finding> refused;  // of the default stream, which is not asked for
    return KeepsWork(stream) && Captures::The().Keep(
                                    stream, [work](aclrtStream) { return work(), ACL_SUCCESS; }, refused);
}
bool HoldForCapture(const void* stream, const std::shared_ptr<void>& what) {
    return Captures::The().busy() && Captures::The().Hold(stream, what);
}
bool Forbidden(HostAct act, const void* stream, TakeText take, void* refusal) {
    if (!Captures::The().busy()) return false;
    constexpr Act kActs[] = {Act::kWaitForStream, Act::kWaitForDevice, Act::kCopyPageable};
    const std::optional<Finding> why = Captures::The().Forbids(kActs[static_cast<int>(act)], stream);
    if (why) take(refusal, ToReport(*why, "", {}).Text().c_str());
    return why.has_value();
}

}  // namespace sfumato::host

using namespace sfumato::host;

aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode) {
    return Begin("aclmdlRICaptureBegin", stream, mode);
}
aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI* model) {
    const AclCall call("aclmdlRICaptureEnd");
    if (!model) return call.RefuseNull("modelRI");
    *model = nullptr;
    return OfStream(call, stream, [&](Captures& captures) { return captures.End(stream, *model); });
}
aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus* status, aclmdlRI* model) {
    const AclCall call("aclmdlRICaptureGetInfo");
    if (const aclError error = call.CheckHandle(Handle::kStream, stream)) return error;
    if (!status) return call.RefuseNull("status");
    *status = Captures::The().StatusOf(stream, model);
    return ACL_SUCCESS;
}
aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode* mode) {
    const AclCall call("aclmdlRICaptureThreadExchangeMode");
    if (!mode) return call.RefuseNull("mode");
    if (auto wrong = Captures::CheckMode(*mode)) return call.Refuse(std::move(*wrong));
    *mode = Captures::ExchangeMode(*mode);
    return ACL_SUCCESS;
}
aclError aclmdlRIExecuteAsync(aclmdlRI model, aclrtStream stream) {
    return Execute("aclmdlRIExecuteAsync", model, stream);
}
aclError aclmdlRIExecute(aclmdlRI model, int32_t timeout) {
    const AclCall call("aclmdlRIExecute");
    if (timeout != -1 && timeout <= 0) {
        return call.Refuse({sfumato::Rule::kAclArgument, "timeout", "the time is no time", fmt::format("{}", timeout),
                            "-1 (for ever), or more than 0 milliseconds", ""});
    }
    if (const aclError error = CheckAllowed(call, Act::kWaitForDevice)) return error;
    if (const aclError error = Execute(call, model, nullptr)) return error;
    if (const aclError error = CheckAllowed(call, Act::kWaitForStream)) return error;
    Ranks::The().WaitFor(call.name(), nullptr);
    StreamOrder::The().SynchronizedWith(nullptr);
    return Device::Current().Collect();
}
aclError aclmdlRIDestroy(aclmdlRI model) {
    const AclCall call("aclmdlRIDestroy");
    return Captures::The().Destroy(model) ? ACL_SUCCESS : CheckModel(call, model);
}

aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream) {
    return OfStream("aclmdlRICaptureTaskGrpBegin", stream, [&](Captures& c) { return c.GroupBegin(stream); });
}
aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp* handle) {
    const AclCall call("aclmdlRICaptureTaskGrpEnd");
    if (!handle) return call.RefuseNull("handle");
    return OfStream(call, stream, [&](Captures& c) { return c.GroupEnd(stream, *handle); });
}
aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream, aclrtTaskGrp handle) {
    return OfStream("aclmdlRICaptureTaskUpdateBegin", stream,
                    [&](Captures& c) { return c.UpdateBegin(stream, handle); });
}
aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream) {
    return OfStream("aclmdlRICaptureTaskUpdateEnd", stream, [&](Captures& c) { return c.UpdateEnd(stream); });
}
