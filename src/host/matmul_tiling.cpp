// SPDX-License-Identifier: Apache-2.0
// The tiling classes of Matmul: the planner (src/tiling), whose errors become -1 and a message.
#include "sfumato/host/matmul_tiling.h"

#include <fmt/format.h>

#include <optional>

#include "host/said.h"
#include "host/type_bits.h"
#include "sfumato/tiling/cube_planner.h"
#include "soc/chip.h"

namespace matmul_tiling {
namespace {

using sfumato::Error;
using sfumato::host::Tried;
using sfumato::tiling::CubeMachine;
using sfumato::tiling::CubeOperand;
using sfumato::tiling::CubePlanner;
using sfumato::tiling::CubeSizes;

sfumato::DataType TypeOf(const char* call, DataType type) {
    const auto number = static_cast<uint64_t>(type);
    if (const auto found = sfumato::host::KernelType(number); found != sfumato::DataType::kCount) return found;
    const char* name = sfumato::tiling::NameOfType(number);
    throw Error(fmt::format("{}: type {} is none that Matmul takes", call,
                            name ? name : std::to_string(static_cast<int32_t>(type))));
}

CubeMachine MachineOf(const PlatformInfo& info) {
    using platform_ascendc::SocVersion;
    const auto family = [&]() -> const char* {
        switch (info.socVersion) {
            case SocVersion::ASCEND910: return "Ascend910A";
            case SocVersion::ASCEND910B: return "Ascend910B1";
            case SocVersion::ASCEND310P: return "Ascend310P3";
            case SocVersion::ASCEND310B: return "Ascend310B1";
            case SocVersion::ASCEND950: return "Ascend950PR";
            default: return nullptr;
        }
    }();
    if (!family) {
        throw Error(fmt::format(
            "PlatformInfo: socVersion {} is none of ASCEND910, ASCEND910B, ASCEND310P, ASCEND310B, ASCEND950",
            static_cast<int>(info.socVersion)));
    }
    CubeMachine machine = sfumato::tiling::CubeMachineOf(family);
    const auto set = [](uint64_t& bytes, uint64_t asked) { bytes = asked ? asked : bytes; };
    set(machine.l1, info.l1Size), set(machine.l0c, info.l0CSize), set(machine.ub, info.ubSize);
    set(machine.l0a, info.l0ASize), set(machine.l0b, info.l0BSize);
    return machine;
}

}  // namespace

MatmulApiTilingBase::MatmulApiTilingBase(Scope scope)
    : planner_(new CubePlanner(sfumato::tiling::CubeMachineOf(sfumato::host::ChipOfEnvironment()), scope)) {}
MatmulApiTilingBase::MatmulApiTilingBase(const platform_ascendc::PlatformAscendC& platform, Scope scope)
    : planner_(new CubePlanner(sfumato::tiling::CubeMachineOf(platform.sfumato_chip()), scope)) {}
MatmulApiTilingBase::MatmulApiTilingBase(const PlatformInfo& platform, Scope scope)
    : planner_(new CubePlanner(MachineOf(platform), scope)) {}
MatmulApiTilingBase::MatmulApiTilingBase(const MatmulApiTilingBase& other)
    : planner_(new CubePlanner(*other.planner_)) {}
MatmulApiTilingBase& MatmulApiTilingBase::operator=(const MatmulApiTilingBase& other) {
    *planner_ = *other.planner_;
    return *this;
}
void MatmulApiTilingBase::Forget() { delete planner_; }

int32_t MatmulApiTilingBase::SetAType(TPosition position, CubeFormat format, DataType type, bool isTrans) {
    return Tried([&] { planner_->SetType(CubeOperand::kA, position, format, TypeOf("SetAType", type), isTrans); });
}
int32_t MatmulApiTilingBase::SetBType(TPosition position, CubeFormat format, DataType type, bool isTrans) {
    return Tried([&] { planner_->SetType(CubeOperand::kB, position, format, TypeOf("SetBType", type), isTrans); });
}
int32_t MatmulApiTilingBase::SetCType(TPosition position, CubeFormat format, DataType type) {
    return Tried([&] { planner_->SetType(CubeOperand::kC, position, format, TypeOf("SetCType", type)); });
}
int32_t MatmulApiTilingBase::SetBiasType(TPosition position, CubeFormat format, DataType type) {
    return Tried([&] { planner_->SetType(CubeOperand::kBias, position, format, TypeOf("SetBiasType", type)); });
}
int32_t MatmulApiTilingBase::SetShape(int32_t m, int32_t n, int32_t k) {
    return Tried([&] { planner_->SetShape(m, n, k); });
}
int32_t MatmulApiTilingBase::SetOrgShape(int32_t orgM, int32_t orgN, int32_t orgKa, int32_t orgKb) {
    return Tried([&] { planner_->SetOrgShape(orgM, orgN, orgKa, orgKb); });
}
int32_t MatmulApiTilingBase::SetFixSplit(int32_t baseM, int32_t baseN, int32_t baseK) {
    return Tried([&] { planner_->SetFixSplit({baseM, baseN, baseK}); });
}
int32_t MatmulApiTilingBase::SetSplitRange(int32_t maxBaseM, int32_t maxBaseN, int32_t maxBaseK, int32_t minBaseM,
                                           int32_t minBaseN, int32_t minBaseK) {
    return Tried([&] { planner_->SetSplitRange({maxBaseM, maxBaseN, maxBaseK}, {minBaseM, minBaseN, minBaseK}); });
}
int32_t MatmulApiTilingBase::SetBias(bool isBias) {
    planner_->SetBias(isBias);
    return 0;
}
int32_t MatmulApiTilingBase::SetBufferSpace(int32_t l1Size, int32_t l0CSize, int32_t ubSize, int32_t btSize) {
    return Tried([&] { planner_->SetBufferSpace(l1Size, l0CSize, ubSize, btSize); });
}
int32_t MatmulApiTilingBase::SetTraverse(MatrixTraverse traverse) {
    return Tried([&] { planner_->SetTraverse(static_cast<int32_t>(traverse)); });
}
int32_t MatmulApiTilingBase::SetMadType(MatrixMadType type) {
    return Tried([&] {
        if (type == MatrixMadType::NORMAL || type == MatrixMadType::HF32) return;
        throw Error(fmt::format("SetMadType: {}; legal are NORMAL 0 and HF32 1", static_cast<int32_t>(type)));
    });
}
int32_t MatmulApiTilingBase::SetDoubleBuffer(bool, bool, bool, bool, bool, bool) { return 0; }
int32_t MatmulApiTilingBase::SetDequantType(DequantType type) {
    return Tried([&] {
        if (type == DequantType::SCALAR || type == DequantType::TENSOR) return;
        throw Error(fmt::format("SetDequantType: {}; legal are SCALAR 0 and TENSOR 1", static_cast<int32_t>(type)));
    });
}
void MatmulApiTilingBase::SetMatmulConfigParams(int32_t mmConfigType, bool enableL1CacheUB, ScheduleType scheduleType,
                                                MatrixTraverse traverse, bool enVecND2NZ) {
    SetMatmulConfigParams({mmConfigType, enableL1CacheUB, scheduleType, traverse, enVecND2NZ});
}
void MatmulApiTilingBase::SetMatmulConfigParams(const MatmulConfigParams& params) {
    Tried([&] {
        planner_->SetConfigType(params.mmConfigType);
        planner_->SetThreeBuffers(params.scheduleType == ScheduleType::N_BUFFER_33);
        if (params.traverse != MatrixTraverse::NOSET) planner_->SetTraverse(static_cast<int32_t>(params.traverse));
    });
}
int32_t MatmulApiTilingBase::SetALayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    return Tried([&] { planner_->SetLayout(CubeOperand::kA, {true, b, s, n, g, d}); });
}
int32_t MatmulApiTilingBase::SetBLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    return Tried([&] { planner_->SetLayout(CubeOperand::kB, {true, b, s, n, g, d}); });
}
int32_t MatmulApiTilingBase::SetCLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    return Tried([&] { planner_->SetLayout(CubeOperand::kC, {true, b, s, n, g, d}); });
}
int32_t MatmulApiTilingBase::SetBatchNum(int32_t batch) {
    return Tried([&] { planner_->SetBatchNum(batch); });
}
int32_t MatmulApiTilingBase::SetBatchInfoForNormal(int32_t batchA, int32_t batchB, int32_t m, int32_t n, int32_t k) {
    return Tried([&] { planner_->SetBatchInfoForNormal(batchA, batchB, m, n, k); });
}
int32_t MatmulApiTilingBase::SetSparse(bool isSparse) {
    return Tried([&] { planner_->SetSparse(isSparse); });
}

