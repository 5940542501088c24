// SPDX-License-Identifier: Apache-2.0
// tiling/hccl/hccl_tiling.h: what host code tells the server of collective communication of one operation (ranks.md
// 7.4). The setters return 0, or -1 for what is not legal: then nothing is changed, and GetTiling gives -1.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "sfumato/tiling/mc2_tiling.h"

namespace AscendC {

class Mc2CcTilingConfig {
public:
    // Names of at most 128 letters; opType: HcclCMDType; reduceType: HcclReduceOp; types: HcclDataType.
    Mc2CcTilingConfig(const std::string& groupName, uint32_t opType, const std::string& algConfig,
                      uint32_t reduceType = 0, uint8_t dstDataType = 0, uint8_t srcDataType = 0,
                      uint8_t commEngine = 0) {
        SetGroupName(groupName);
        SetOpType(opType);
        SetAlgConfig(algConfig);
        SetReduceType(reduceType, dstDataType, srcDataType);
        SetCommEngine(commEngine);
    }

    uint32_t SetOpType(uint32_t opType) { return Set(opType >= 1 && opType <= kLastOp, words_.op_type, opType); }
    uint32_t SetGroupName(const std::string& name) { return SetText(words_.group, name, !name.empty()); }
    uint32_t SetAlgConfig(const std::string& algorithm) { return SetText(words_.algorithm, algorithm, true); }
    uint32_t SetReduceType(uint32_t reduceType, uint8_t dstDataType = 0, uint8_t srcDataType = 0) {
        words_.dst_type = dstDataType;
        words_.src_type = srcDataType;
        return Set(reduceType <= 3, words_.reduce_type, reduceType);
    }
    uint32_t SetStepSize(uint8_t stepSize) { return Set(true, words_.step_size, stepSize); }
    uint32_t SetSkipLocalRankCopy(uint8_t skip) { return Set(skip <= 1, words_.skip_local_copy, skip); }
    uint32_t SetSkipBufferWindowCopy(uint8_t skip) { return Set(skip <= 2, words_.skip_window_copy, skip); }
    uint32_t SetDebugMode(uint8_t mode) { return Set(mode >= 1 && mode <= 4, words_.debug_mode, mode); }
    uint32_t SetCommBlockNum(uint16_t count) { return Set(true, words_.comm_blocks, count); }
    uint32_t SetQueueNum(uint16_t count) { return Set(count <= 40, words_.queues, count); }
    uint32_t SetCommEngine(uint8_t engine) { return Set(true, words_.comm_engine, engine); }

    uint32_t GetTiling(::Mc2InitTiling& tiling) {
        if (!legal_) return kRefused;
        return Write(sfumato::tiling::Mc2Init(), &tiling);
    }
    uint32_t GetTiling(::Mc2CcTiling& tiling) {
        if (!legal_) return kRefused;
        return Write(words_, &tiling);
    }

private:
    static constexpr uint32_t kRefused = static_cast<uint32_t>(-1), kLastOp = 20;

    template <class Field, class Value>
    uint32_t Set(bool legal, Field& field, Value value) {
        if (!legal) return legal_ = false, kRefused;
        return field = static_cast<Field>(value), 0;
    }
    uint32_t SetText(char (&field)[128], const std::string& text, bool legal) {
        if (!legal || text.size() > sizeof field) return legal_ = false, kRefused;
        std::memset(field, 0, sizeof field);
        return std::memcpy(field, text.data(), text.size()), 0;
    }
    template <class Words, class Tiling>
    static uint32_t Write(const Words& words, Tiling* tiling) {
        std::memset(tiling, 0, sizeof *tiling);
        return std::memcpy(tiling, &words, sizeof words), 0;
    }

    sfumato::tiling::Mc2Cc words_;
    bool legal_ = true;
};

}  // namespace AscendC
