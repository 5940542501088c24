// SPDX-License-Identifier: Apache-2.0
// What host code asks of the chip (adv.md 3.6, framework.md 4.8): cores and bytes as chips/*.toml have them.
#pragma once

#include <cstdint>

#include "sfumato/op/platform_info.h"

namespace platform_ascendc {

enum class CoreMemType { L0_A = 0, L0_B, L0_C, L1, L2, UB, HBM, FB, BT, RESERVED };
enum class SocVersion {
    ASCEND910 = 0,
    ASCEND910B,
    ASCEND310P,
    ASCEND310B,
    ASCEND310,
    ASCEND910_93,
    ASCEND910_95,
    ASCEND950 = ASCEND910_95,
    ASCEND910_55,
    RESERVED_VERSION = 99999
};
enum class NpuArch {
    DAV_1001 = 1001,
    DAV_2002 = 2002,
    DAV_2201 = 2201,
    DAV_3002 = 3002,
    DAV_3510 = 3510,
    DAV_RESV = 0
};
enum class ReservedSize : uint32_t {
    RESERVED_SIZE_8K = 8 << 10,
    RESERVED_SIZE_16K = 16 << 10,
    RESERVED_SIZE_32K = 32 << 10
};

class SFUMATO_API PlatformAscendC {
public:
    // Throws Error for a null pointer or an unknown chip.
    explicit PlatformAscendC(fe::PlatFormInfos* info);

    // Vector cores where they are separate, else AI cores.
    uint32_t GetCoreNum() const;
    uint32_t GetCoreNumAic() const;
    uint32_t GetCoreNumAiv() const;
    // The vector cores beside the AI cores: Ascend310P, else 0.
    uint32_t GetCoreNumVector() const;
    // Bytes; 0 for what the chip does not have, and for L2 and HBM, whose sizes the chip data do not give.
    void GetCoreMemSize(const CoreMemType& type, uint64_t& size) const;
    // Bytes a cycle; 0: not known.
    void GetCoreMemBw(const CoreMemType& type, uint64_t& bytes) const;
    SocVersion GetSocVersion() const;
    NpuArch GetCurNpuArch() const;
    uint32_t GetLibApiWorkSpaceSize() const;
    uint32_t GetResCubeGroupWorkSpaceSize() const;
    uint32_t GetResGroupBarrierWorkSpaceSize() const;
    // Bytes of a register of the vector unit; 0 where it works on UB.
    uint32_t GetVecRegLen() const;
    // Blocks for `slices` of work (adv.md 3.6, decided).
    uint32_t CalcTschNumBlocks(uint32_t slices, uint32_t aic, uint32_t aiv) const;
    uint32_t CalcTschBlockDim(uint32_t slices, uint32_t aic, uint32_t aiv) const {
        return CalcTschNumBlocks(slices, aic, aiv);
    }
    // Takes bytes from UB as GetCoreMemSize tells it; the last call counts.
    void ReserveLocalMemory(ReservedSize size) { reserved_ = static_cast<uint32_t>(size); }
    void ReserveLocalMemory(uint32_t bytes);

    // The product.
    const char* sfumato_chip() const { return chip_; }

private:
    const char* chip_;  // lives as long as the program
    uint32_t reserved_ = 0;
};

class SFUMATO_API PlatformAscendCManager {
public:
    // The chip of the program: SFUMATO_CHIP, else that of its build, else Ascend910B1.
    static PlatformAscendC* GetInstance() { return GetInstance(nullptr); }
    // The first call's name counts. nullptr, with a message, for an unknown one.
    static PlatformAscendC* GetInstance(const char* soc);
};

}  // namespace platform_ascendc

using platform_ascendc::NpuArch;  // programs also write it without its namespace (assumed)