int64_t MatmulApiTilingBase::GetTiling(AscendC::tiling::TCubeTiling& tiling) {
    return Tried([&] { tiling = planner_->Plan(); });
}

namespace {

// A field of the last plan, or -1.
int32_t Field(const sfumato::tiling::CubePlanner& planner, const char* call, int32_t TCubeTiling::*field) {
    int32_t value = -1;
    Tried([&] { value = planner.Planned(call).*field; });
    return value;
}

}  // namespace

int32_t MatmulApiTilingBase::GetBaseM() const { return Field(*planner_, "GetBaseM", &TCubeTiling::baseM); }
int32_t MatmulApiTilingBase::GetBaseN() const { return Field(*planner_, "GetBaseN", &TCubeTiling::baseN); }
int32_t MatmulApiTilingBase::GetBaseK() const { return Field(*planner_, "GetBaseK", &TCubeTiling::baseK); }

int32_t MatmulApiTilingBase::SetSingle(int32_t m, int32_t n, int32_t k) {
    return Tried([&] { planner_->SetSingleShape({m, n, k}); });
}
int32_t MatmulApiTilingBase::SetRange(int32_t maxM, int32_t maxN, int32_t maxK, int32_t minM, int32_t minN,
                                      int32_t minK) {
    return Tried([&] { planner_->SetSingleRange({maxM, maxN, maxK}, {minM, minN, minK}); });
}
int32_t MatmulApiTilingBase::SetUnits(int32_t m, int32_t n, int32_t k) {
    return Tried([&] { planner_->SetAlignSplit({m, n, k}); });
}
int32_t MatmulApiTilingBase::SetCores(int32_t dim) {
    return Tried([&] { planner_->SetDim(dim); });
}
void MatmulApiTilingBase::SplitK(bool split) { planner_->SetSplitK(split); }
int32_t MatmulApiTilingBase::Single(int32_t& m, int32_t& n, int32_t& k) const {
    return Tried([&] {
        const auto& plan = planner_->Planned("GetSingleShape");
        m = plan.singleCoreM, n = plan.singleCoreN, k = plan.singleCoreK;
    });
}
int32_t MatmulApiTilingBase::Cores(int32_t& dim, int32_t& m, int32_t& n) const {
    return Tried([&] {
        dim = planner_->Planned("GetCoreNum").usedCoreNum;
        m = planner_->pieces_m(), n = planner_->pieces_n();
    });
}

}  // namespace matmul_tiling

