// SPDX-License-Identifier: Apache-2.0
// Loads and stores of registers, as their distributions say (arch950.md 2.5).
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "frontends/ascendc/framework.h"
#include "frontends/ascendc/reg/known.h"
#include "sfumato/ascendc/reg/issue.h"

namespace sfumato::ascendc::reg {
namespace {

using AscendC::Reg::LoadDist;
using AscendC::Reg::MaskDist;
using AscendC::Reg::StoreDist;

constexpr uint32_t kBlockOfUb = isa::kBlockBytes;

// Of numbers of 4 bits, the byte of two.
uint32_t ElementBytes(const Access& access) { return std::max<uint32_t>(1, BitsOf(access.type) / 8); }

VectorUnit& UnitFor(const Access& access) { return Framework::Of(ThisCore(access.name)).vector_unit(); }

// What a distribution of loads asks for: alignment, bytes read, and what the lanes become.
enum class Pattern : uint8_t { kAsMemory, kOne, kTwice, kEven, kSpaced, kToBlocks, kApart };
struct LoadShape {
    uint32_t align, bytes, element, spread;  // spread: bytes of a lane an element goes to
    Pattern lanes;
};
LoadShape ShapeOf(LoadDist dist) {
    switch (dist) {
        case LoadDist::DIST_BRC_B8: return {1, 1, 1, 1, Pattern::kOne};
        case LoadDist::DIST_BRC_B16: return {2, 2, 2, 2, Pattern::kOne};
        case LoadDist::DIST_BRC_B32: return {4, 4, 4, 4, Pattern::kOne};
        case LoadDist::DIST_US_B8: return {32, 128, 1, 2, Pattern::kTwice};
        case LoadDist::DIST_US_B16: return {32, 128, 2, 4, Pattern::kTwice};
        case LoadDist::DIST_DS_B8: return {32, 512, 1, 1, Pattern::kEven};
        case LoadDist::DIST_DS_B16: return {32, 512, 2, 2, Pattern::kEven};
        case LoadDist::DIST_UNPACK_B8: return {32, 128, 1, 2, Pattern::kSpaced};
        case LoadDist::DIST_UNPACK_B16: return {32, 128, 2, 4, Pattern::kSpaced};
        case LoadDist::DIST_UNPACK_B32: return {32, 128, 4, 8, Pattern::kSpaced};
        case LoadDist::DIST_UNPACK4_B8: return {32, 64, 1, 4, Pattern::kSpaced};
        case LoadDist::DIST_BLK: return {32, 32, kBlockOfUb, kBlockOfUb, Pattern::kOne};
        case LoadDist::DIST_E2B_B16: return {16, 16, 2, kBlockOfUb, Pattern::kToBlocks};
        case LoadDist::DIST_E2B_B32: return {32, 32, 4, kBlockOfUb, Pattern::kToBlocks};
        case LoadDist::DIST_DINTLV_B8: return {32, 512, 1, 1, Pattern::kApart};
        case LoadDist::DIST_DINTLV_B16: return {32, 512, 2, 2, Pattern::kApart};
        case LoadDist::DIST_DINTLV_B32: return {32, 512, 4, 4, Pattern::kApart};
        default: return {32, kRegisterBytes, 1, 1, Pattern::kAsMemory};
    }
}

// Byte `to` of the register from byte `from` of what was read.
template <class Take>
void Spread(const LoadShape& shape, const Take& take) {
    const uint32_t e = shape.element;
    for (uint32_t i = 0; i < kRegisterBytes / shape.spread; ++i) {
        const uint32_t to = i * shape.spread;
        switch (shape.lanes) {
            case Pattern::kOne:
                for (uint32_t b = 0; b < e; ++b) take(to + b, b);
                break;
            case Pattern::kTwice:
                for (uint32_t b = 0; b < 2 * e; ++b) take(to + b, i * e + b % e);
                break;
            case Pattern::kEven:
                for (uint32_t b = 0; b < e; ++b) take(to + b, 2 * i * e + b);
                break;
            case Pattern::kSpaced:
                for (uint32_t b = 0; b < e; ++b) take(to + b, i * e + b);
                break;
            case Pattern::kToBlocks:
                for (uint32_t b = 0; b < kBlockOfUb; ++b) take(to + b, i * e + b % e);
                break;
            default: break;
        }
    }
}

bool HasTwo(const Access& access, bool two, bool takes_two, const char* names) {
    if (two == takes_two) return true;
    return Refuse(ThisCore(access.name), access.name, access.where,
                  {Rule::kParameterRange, "dist", "the distribution goes with another number of registers",
                   two ? "two registers" : "one register", fmt::format("two registers with {}", names),
                   "give as many registers as the distribution has"});
}

// The accesses of a load, and what comes behind the registers.
bool LoadLanes(VectorUnit& unit, const Access& access, const LoadShape& shape, uint64_t at, VectorRegister* dst,
               VectorRegister* dst1) {
    const isa::Span bytes{at, at + shape.bytes};
    const uint32_t e = shape.lanes == Pattern::kAsMemory ? ElementBytes(access) : shape.element;
    const bool apart = shape.lanes == Pattern::kApart;
    const bool plain = shape.lanes == Pattern::kAsMemory && access.registers == 1;
    const bool by_lanes = plain || apart || shape.lanes == Pattern::kSpaced || shape.lanes == Pattern::kEven;
    const auto load = [&](isa::Span part, uint32_t pitch, VectorRegister* r) {
        if (!unit.Load(part, e, pitch, plain ? e : shape.spread, access.name, access.where)) return false;
        r->behind = r->lanes = unit.Loaded();
        return true;
    };
    if (apart) return load(bytes, 2 * e, dst) && load({at + e, bytes.end}, 2 * e, dst1);
    if (by_lanes) return load(bytes, shape.lanes == Pattern::kEven ? 2 * e : e, dst);
    if (!unit.Read(bytes, access.name, access.where)) return false;
    for (uint32_t i = 0; i < access.registers; ++i) dst[i].behind = unit.Loaded(), dst[i].lanes = {};
    return true;
}

void LoadApart(const uint8_t* from, const LoadShape& shape, const Known& known, VectorRegister* dst,
               VectorRegister* dst1) {
    const uint32_t e = shape.element;
    std::array<uint8_t, 2 * kRegisterBytes> bytes;
    std::memcpy(bytes.data(), from, bytes.size());
    for (uint32_t i = 0; i < kRegisterBytes / e; ++i) {
        std::memcpy(&dst->bytes[i * e], &bytes[2 * i * e], e);
        std::memcpy(&dst1->bytes[i * e], &bytes[(2 * i + 1) * e], e);
    }
    dst->known = dst1->known = kAllKnown;
    if (known.all()) return;
    for (uint32_t b = 0; b < kRegisterBytes; ++b) {
        const uint32_t at = b / e * 2 * e + b % e;
        if (!known.Has(at)) Forget(dst, b);
        if (!known.Has(at + e)) Forget(dst1, b);
    }
}

}  // namespace

void Load(const Access& access, VectorRegister* dst, VectorRegister* dst1) {
    const auto dist = static_cast<LoadDist>(access.dist);
    LoadShape shape = ShapeOf(dist);
    if (!HasTwo(access, dst1 != nullptr, shape.lanes == Pattern::kApart, "DIST_DINTLV_B8, _B16 and _B32")) return;
    VectorUnit& unit = UnitFor(access);
    if (shape.lanes == Pattern::kAsMemory) shape.bytes *= access.registers;
    uint64_t at = 0;
    if (!unit.Locate(access.address, access.name, shape.align, access.where, &at)) return;
    if (!LoadLanes(unit, access, shape, at, dst, dst1)) return;
    const uint8_t* from = unit.Bytes(at);
    const Known known(unit, {at, at + shape.bytes});
    if (shape.lanes == Pattern::kApart) return LoadApart(from, shape, known, dst, dst1);
    if (shape.lanes == Pattern::kAsMemory) return LoadPlain(from, access.type, access.registers, known, dst);
    dst->bytes.fill(0);
    dst->known = kAllKnown;
    Spread(shape, [&](uint32_t to, uint32_t b) { dst->bytes[to] = from[b]; });
    if (!known.all()) {
        Spread(shape, [&](uint32_t to, uint32_t b) {
            if (!known.Has(b)) Forget(dst, to);
        });
    }
}

void LoadBlocks(const Access& access, VectorRegister* dst) {
    VectorUnit& unit = UnitFor(access);
    uint64_t at = 0;
    if (!unit.Locate(access.address, access.name, kBlockOfUb, access.where, &at)) return;
    if (!HasMask(access)) return;
    dst->known = kAllKnown;
    dst->behind = access.mask->behind;
    dst->lanes = {};
    const uint64_t lowest = LowestBits(ElementBytes(access));
    for (uint32_t k = 0; k < kRegisterBytes / kBlockOfUb; ++k) {
        uint8_t* const to = dst->bytes.data() + k * kBlockOfUb;
        if ((access.mask->bits[k / 2] >> (k % 2 * kBlockOfUb) & lowest & 0xFFFFFFFF) == 0) {
            std::memset(to, 0, kBlockOfUb);
            continue;
        }
        const uint64_t from = at + uint64_t{k} * access.block_stride * kBlockOfUb;
        const isa::Span bytes{from, from + kBlockOfUb};
        if (!unit.Read(bytes, access.name, access.where)) return;
        dst->behind.Add(unit.Loaded());
        std::memcpy(to, unit.Bytes(from), kBlockOfUb);
        const Known known(unit, bytes);
        for (uint32_t b = 0; !known.all() && b < kBlockOfUb; ++b) {
            if (!known.Has(b)) Forget(dst, k * kBlockOfUb + b);
        }
    }
}

namespace {

// Bytes of active elements, from `src` byte by byte where `to(byte)` says, in runs.
void StoreLanes(VectorUnit& unit, const Access& access, uint64_t at, uint32_t pitch, uint32_t width,
                const VectorRegister* src) {
    const MaskRegister& mask = *access.mask;
    const LoadsBehind behind = BehindStore(access, *src);
    unit.Use(src->lanes, BytesOfElements(mask, pitch));
    const uint32_t lanes = kRegisterBytes / pitch;
    for (uint32_t i = 0; i < lanes; ++i) {
        if ((mask.bits[i * pitch / 64] >> (i * pitch % 64) & 1) == 0) continue;
        uint32_t end = i + 1;
        while (end < lanes && (mask.bits[end * pitch / 64] >> (end * pitch % 64) & 1) != 0) ++end;
        const isa::Span bytes{at + uint64_t{i} * width, at + uint64_t{end} * width};
        if (!unit.Store(bytes, behind, access.name, access.where)) return;
        if (pitch == width) {
            std::memcpy(unit.Bytes(bytes.begin), &src->bytes[i * pitch], bytes.end - bytes.begin);
        } else {
            for (uint32_t k = i; k < end; ++k)
                std::memcpy(unit.Bytes(at + uint64_t{k} * width), &src->bytes[k * pitch], width);
        }
        if (src->known != kAllKnown) {
            for (uint32_t k = i; k < end; ++k) TellUnknown(unit, *src, k * pitch, width, at + uint64_t{k} * width);
        }
        i = end;
    }
}

struct StoreShape {
    uint32_t align, bytes, pitch, width;  // an element of the register, and of memory; 0: of the type
};
StoreShape ShapeOf(StoreDist dist) {
    switch (dist) {
        case StoreDist::DIST_NORM_B8: return {32, 256, 1, 1};
        case StoreDist::DIST_NORM_B16: return {32, 256, 2, 2};
        case StoreDist::DIST_NORM_B32: return {32, 256, 4, 4};
        case StoreDist::DIST_FIRST_ELEMENT_B8: return {1, 1, 1, 1};
        case StoreDist::DIST_FIRST_ELEMENT_B16: return {2, 2, 2, 2};
        case StoreDist::DIST_FIRST_ELEMENT_B32: return {4, 4, 4, 4};
        case StoreDist::DIST_PACK_B16: return {32, 128, 2, 1};
        case StoreDist::DIST_PACK_B32: return {32, 128, 4, 2};
        case StoreDist::DIST_PACK_B64: return {32, 128, 8, 4};
        case StoreDist::DIST_PACK4_B32: return {32, 64, 4, 1};
        case StoreDist::DIST_INTLV_B8: return {32, 512, 1, 1};
        case StoreDist::DIST_INTLV_B16: return {32, 512, 2, 2};
        case StoreDist::DIST_INTLV_B32: return {32, 512, 4, 4};
        default: return {32, 256, 0, 0};
    }
}
bool IsFirst(StoreDist dist) {
    return dist >= StoreDist::DIST_FIRST_ELEMENT_B8 && dist <= StoreDist::DIST_FIRST_ELEMENT_B32;
}
bool Interleaves(StoreDist dist) { return dist >= StoreDist::DIST_INTLV_B8; }

}  // namespace

void Store(const Access& access, const VectorRegister* src, const VectorRegister* src1) {
    const auto dist = static_cast<StoreDist>(access.dist);
    const StoreShape shape = ShapeOf(dist);
    if (!HasTwo(access, src1 != nullptr, Interleaves(dist), "DIST_INTLV_B8, _B16 and _B32")) return;
    VectorUnit& unit = UnitFor(access);
    uint64_t at = 0;
    if (!unit.Locate(access.address, access.name, shape.align, access.where, &at)) return;
    LoadsBehind behind = src->behind;
    if (src1) behind.Add(src1->behind);
    if (IsFirst(dist)) {
        unit.Use(src->lanes, FirstBytes(shape.bytes));
        if (!unit.Store({at, at + shape.bytes}, behind, access.name, access.where)) return;
        std::memcpy(unit.Bytes(at), src->bytes.data(), shape.bytes);
        return TellUnknown(unit, *src, 0, shape.bytes, at);
    }
    if (Interleaves(dist)) {
        unit.Use(src->lanes, FirstBytes(kRegisterBytes));
        unit.Use(src1->lanes, FirstBytes(kRegisterBytes));
        if (!unit.Store({at, at + shape.bytes}, behind, access.name, access.where)) return;
        uint8_t* to = unit.Bytes(at);
        for (uint32_t b = 0; b < kRegisterBytes; b += shape.pitch, to += 2 * shape.pitch) {
            std::memcpy(to, &src->bytes[b], shape.pitch);
            std::memcpy(to + shape.pitch, &src1->bytes[b], shape.pitch);
            TellUnknown(unit, *src, b, shape.pitch, at + 2 * b);
            TellUnknown(unit, *src1, b, shape.pitch, at + 2 * b + shape.pitch);
        }
        return;
    }
    if (!HasMask(access)) return;
    if (access.registers == 2) return StorePairs(unit, access, at, src);
    const uint32_t element = ElementBytes(access);
    const uint32_t pitch = shape.pitch == 0 ? element : shape.pitch;
    StoreLanes(unit, access, at, pitch, shape.width == 0 ? element : shape.width, src);
}

void StoreBlocks(const Access& access, const VectorRegister* src) {
    VectorUnit& unit = UnitFor(access);
    uint64_t at = 0;
    if (!unit.Locate(access.address, access.name, kBlockOfUb, access.where, &at) || !HasMask(access)) return;
    const uint32_t element = ElementBytes(access);
    for (uint32_t k = 0; k < kRegisterBytes / kBlockOfUb; ++k) {
        MaskRegister block;
        block.behind = access.mask->behind;
        block.bits[k / 2] = access.mask->bits[k / 2] & (0xFFFFFFFFull << (k % 2 * kBlockOfUb));
        Access part = access;
        part.mask = &block;
        const uint64_t to = at + uint64_t{k} * access.block_stride * kBlockOfUb;
        StoreLanes(unit, part, to - uint64_t{k} * kBlockOfUb, element, element, src);
    }
}

void LoadMask(const Access& access, MaskRegister* dst) {
    VectorUnit& unit = UnitFor(access);
    const auto dist = static_cast<MaskDist>(access.dist);
    const uint32_t bytes = dist == MaskDist::DIST_US ? 16 : dist == MaskDist::DIST_DS ? 64 : 32;
    uint64_t at = 0;
    if (!unit.Locate(access.address, access.name, std::min(bytes, kBlockOfUb), access.where, &at)) return;
    if (!unit.Read({at, at + bytes}, access.name, access.where)) return;
    std::array<uint8_t, 64> from{};
    std::memcpy(from.data(), unit.Bytes(at), bytes);
    const auto bit = [&](uint32_t i) { return uint64_t{from[i / 8]} >> (i % 8) & 1; };
    dst->bits = {};
    dst->set = true;
    dst->behind = unit.Loaded();
    for (uint32_t i = 0; i < kRegisterBytes; ++i) {
        const uint32_t j = dist == MaskDist::DIST_US ? i / 2 : dist == MaskDist::DIST_DS ? 2 * i : i;
        dst->bits[i / 64] |= bit(j) << (i % 64);
    }
}

void StoreMask(const Access& access) {
    VectorUnit& unit = UnitFor(access);
    const bool pack = static_cast<MaskDist>(access.dist) == MaskDist::DIST_PACK;
    const uint32_t bytes = pack ? 16 : 32;
    uint64_t at = 0;
    if (!unit.Locate(access.address, access.name, bytes, access.where, &at) || !HasMask(access)) return;
    if (!unit.Store({at, at + bytes}, access.mask->behind, access.name, access.where)) return;
    std::array<uint8_t, 32> to{};
    for (uint32_t i = 0; i < 8 * bytes; ++i) {
        const uint32_t j = pack ? 2 * i : i;
        to[i / 8] = static_cast<uint8_t>(to[i / 8] | (access.mask->bits[j / 64] >> (j % 64) & 1) << (i % 8));
    }
    std::memcpy(unit.Bytes(at), to.data(), bytes);
}

}  // namespace sfumato::ascendc::reg
