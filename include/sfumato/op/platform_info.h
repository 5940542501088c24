// SPDX-License-Identifier: Apache-2.0
// fe::PlatFormInfos: what the platform says by words (docs/spec/clients.md 6.3).
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sfumato/op/holders.h"
#include "sfumato/where.h"

namespace fe {

enum class LocalMemType { L0_A = 0, L0_B, L0_C, L1, L2, UB, HBM, FB, BT, RESERVED };

// What a tiling context gives: the chip by name. Tables: "version", "SoCInfo", "AICoreSpec", with what the chip data
// have; a key that they do not have gives an empty value and false, and a note (platform-key).
struct SFUMATO_API PlatFormInfos {
    sfumato::op::Text chip;

    using Where = sfumato::Where;
    bool GetPlatformResWithLock(const std::string& label, const std::string& key, std::string& value,
                                Where where = Where::Here()) const {
        sfumato::op::Text found;
        const bool known = sfumato_value(label.c_str(), key.c_str(), found, where);
        value = found.str();
        return known;
    }
    bool GetPlatformResWithLock(const std::string& label, std::map<std::string, std::string>& values,
                                Where where = Where::Here()) const {
        std::vector<std::pair<sfumato::op::Text, sfumato::op::Text>> found;
        const bool known = sfumato_values(label.c_str(), found, where);
        values.clear();
        for (const auto& entry : found) values[entry.first.str()] = entry.second.str();
        return known;
    }
    bool GetPlatformRes(const std::string& label, const std::string& key, std::string& value,
                        Where where = Where::Here()) const {
        return GetPlatformResWithLock(label, key, value, where);
    }
    bool GetPlatformRes(const std::string& label, std::map<std::string, std::string>& values,
                        Where where = Where::Here()) const {
        return GetPlatformResWithLock(label, values, where);
    }
    // "VectorCore": vector cores; else AI (cube) cores.
    uint32_t GetCoreNumByType(const std::string& core_type) const { return sfumato_cores(core_type.c_str()); }
    uint32_t GetCoreNum() const { return GetCoreNumByType("AiCore"); }
    // Bytes; 0 for what the chip does not have, and for L2 and HBM.
    void GetLocalMemSize(const LocalMemType& type, uint64_t& size) const;
    void GetLocalMemBw(const LocalMemType&, uint64_t& bytes) const { bytes = 0; }
    bool Init() { return true; }

    bool sfumato_value(const char* label, const char* key, sfumato::op::Text& value, Where where) const;
    bool sfumato_values(const char* label, std::vector<std::pair<sfumato::op::Text, sfumato::op::Text>>& values,
                        Where where) const;
    uint32_t sfumato_cores(const char* core_type) const;
};

}  // namespace fe
