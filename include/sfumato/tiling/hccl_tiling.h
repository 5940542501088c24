// SPDX-License-Identifier: Apache-2.0
// tiling/hccl/hccl_tiling.h: the tiling of collective communication. One chip runs here: the functions are there for
// host code that has them beside operators of one device, and refuse to make a tiling (-1).
#pragma once

#include <cstdint>
#include <string>

#include "sfumato/tiling/mc2_tiling.h"

namespace AscendC {

class Mc2CcTilingConfig {
public:
    Mc2CcTilingConfig(const std::string&, uint32_t, const std::string&, uint32_t = 0, uint8_t = 0, uint8_t = 0,
                      uint8_t = 0) {}
    uint32_t SetOpType(uint32_t) { return 0; }
    uint32_t SetGroupName(const std::string&) { return 0; }
    uint32_t SetAlgConfig(const std::string&) { return 0; }
    uint32_t SetReduceType(uint32_t, uint8_t = 0, uint8_t = 0) { return 0; }
    uint32_t SetStepSize(uint8_t) { return 0; }
    uint32_t SetSkipLocalRankCopy(uint8_t) { return 0; }
    uint32_t SetSkipBufferWindowCopy(uint8_t) { return 0; }
    uint32_t GetTiling(::Mc2InitTiling&) { return static_cast<uint32_t>(-1); }
    uint32_t GetTiling(::Mc2CcTiling&) { return static_cast<uint32_t>(-1); }
};

}  // namespace AscendC
