// SPDX-License-Identifier: Apache-2.0
// Elements and blocks of UB by index (arch950.md 2.6).
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "frontends/ascendc/framework.h"
#include "frontends/ascendc/reg/known.h"

namespace sfumato::ascendc::reg {
namespace {

constexpr uint64_t kMostIndex = uint64_t{1} << 32;  // no index of UB is as large

// Which lane of the data goes with which lane of the indices.
struct IndexedLanes {
    uint32_t count;      // elements
    uint32_t from, to;   // bytes of an element in UB and of a lane of the register
    uint32_t index;      // bytes of an index
    uint32_t mask_bits;  // of an element
};
IndexedLanes IndexedLanesOf(const IndexedAccess& access) {
    const uint32_t from = BitsOf(access.type) / 8, index = BitsOf(access.index) / 8;
    // Elements of 8 bits lie in lanes of 16.
    const uint32_t to = std::max<uint32_t>(from == 1 ? 2 : from, 1);
    const uint32_t lanes = access.registers * kRegisterBytes / to;
    const uint32_t indices = access.index_registers * kRegisterBytes / index;
    return {std::min(lanes, indices), from, to, index, to / access.registers};
}

uint64_t WordOf(const VectorRegister* r, uint8_t registers, uint32_t bytes, uint32_t i) {
    uint64_t word = 0;
    if (registers == 1) {
        std::memcpy(&word, &r->bytes[i * bytes], bytes);
        return word;
    }
    uint64_t high = 0;
    const uint32_t half = bytes / 2;
    std::memcpy(&word, &r[0].bytes[i * half], half);
    std::memcpy(&high, &r[1].bytes[i * half], half);
    return word | high << (8 * half);
}

bool IsLaneOn(const MaskRegister& mask, uint32_t bit) { return mask.bits[bit / 64] >> (bit % 64) & 1; }

bool RefuseTypes(const IndexedAccess& access) {
    return Refuse(ThisCore(access.name), access.name, access.where,
                  {Rule::kTypeUnsupported, "index", "the indices have another width than the elements",
                   fmt::format("{} with {}", CName(access.type), CName(access.index)),
                   "uint16_t with elements of 8 and 16 bits, uint32_t with 32, uint32_t or uint64_t with 64", ""});
}
bool Fits(const IndexedAccess& access) {
    const uint32_t data = BitsOf(access.type), index = BitsOf(access.index);
    if (data <= 16 ? index == 16 : index == 32 || (data == 64 && index == 64)) return true;
    return RefuseTypes(access);
}

void SetLane(VectorRegister* dst, const IndexedLanes& lanes, uint8_t registers, uint32_t i, const uint8_t* from,
             const Known& known) {
    if (registers == 1) {
        uint8_t* to = &dst->bytes[i * lanes.to];
        std::memset(to, 0, lanes.to);
        std::memcpy(to, from, lanes.from);
        for (uint32_t b = 0; !known.all() && b < lanes.from; ++b) {
            if (!known.Has(b)) Forget(dst, i * lanes.to + b);
        }
        return;
    }
    const uint32_t half = lanes.to / 2;
    for (uint32_t r = 0; r < 2; ++r) {
        std::memcpy(&dst[r].bytes[i * half], from + r * half, half);
        for (uint32_t b = 0; !known.all() && b < half; ++b) {
            if (!known.Has(r * half + b)) Forget(&dst[r], i * half + b);
        }
    }
}

}  // namespace

void Gather(const IndexedAccess& access, VectorRegister* dst) {
    VectorUnit& unit = Framework::Of(ThisCore(access.name)).vector_unit();
    uint64_t at = 0;
    if (!unit.Locate(access.address, access.name, isa::kBlockBytes, access.where, &at) || !HasMask(access) ||
        !Fits(access))
        return;
    const IndexedLanes lanes = IndexedLanesOf(access);
    const std::array<VectorRegister, 2> indices{access.indices[0], access.indices[access.index_registers - 1]};
    LoadsBehind behind = BehindStore(access, *access.indices);
    unit.Use(access.indices->lanes, BytesOfElements(*access.mask, lanes.to));
    for (uint32_t r = 0; r < access.registers; ++r) {
        dst[r].bytes.fill(0);
        dst[r].known = kAllKnown;
    }
    for (uint32_t i = 0; i < lanes.count; ++i) {
        if (!IsLaneOn(*access.mask, i * lanes.mask_bits)) continue;
        const uint64_t index = WordOf(indices.data(), access.index_registers, lanes.index, i);
        const uint64_t from = at + index * lanes.from;
        if (index > kMostIndex || !unit.Read({from, from + lanes.from}, access.name, access.where)) return;
        behind.Add(unit.Loaded());
        SetLane(dst, lanes, access.registers, i, unit.Bytes(from), Known(unit, {from, from + lanes.from}));
    }
    for (uint32_t r = 0; r < access.registers; ++r) dst[r].behind = behind, dst[r].lanes = {};
}

void GatherBlocks(const IndexedAccess& access, VectorRegister* dst) {
    VectorUnit& unit = Framework::Of(ThisCore(access.name)).vector_unit();
    uint64_t at = 0;
    if (!unit.Locate(access.address, access.name, isa::kBlockBytes, access.where, &at) || !HasMask(access)) return;
    const VectorRegister indices = *access.indices;
    dst->bytes.fill(0);
    dst->known = kAllKnown;
    dst->behind = BehindStore(access, indices);
    dst->lanes = {};
    unit.Use(indices.lanes, FirstBytes(32));
    for (uint32_t k = 0; k < 8; ++k) {
        if (!IsLaneOn(*access.mask, 4 * k)) continue;
        const uint64_t offset = WordOf(&indices, 1, 4, k);
        if (offset % isa::kBlockBytes != 0) {
            Find(ThisCore(access.name), access.name, access.where,
                 {Rule::kGatherAlignment, "index", "an offset is no multiple of a block",
                  fmt::format("lane {}: {}", k, offset), "multiples of 32 bytes", ""});
            return;
        }
        const uint64_t from = at + offset;
        if (!unit.Read({from, from + isa::kBlockBytes}, access.name, access.where)) return;
        std::memcpy(&dst->bytes[k * isa::kBlockBytes], unit.Bytes(from), isa::kBlockBytes);
        dst->behind.Add(unit.Loaded());
        const Known known(unit, {from, from + isa::kBlockBytes});
        for (uint32_t b = 0; !known.all() && b < isa::kBlockBytes; ++b) {
            if (!known.Has(b)) Forget(dst, k * isa::kBlockBytes + b);
        }
    }
}

void Scatter(const IndexedAccess& access, const VectorRegister* src) {
    VectorUnit& unit = Framework::Of(ThisCore(access.name)).vector_unit();
    uint64_t at = 0;
    if (!unit.Locate(access.address, access.name, isa::kBlockBytes, access.where, &at) || !HasMask(access) ||
        !Fits(access))
        return;
    const IndexedLanes lanes = IndexedLanesOf(access);
    std::map<uint64_t, uint32_t> lane_of;
    LoadsBehind behind = BehindStore(access, *src);
    unit.Use(src->lanes, BytesOfElements(*access.mask, lanes.to));
    unit.Use(access.indices->lanes, BytesOfElements(*access.mask, lanes.to));
    behind.Add(access.indices->behind);
    for (uint32_t i = 0; i < lanes.count; ++i) {
        if (!IsLaneOn(*access.mask, i * lanes.mask_bits)) continue;
        const uint64_t index = WordOf(access.indices, access.index_registers, lanes.index, i);
        if (const auto [seen, fresh] = lane_of.try_emplace(index, i); !fresh) {
            Find(ThisCore(access.name), access.name, access.where,
                 {Rule::kScatterTwice, "index", "two lanes store to one element; which of them stays is undefined",
                  fmt::format("index {} in lanes {} and {}", index, seen->second, i), "each index once",
                  "make the indices of active lanes differ"});
        }
        const uint64_t to = at + index * lanes.from;
        if (index > kMostIndex || !unit.Store({to, to + lanes.from}, behind, access.name, access.where)) return;
        const uint64_t word = WordOf(src, access.registers, lanes.to, i);
        std::memcpy(unit.Bytes(to), &word, lanes.from);
        if (access.registers == 1) TellUnknown(unit, *src, i * lanes.to, lanes.from, to);
    }
}

}  // namespace sfumato::ascendc::reg
