// SPDX-License-Identifier: Apache-2.0
// The parts of a tiling that servers of collective communication read, for hosts and kernels. No page says what is in
// them: here it is what Mc2CcTilingConfig was told, so that the kernel's calls can be checked against it
// (ranks.md 7.4).
#pragma once

#include <cstdint>
#include <cstring>

struct Mc2InitTiling {
    alignas(8) uint8_t reserved[64];
};
struct Mc2CcTiling {
    alignas(8) uint8_t reserved[280];
};

namespace sfumato {
namespace tiling {

constexpr uint32_t kMc2InitMagic = 0x494D4653, kMc2CcMagic = 0x434D4653;  // "SFMI", "SFMC" in memory
constexpr uint32_t kMostCcTilings = 8;                                    // of one Mc2InitTiling

// What stands in a Mc2InitTiling.
struct Mc2Init {
    uint32_t magic = kMc2InitMagic;
    uint32_t version = 1;
};
// What stands in a Mc2CcTiling.
struct Mc2Cc {
    uint32_t magic = kMc2CcMagic;
    uint32_t op_type = 0;  // HcclCMDType
    uint8_t reduce_type = 0, dst_type = 0, src_type = 0, comm_engine = 0;
    uint8_t step_size = 0, skip_local_copy = 0, skip_window_copy = 0, debug_mode = 0;
    uint16_t comm_blocks = 0, queues = 0;
    // Without a zero behind a name of all letters.
    char group[128] = {}, algorithm[128] = {};
};
static_assert(sizeof(Mc2Init) <= sizeof(Mc2InitTiling) && sizeof(Mc2Cc) <= sizeof(Mc2CcTiling), "fits its part");

// False: the bytes at `from` are none.
template <class Words>
bool ReadMc2(const void* from, Words* words) {
    const Words fresh;
    std::memcpy(words, from, sizeof(Words));
    return words->magic == fresh.magic;
}

}  // namespace tiling
}  // namespace sfumato
