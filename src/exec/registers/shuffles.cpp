// SPDX-License-Identifier: Apache-2.0
// Operations that move lanes, count them or make them of nothing (arch950.md 2.11). All read whole registers before
// they write, for operands may be the same. What matters of a type is its width, but for Arange.
#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>
#include <type_traits>

#include "exec/registers/byte_masks.h"
#include "exec/registers/casting.h"
#include "exec/registers/table.h"
#include "sfumato/rounding.h"

namespace sfumato::exec {
namespace {

using enum DataType;

// A register's bytes, each with whether it is known, while lanes move.
template <class T>
struct LaneArray {
    static constexpr uint32_t kLanes = kRegisterBytes / sizeof(T);
    alignas(64) T lane[kLanes] = {};
    masks::ByteBits known = masks::kAllBytes;

    LaneArray() = default;
    explicit LaneArray(const VectorRegister& r) : known(r.known) { std::memcpy(lane, r.bytes.data(), kRegisterBytes); }
    bool AllKnown() const { return known == masks::kAllBytes; }
    uint64_t KnownOf(uint32_t i) const {
        const auto at = static_cast<uint32_t>(i * sizeof(T));
        return known[at / 64] >> (at % 64) & kOnes;
    }
    void SetKnown(uint32_t i, uint64_t bits) {
        const auto at = static_cast<uint32_t>(i * sizeof(T));
        known[at / 64] = (known[at / 64] & ~(kOnes << (at % 64))) | (bits & kOnes) << (at % 64);
    }
    void StoreTo(VectorRegister* r) const {
        std::memcpy(r->bytes.data(), lane, kRegisterBytes);
        r->known = known;
    }
    const uint8_t* bytes() const { return reinterpret_cast<const uint8_t*>(lane); }

private:
    static constexpr uint64_t kOnes = (uint64_t{1} << sizeof(T)) - 1;
};

template <class T>
bool IsActive(const MaskRegister* mask, uint32_t i) {
    return mask == nullptr || masks::BitAt(mask->bits, static_cast<uint32_t>(i * sizeof(T)));
}

// Active elements to the low lanes; the rest are 0.
template <class T>
uint32_t RunSqueeze(const RegisterCall& c, const RegisterControl&) {
    const LaneArray<T> src(*c.src0);
    LaneArray<T> dst;
    uint32_t count = 0;
    for (uint32_t i = 0; i < src.kLanes; ++i) {
        dst.lane[count] = src.lane[i];  // the next overwrites what was off; the last is cleared below
        count += IsActive<T>(c.mask, i) ? 1 : 0;
    }
    if (count < src.kLanes) dst.lane[count] = 0;
    if (!src.AllKnown()) {
        for (uint32_t i = 0, to = 0; i < src.kLanes; ++i) {
            if (IsActive<T>(c.mask, i)) dst.SetKnown(to++, src.KnownOf(i));
        }
    }
    dst.StoreTo(c.dst);
    return count;
}

// Element i: how many of the mask's elements before it are on.
template <class T>
uint32_t RunUnsqueeze(const RegisterCall& c, const RegisterControl&) {
    LaneArray<T> dst;
    T count = 0;
    for (uint32_t i = 0; i < dst.kLanes; ++i) {
        dst.lane[i] = count;
        count = static_cast<T>(count + (IsActive<T>(c.mask, i) ? 1 : 0));
    }
    dst.StoreTo(c.dst);
    return 0;
}

// dst[n] += how many active bytes are n (of bin 1, n + 128), or no more than that. That bin 1 counts from 0, too, is
// decided.
uint32_t RunHistogram(const RegisterCall& c, const RegisterControl&) {
    constexpr uint32_t kBins = 128;
    const LaneArray<uint8_t> src(*c.src0);
    LaneArray<uint16_t> dst(*c.dst);
    std::array<uint16_t, 256> counts{};
    bool known = true;
    for (uint32_t i = 0; i < src.kLanes; ++i) {
        if (!IsActive<uint8_t>(c.mask, i)) continue;
        ++counts[src.lane[i]];
        known = known && src.KnownOf(i) != 0;
    }
    const uint32_t first = c.mode == 1 ? kBins : 0;
    uint16_t before = 0;
    for (uint32_t n = 0; n < first; ++n) before = static_cast<uint16_t>(before + counts[n]);
    for (uint32_t n = 0; n < kBins; ++n) {
        before = static_cast<uint16_t>(before + counts[first + n]);
        dst.lane[n] = static_cast<uint16_t>(dst.lane[n] + (c.accumulates ? before : counts[first + n]));
    }
    dst.known = known ? masks::WholeLanes(dst.known, 2) : masks::ByteBits{};
    dst.StoreTo(c.dst);
    return 0;
}

// Bytes of a lane of each register: of two registers, half an element's.
uint32_t LaneBytes(const RegisterCall& c) { return std::max(BitsOf(c.type) / 8, 1u) / c.registers; }

uint32_t RunMove(const RegisterCall& c, const RegisterControl&) {
    const masks::ByteBits on = masks::ActiveBytes(c.mask, LaneBytes(c));
    for (uint32_t r = 0; r < c.registers; ++r) {
        const LaneArray<uint64_t> src(c.src0[r]);
        masks::Store(src.bytes(), src.known, on, c.merging, c.dst + r);
    }
    return 0;
}

// The element of `width` bytes in all lanes.
LaneArray<uint64_t> Repeated(uint64_t element, uint64_t known, uint32_t width) {
    for (uint32_t bits = 8 * width; bits < 64; bits *= 2) {
        element = (element & (~uint64_t{0} >> (64 - bits))) * (1 + (uint64_t{1} << bits));
    }
    known &= (uint64_t{1} << width) - 1;
    LaneArray<uint64_t> all;
    std::fill(all.lane, all.lane + all.kLanes, element);
    all.known.fill(known * LowestBits(width));
    return all;
}

uint32_t RunDuplicate(const RegisterCall& c, const RegisterControl&) {
    const uint32_t width = LaneBytes(c);
    const masks::ByteBits on = masks::ActiveBytes(c.mask, width);
    const uint32_t at = c.mode == 1 ? kRegisterBytes - width : 0;
    for (uint32_t r = 0; r < c.registers; ++r) {
        uint64_t element = c.scalar >> (8 * width * r), known = 0xFF;
        if (c.src0 != nullptr) {
            std::memcpy(&element, c.src0[r].bytes.data() + at, width);
            known = c.src0[r].known[at / 64] >> (at % 64);
        }
        const LaneArray<uint64_t> all = Repeated(element, known, width);
        masks::Store(all.bytes(), all.known, on, c.merging, c.dst + r);
    }
    return 0;
}

template <class T>
T IndexAt(const RegisterCall& c, uint32_t i, uint32_t lanes) {
    return static_cast<T>(c.scalar + (c.mode == 1 ? lanes - 1 - i : i));
}

template <class T>
uint32_t RunIntegerArange(const RegisterCall& c, const RegisterControl&) {
    LaneArray<T> dst;
    for (uint32_t i = 0; i < dst.kLanes; ++i) dst.lane[i] = IndexAt<T>(c, i, dst.kLanes);
    dst.StoreTo(c.dst);
    return 0;
}

uint32_t RunLongArange(const RegisterCall& c, const RegisterControl& control) {
    if (c.registers == 1) return RunIntegerArange<uint64_t>(c, control);
    LaneArray<uint32_t> dst[2];
    for (uint32_t i = 0; i < dst[0].kLanes; ++i) {
        const auto index = IndexAt<uint64_t>(c, i, dst[0].kLanes);
        dst[0].lane[i] = static_cast<uint32_t>(index);
        dst[1].lane[i] = static_cast<uint32_t>(index >> 32);
    }
    dst[0].StoreTo(c.dst);
    dst[1].StoreTo(c.dst + 1);
    return 0;
}

// half: the exact sum to the nearest, ties upward, by which the documented sums are explained.
uint16_t HalfSum(uint16_t start, uint32_t index, bool saturates) {
    constexpr int kUnit = -24;  // exponent of the last place of subnormals
    numeric::Exact v = numeric::UnpackFloat(numeric::kHalfFormat, start);
    if (v.kind == numeric::Kind::kNan) return saturates ? 0 : static_cast<uint16_t>(casts::NanOf(kHalf));
    if (v.kind == numeric::Kind::kFinite) {
        const auto magnitude = static_cast<int64_t>(v.significand << (v.exponent - kUnit));
        const int64_t sum = (v.negative ? -magnitude : magnitude) + (static_cast<int64_t>(index) << -kUnit);
        v = numeric::UnpackSigned(sum);
        v.exponent = kUnit;
        // A little nearer to 0, so that a tie below 0 is none.
        if (v.negative) v = {2 * v.significand - 1, kUnit - 1, true, numeric::Kind::kFinite};
    }
    const uint64_t bits = numeric::PackFloat(numeric::kHalfFormat, v, Rounding::kRound);
    return static_cast<uint16_t>(
        numeric::ApplyOverflow(numeric::kHalfFormat, bits, saturates ? Overflow::kSaturate : Overflow::kInfNan));
}

uint32_t RunHalfArange(const RegisterCall& c, const RegisterControl& control) {
    LaneArray<uint16_t> dst;
    for (uint32_t i = 0; i < dst.kLanes; ++i) {
        const uint32_t index = c.mode == 1 ? dst.kLanes - 1 - i : i;
        dst.lane[i] = HalfSum(static_cast<uint16_t>(c.scalar), index, control.decides && !control.ieee);
    }
    dst.StoreTo(c.dst);
    return 0;
}

uint32_t RunFloatArange(const RegisterCall& c, const RegisterControl&) {
    const float start = casts::FloatOf(static_cast<uint32_t>(c.scalar));
    LaneArray<uint32_t> dst;
    for (uint32_t i = 0; i < dst.kLanes; ++i) {
        const float sum = start + static_cast<float>(c.mode == 1 ? dst.kLanes - 1 - i : i);
        dst.lane[i] = start != start ? casts::kNan : casts::BitsOfFloat(sum);
    }
    dst.StoreTo(c.dst);
    return 0;
}

// The low half of each element, to the low or high half of dst; the other half is 0. Of elements in two registers the
// low halves are a register of their own.
template <class T, class Half>
uint32_t RunPack(const RegisterCall& c, const RegisterControl&) {
    if (c.registers == 2) {
        LaneArray<uint64_t>(c.src0[0]).StoreTo(c.dst);
        return 0;
    }
    const LaneArray<T> src(*c.src0);
    LaneArray<Half> dst;
    const uint32_t first = c.mode == 1 ? src.kLanes : 0;
    for (uint32_t i = 0; i < src.kLanes; ++i) dst.lane[first + i] = static_cast<Half>(src.lane[i]);
    if (!src.AllKnown()) {
        for (uint32_t i = 0; i < src.kLanes; ++i) dst.SetKnown(first + i, src.KnownOf(i));
    }
    dst.StoreTo(c.dst);
    return 0;
}

// The low or high half of the source's elements, widened. The bytes added are known as the sign is.
template <class T, class Wide>
uint32_t RunUnPack(const RegisterCall& c, const RegisterControl&) {
    constexpr uint64_t kOwn = (uint64_t{1} << sizeof(T)) - 1;
    const auto known_of = [](uint64_t own) {
        const bool sign = std::is_unsigned_v<T> || (own >> (sizeof(T) - 1) & 1) != 0;
        return own | (sign ? kOwn << sizeof(T) : 0);
    };
    const LaneArray<T> src(*c.src0);
    if (c.registers == 2) {
        LaneArray<T> high;
        for (uint32_t i = 0; i < src.kLanes; ++i) {
            high.lane[i] = static_cast<T>(static_cast<Wide>(src.lane[i]) >> (8 * sizeof(T) - 1) >> 1);
            high.SetKnown(i, known_of(src.KnownOf(i)) >> sizeof(T));
        }
        src.StoreTo(c.dst);
        high.StoreTo(c.dst + 1);
        return 0;
    }
    LaneArray<Wide> dst;
    const uint32_t first = c.mode == 1 ? dst.kLanes : 0;
    for (uint32_t i = 0; i < dst.kLanes; ++i) dst.lane[i] = static_cast<Wide>(src.lane[first + i]);
    if (!src.AllKnown()) {
        for (uint32_t i = 0; i < dst.kLanes; ++i) dst.SetKnown(i, known_of(src.KnownOf(first + i)));
    }
    dst.StoreTo(c.dst);
    return 0;
}

template <class T>
void Interleave(const LaneArray<T>& a, const LaneArray<T>& b, LaneArray<T>* low, LaneArray<T>* high) {
    constexpr uint32_t kMiddle = LaneArray<T>::kLanes / 2;
    for (uint32_t i = 0; i < kMiddle; ++i) {
        low->lane[2 * i] = a.lane[i];
        low->lane[2 * i + 1] = b.lane[i];
        high->lane[2 * i] = a.lane[kMiddle + i];
        high->lane[2 * i + 1] = b.lane[kMiddle + i];
    }
    if (a.AllKnown() && b.AllKnown()) return;
    for (uint32_t i = 0; i < kMiddle; ++i) {
        low->SetKnown(2 * i, a.KnownOf(i));
        low->SetKnown(2 * i + 1, b.KnownOf(i));
        high->SetKnown(2 * i, a.KnownOf(kMiddle + i));
        high->SetKnown(2 * i + 1, b.KnownOf(kMiddle + i));
    }
}

template <class T>
void DeInterleave(const LaneArray<T>& a, const LaneArray<T>& b, LaneArray<T>* even, LaneArray<T>* odd) {
    constexpr uint32_t kMiddle = LaneArray<T>::kLanes / 2;
    for (uint32_t i = 0; i < kMiddle; ++i) {
        even->lane[i] = a.lane[2 * i];
        odd->lane[i] = a.lane[2 * i + 1];
        even->lane[kMiddle + i] = b.lane[2 * i];
        odd->lane[kMiddle + i] = b.lane[2 * i + 1];
    }
    if (a.AllKnown() && b.AllKnown()) return;
    for (uint32_t i = 0; i < kMiddle; ++i) {
        even->SetKnown(i, a.KnownOf(2 * i));
        odd->SetKnown(i, a.KnownOf(2 * i + 1));
        even->SetKnown(kMiddle + i, b.KnownOf(2 * i));
        odd->SetKnown(kMiddle + i, b.KnownOf(2 * i + 1));
    }
}

template <class T>
using ShuffleFn = void (*)(const LaneArray<T>&, const LaneArray<T>&, LaneArray<T>*, LaneArray<T>*);

// Elements in two registers: their low words by themselves, and their high words.
template <class T, ShuffleFn<T> kShuffle>
uint32_t RunShuffle(const RegisterCall& c, const RegisterControl&) {
    LaneArray<T> result[2][2];
    for (uint32_t r = 0; r < c.registers; ++r) {
        kShuffle(LaneArray<T>(c.src0[r]), LaneArray<T>(c.src1[r]), &result[r][0], &result[r][1]);
    }
    for (uint32_t r = 0; r < c.registers; ++r) {
        result[r][0].StoreTo(c.dst + r);
        result[r][1].StoreTo(c.dst1 + r);
    }
    return 0;
}
template <ShuffleFn<uint64_t> kLong, ShuffleFn<uint32_t> kWords>
uint32_t RunLongShuffle(const RegisterCall& c, const RegisterControl& control) {
    return c.registers == 2 ? RunShuffle<uint32_t, kWords>(c, control) : RunShuffle<uint64_t, kLong>(c, control);
}

// Indices count modulo the lanes.
template <class T>
uint32_t RunGather(const RegisterCall& c, const RegisterControl&) {
    const LaneArray<T> src(*c.src0), index(*c.src1);
    LaneArray<T> dst;
    constexpr uint32_t kLast = LaneArray<T>::kLanes - 1;
    for (uint32_t i = 0; i < src.kLanes; ++i) dst.lane[i] = src.lane[index.lane[i] & kLast];
    if (!src.AllKnown() || !index.AllKnown()) {
        const masks::ByteBits whole = masks::WholeLanes(index.known, sizeof(T));
        for (uint32_t i = 0; i < src.kLanes; ++i) {
            const bool known = masks::BitAt(whole, static_cast<uint32_t>(i * sizeof(T)));
            dst.SetKnown(i, known ? src.KnownOf(index.lane[i] & kLast) : 0);
        }
    }
    dst.StoreTo(c.dst);
    return 0;
}

template <class T>
void AddOfWidth(RegisterTable& table, std::initializer_list<DataType> types) {
    for (const DataType type : types) {
        table.At(RegisterOp::kInterleave, type) = &RunShuffle<T, &Interleave<T>>;
        table.At(RegisterOp::kDeInterleave, type) = &RunShuffle<T, &DeInterleave<T>>;
        table.At(RegisterOp::kGather, type) = &RunGather<T>;
        if (type != kBfloat16) table.At(RegisterOp::kSqueeze, type) = &RunSqueeze<T>;
        if (casts::IsInteger(type)) table.At(RegisterOp::kUnsqueeze, type) = &RunUnsqueeze<T>;
    }
}

}  // namespace

void AddShuffles(RegisterTable& table) {
    AddOfWidth<uint8_t>(table, {kInt8, kUint8});
    AddOfWidth<uint16_t>(table, {kInt16, kUint16, kHalf, kBfloat16});
    AddOfWidth<uint32_t>(table, {kInt32, kUint32, kFloat});
    for (const DataType type : {kInt4, kHifloat8, kFp8E4m3, kFp8E5m2, kFp8E8m0, kFp4E2m1, kFp4E1m2}) {
        table.At(RegisterOp::kGather, type) = &RunGather<uint8_t>;
    }
    for (const DataType type : {kInt64, kUint64}) {
        table.At(RegisterOp::kInterleave, type) = &RunLongShuffle<&Interleave<uint64_t>, &Interleave<uint32_t>>;
        table.At(RegisterOp::kDeInterleave, type) = &RunLongShuffle<&DeInterleave<uint64_t>, &DeInterleave<uint32_t>>;
    }
    for (int type = 0; type < static_cast<int>(kEnd); ++type) {
        table.At(RegisterOp::kMove, static_cast<DataType>(type)) = &RunMove;
        table.At(RegisterOp::kDuplicate, static_cast<DataType>(type)) = &RunDuplicate;
    }
    table.At(RegisterOp::kHistogram, kUint8) = &RunHistogram;
    table.At(RegisterOp::kArange, kInt8) = &RunIntegerArange<uint8_t>;
    table.At(RegisterOp::kArange, kInt16) = &RunIntegerArange<uint16_t>;
    table.At(RegisterOp::kArange, kInt32) = &RunIntegerArange<uint32_t>;
    table.At(RegisterOp::kArange, kInt64) = &RunLongArange;
    table.At(RegisterOp::kArange, kHalf) = &RunHalfArange;
    table.At(RegisterOp::kArange, kFloat) = &RunFloatArange;
    for (const DataType type : {kInt16, kUint16}) table.At(RegisterOp::kPack, type) = &RunPack<uint16_t, uint8_t>;
    for (const DataType type : {kInt32, kUint32}) table.At(RegisterOp::kPack, type) = &RunPack<uint32_t, uint16_t>;
    for (const DataType type : {kInt64, kUint64}) table.At(RegisterOp::kPack, type) = &RunPack<uint64_t, uint32_t>;
    table.At(RegisterOp::kUnPack, kInt8) = &RunUnPack<int8_t, int16_t>;
    table.At(RegisterOp::kUnPack, kUint8) = &RunUnPack<uint8_t, uint16_t>;
    table.At(RegisterOp::kUnPack, kInt16) = &RunUnPack<int16_t, int32_t>;
    table.At(RegisterOp::kUnPack, kUint16) = &RunUnPack<uint16_t, uint32_t>;
    table.At(RegisterOp::kUnPack, kInt32) = &RunUnPack<int32_t, int64_t>;
    table.At(RegisterOp::kUnPack, kUint32) = &RunUnPack<uint32_t, uint64_t>;
}

}  // namespace sfumato::exec