namespace {

int32_t Planned(const char* call, const TCubeTiling& tiling, matmul_tiling::SysTilingTempBufSize& sizes) {
    if (!tiling.shareL1Size || !tiling.shareL0CSize) {
        sfumato::host::Device::Say(
            fmt::format("{}: shareL1Size is {} and shareL0CSize {}: GetTiling has not made "
                        "this tiling",
                        call, tiling.shareL1Size, tiling.shareL0CSize));
        return -1;
    }
    sizes = {tiling.shareUbSize, tiling.shareL1Size, tiling.shareL0CSize};
    return 0;
}

}  // namespace

int32_t MatmulGetTmpBufSize(TCubeTiling& tiling, matmul_tiling::SysTilingTempBufSize& bufSize) {
    return Planned("MatmulGetTmpBufSize", tiling, bufSize);
}
int32_t MultiCoreMatmulGetTmpBufSize(TCubeTiling& tiling, matmul_tiling::SysTilingTempBufSize& bufSize) {
    return Planned("MultiCoreMatmulGetTmpBufSize", tiling, bufSize);
}
int32_t BatchMatmulGetTmpBufSize(TCubeTiling& tiling, matmul_tiling::SysTilingTempBufSize& bufSize) {
    return Planned("BatchMatmulGetTmpBufSize", tiling, bufSize);
}
