// SPDX-License-Identifier: Apache-2.0
// The platform as host code sees it, from the chip data (adv.md 3.6, framework.md 4.8).
#include "sfumato/host/platform.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "host/device.h"
#include "soc/chip.h"

namespace platform_ascendc {
namespace {

using sfumato::Error;
using sfumato::isa::Memory;

const sfumato::soc::Chip& ChipOf(std::string_view name) { return sfumato::soc::FindChip(name); }

}  // namespace

PlatformAscendC::PlatformAscendC(fe::PlatFormInfos* info) {
    if (!info)
        throw Error(
            "PlatformAscendC: the PlatFormInfos pointer is null: pass context->GetPlatformInfo(), or use "
            "PlatformAscendCManager::GetInstance()");
    chip_ = ChipOf(info->chip.str()).product.c_str();
}

uint32_t PlatformAscendC::GetCoreNumAic() const { return ChipOf(chip_).cube_cores; }
uint32_t PlatformAscendC::GetCoreNumAiv() const {
    const auto& chip = ChipOf(chip_);
    return chip.split_cores || chip.vector_only ? chip.vector_cores : chip.cube_cores;
}
uint32_t PlatformAscendC::GetCoreNum() const { return GetCoreNumAiv(); }
uint32_t PlatformAscendC::GetCoreNumVector() const {
    const auto& chip = ChipOf(chip_);
    return chip.vector_beside ? chip.vector_cores : 0;
}

void PlatformAscendC::GetCoreMemSize(const CoreMemType& type, uint64_t& size) const {
    const auto& chip = ChipOf(chip_);
    switch (type) {
        case CoreMemType::L0_A: size = chip.Bytes(Memory::kL0A); break;
        case CoreMemType::L0_B: size = chip.Bytes(Memory::kL0B); break;
        case CoreMemType::L0_C: size = chip.Bytes(Memory::kL0C); break;
        case CoreMemType::L1: size = chip.Bytes(Memory::kL1); break;
        case CoreMemType::UB: size = chip.Bytes(Memory::kUb) - reserved_; break;
        case CoreMemType::FB: size = chip.Bytes(Memory::kFb); break;
        case CoreMemType::BT: size = chip.Bytes(Memory::kBt); break;
        default: size = 0;
    }
}

void PlatformAscendC::GetCoreMemBw(const CoreMemType&, uint64_t& bytes) const { bytes = 0; }

SocVersion PlatformAscendC::GetSocVersion() const {
    switch (GetCurNpuArch()) {
        case NpuArch::DAV_1001: return SocVersion::ASCEND910;
        case NpuArch::DAV_2002: return SocVersion::ASCEND310P;
        case NpuArch::DAV_2201: return SocVersion::ASCEND910B;
        case NpuArch::DAV_3002: return SocVersion::ASCEND310B;
        case NpuArch::DAV_3510: return SocVersion::ASCEND950;
        default: return SocVersion::RESERVED_VERSION;
    }
}
NpuArch PlatformAscendC::GetCurNpuArch() const { return static_cast<NpuArch>(ChipOf(chip_).npu_arch); }

uint32_t PlatformAscendC::GetVecRegLen() const { return ChipOf(chip_).vector_registers ? 256 : 0; }
uint32_t PlatformAscendC::GetLibApiWorkSpaceSize() const { return uint32_t{sfumato::kSystemWorkspaceBytes}; }
// Groups of cores need no workspace here: their words are the library's own.
uint32_t PlatformAscendC::GetResCubeGroupWorkSpaceSize() const { return 0; }
uint32_t PlatformAscendC::GetResGroupBarrierWorkSpaceSize() const { return 0; }

uint32_t PlatformAscendC::CalcTschNumBlocks(uint32_t slices, uint32_t aic, uint32_t aiv) const {
    if (aic && aiv > aic) return std::min((slices + aiv / aic - 1) / (aiv / aic), aic);
    if (aic) return std::min(slices, aic);
    return std::min(slices, aiv);
}

void PlatformAscendC::ReserveLocalMemory(uint32_t bytes) {
    if (bytes != 8u << 10 && bytes != 16u << 10 && bytes != 32u << 10) {
        throw Error(fmt::format("ReserveLocalMemory: {} bytes; legal are 8192, 16384 and 32768", bytes));
    }
    reserved_ = bytes;
}

PlatformAscendC* PlatformAscendCManager::GetInstance(const char* soc) {
    static std::mutex mutex;
    static std::unique_ptr<PlatformAscendC> instance;
    std::lock_guard lock(mutex);
    if (instance) return instance.get();
    try {
        fe::PlatFormInfos info{soc && *soc ? soc : sfumato::host::ChipOfEnvironment()};
        instance = std::make_unique<PlatformAscendC>(&info);
    } catch (const std::exception& error) {
        sfumato::host::Device::Say(fmt::format("PlatformAscendCManager::GetInstance: {}", error.what()));
    }
    return instance.get();
}

}  // namespace platform_ascendc
