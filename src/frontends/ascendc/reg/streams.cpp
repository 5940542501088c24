// SPDX-License-Identifier: Apache-2.0
// Streams of loads and stores at any address (arch950.md 2.5): what the register between two of them holds.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "frontends/ascendc/framework.h"
#include "frontends/ascendc/reg/known.h"

namespace sfumato::ascendc::reg {
namespace {

constexpr uint64_t kStreamBlock = isa::kBlockBytes;

VectorUnit& StreamUnit(const Access& access) { return Framework::Of(ThisCore(access.name)).vector_unit(); }

uint32_t KnownOf(const VectorUnit& unit, isa::Span bytes) {
    const Known known(unit, bytes);
    uint32_t bits = 0;
    for (uint32_t b = 0; b < bytes.end - bytes.begin; ++b) bits |= uint32_t{known.Has(b)} << b;
    return bits;
}

void Fetch(VectorUnit& unit, uint64_t block, UnalignedLoad* stream) {
    std::memcpy(stream->bytes.data(), unit.Bytes(block), kStreamBlock);
    stream->known = KnownOf(unit, {block, block + kStreamBlock});
    stream->block = static_cast<int64_t>(block);
    stream->behind = unit.Loaded();
}

}  // namespace

void BeginLoads(const Access& access, UnalignedLoad* stream) {
    VectorUnit& unit = StreamUnit(access);
    uint64_t at = 0;
    if (!unit.Locate(access.address, access.name, 1, access.where, &at)) return;
    const uint64_t block = at / kStreamBlock * kStreamBlock;
    if (unit.Load({block, block + kStreamBlock}, 1, 1, 1, access.name, access.where)) Fetch(unit, block, stream);
}

void LoadNext(const Access& access, UnalignedLoad* stream, VectorRegister* dst) {
    VectorUnit& unit = StreamUnit(access);
    uint64_t at = 0;
    if (!unit.Locate(access.address, access.name, 1, access.where, &at)) return;
    const uint64_t bytes = uint64_t{access.registers} * kRegisterBytes, end = at + bytes;
    const uint64_t block = at / kStreamBlock * kStreamBlock, boundary = block + kStreamBlock;
    if (stream->block != static_cast<int64_t>(block)) {
        Find(ThisCore(access.name), access.name, access.where,
             {Rule::kUnalignedStream, "", "the register of the stream holds another block than that of the address",
              stream->block < 0 ? std::string("a register that nothing has filled")
                                : fmt::format("the block of byte {} of UB", stream->block),
              fmt::format("the block of byte {}: by LoadUnAlignPre of this address, or by the load before", block),
              "call LoadUnAlignPre before the first load, and after a jump of the address"});
    }
    const uint32_t element = access.registers == 1 ? std::max<uint32_t>(1, BitsOf(access.type) / 8) : 1;
    if (!unit.Load({at, end}, element, element, element, access.name, access.where)) return;
    std::array<uint8_t, 2 * kRegisterBytes> loaded;
    std::memcpy(loaded.data(), unit.Bytes(at), bytes);
    const uint64_t held = at % kStreamBlock == 0 ? 0 : boundary - at;
    if (stream->block == static_cast<int64_t>(block))
        std::memcpy(loaded.data(), stream->bytes.data() + (at - block), held);
    for (uint32_t i = 0; i < access.registers; ++i) {
        dst[i].behind = stream->behind;
        dst[i].behind.Add(unit.Loaded());
        dst[i].lanes = access.registers == 1 ? unit.Loaded() : LoadsBehind();
    }
    LoadPlain(loaded.data(), access.type, access.registers, Known(unit, {at, end}), dst);
    // The last block that it touched.
    const uint64_t last = end / kStreamBlock * kStreamBlock;
    if (last + kStreamBlock <= ThisCore(access.name).chip().Bytes(isa::Memory::kUb)) Fetch(unit, last, stream);
}

namespace {

// What the stream holds goes to memory. False: it was reported.
bool Flush(VectorUnit& unit, const Access& access, UnalignedStore* stream) {
    const uint32_t count = std::exchange(stream->count, 0);
    if (count == 0) return true;
    if (!unit.Store({stream->at, stream->at + count}, stream->behind, access.name, access.where)) return false;
    std::memcpy(unit.Bytes(stream->at), stream->bytes.data(), count);
    for (uint32_t b = 0; b < count; ++b) {
        if ((stream->known >> b & 1) == 0) unit.Undefined({stream->at + b, stream->at + b + 1});
    }
    return true;
}

// Whole blocks of what the stream holds and `bytes` go to memory; the rest stays.
void Append(VectorUnit& unit, const Access& access, UnalignedStore* stream, const uint8_t* bytes, const uint8_t* known,
            const LoadsBehind& behind, uint64_t at, uint32_t count) {
    if (stream->count != 0 && stream->at + stream->count != at) {
        Find(ThisCore(access.name), access.name, access.where,
             {Rule::kUnalignedStream, "", "it does not follow what the stream stored before",
              fmt::format("byte {} of UB, behind a store that ended at byte {}", at, stream->at + stream->count),
              "addresses that follow each other, or StoreUnAlignPost between two streams",
              "end the stream with StoreUnAlignPost before you store elsewhere"});
        EndStores(access, stream);
    }
    if (stream->count == 0) stream->at = at, stream->behind = {};
    stream->behind.Add(behind);
    if (stream->number == 0) stream->number = unit.Open(access.where);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t place = stream->count;
        stream->bytes[place] = bytes[i];
        stream->known = (stream->known & ~(1u << place)) | uint32_t{known[i]} << place;
        ++stream->count;
        if ((stream->at + stream->count) % kStreamBlock != 0) continue;
        if (!Flush(unit, access, stream)) return;
        stream->at = at + i + 1;
    }
    if (stream->count == 0) {
        unit.Close(stream->number);
        stream->number = 0;
    }
}

}  // namespace

void StoreNext(const Access& access, UnalignedStore* stream, const VectorRegister* src, uint32_t bytes) {
    VectorUnit& unit = StreamUnit(access);
    uint64_t at = 0;
    if (!unit.Locate(access.address, access.name, 1, access.where, &at)) return;
    if (bytes > access.registers * kRegisterBytes) {
        Find(ThisCore(access.name), access.name, access.where,
             {Rule::kParameterRange, "postUpdateStride", "it stores more than the register has",
              fmt::format("{} bytes", bytes), fmt::format("0 to {} bytes", access.registers * kRegisterBytes), ""});
        return;
    }
    std::array<uint8_t, 2 * kRegisterBytes> stored, known;
    const uint32_t half = std::max<uint32_t>(1, BitsOf(access.type) / 16);
    for (uint32_t b = 0; b < bytes; ++b) {
        const VectorRegister& from = access.registers == 1 ? *src : src[b / half % 2];
        const uint32_t byte = access.registers == 1 ? b : b / (2 * half) * half + b % half;
        stored[b] = from.bytes[byte];
        known[b] = IsKnown(from, byte);
    }
    unit.Use(src->lanes, FirstBytes(bytes));
    LoadsBehind behind = src->behind;
    if (access.registers == 2) behind.Add(src[1].behind);
    Append(unit, access, stream, stored.data(), known.data(), behind, at, bytes);
}

void StoreSqueezed(const Access& access, UnalignedStore* stream, const VectorRegister* src, bool update) {
    VectorUnit& unit = StreamUnit(access);
    if (!unit.Inside(access.name, access.where)) return;
    if (!unit.squeeze_waits) {
        Find(ThisCore(access.name), access.name, access.where,
             {Rule::kUnalignedStream, "", "no Squeeze has counted what it is to store",
              "no Squeeze<STORE_REG> before it",
              "one Squeeze<T, GatherMaskMode::STORE_REG> before each StoreUnAlign without a stride",
              "squeeze with STORE_REG, or give StoreUnAlign a stride"});
        return;
    }
    unit.squeeze_waits = false;
    Access there = access;
    there.address = static_cast<const uint8_t*>(access.address) + unit.ar;
    StoreNext(there, stream, src, unit.squeezed);
    if (update) unit.ar += unit.squeezed;
    unit.ar_is_left = false;
}

void StoreMaskNext(const Access& access, UnalignedStore* stream, uint32_t bytes) {
    VectorUnit& unit = StreamUnit(access);
    uint64_t at = 0;
    if (!unit.Locate(access.address, access.name, 1, access.where, &at) || !HasMask(access)) return;
    const uint32_t step = kRegisterBytes / (bytes * 8);
    std::array<uint8_t, 16> packed{}, known{};
    known.fill(1);
    for (uint32_t i = 0; i < bytes * 8; ++i) {
        const uint32_t j = i * step;
        packed[i / 8] = static_cast<uint8_t>(packed[i / 8] | (access.mask->bits[j / 64] >> (j % 64) & 1) << (i % 8));
    }
    Append(unit, access, stream, packed.data(), known.data(), access.mask->behind, at, bytes);
}

void EndStores(const Access& access, UnalignedStore* stream) {
    VectorUnit& unit = StreamUnit(access);
    if (!unit.Inside(access.name, access.where)) return;
    Flush(unit, access, stream);
    unit.Close(stream->number);
    stream->number = 0;
}

void EndSqueezed(const Access& access, UnalignedStore* stream) {
    VectorUnit& unit = StreamUnit(access);
    EndStores(access, stream);
    unit.ar_is_left = unit.ar != 0 && !unit.squeeze_waits;
}

}  // namespace sfumato::ascendc::reg
