// SPDX-License-Identifier: Apache-2.0
// Sizes of temporary buffers (adv.md 1.3, decided: the vendor publishes none).
#include <algorithm>
#include <limits>
#include <optional>

#include "sfumato/tiling/call_sizes.h"
#include "tiling/vector_words.h"

namespace sfumato::tiling {
namespace {

constexpr std::string_view kNames[] = {
#define SFUMATO_TMP_SIZE(Name, half, single, extra) #Name,
#include "sfumato/tiling/tmp_sizes.inc"
#undef SFUMATO_TMP_SIZE
};

uint32_t Narrow(const std::string& call, uint64_t bytes) {
    if (bytes > std::numeric_limits<uint32_t>::max()) Refuse("{}: {} bytes do not fit 32 bits", call, bytes);
    return static_cast<uint32_t>(bytes);
}

}  // namespace

uint64_t Elements(const std::string& call, const Dimensions& shape, size_t least, size_t most) {
    if (shape.size() < least || shape.size() > most) {
        Refuse("{}: the shape has {} axes; legal are {}", call, shape.size(),
               least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most));
    }
    uint64_t elements = 1;
    for (size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] < 1) Refuse("{}: axis {} of the shape is {}; it is at least 1", call, i, shape[i]);
        elements *= static_cast<uint64_t>(shape[i]);
        if (elements > std::numeric_limits<uint32_t>::max()) Refuse("{}: the shape has more than 2^32 elements", call);
    }
    return elements;
}

void CheckTypeSize(const std::string& call, uint32_t size, std::initializer_list<uint32_t> legal) {
    if (std::find(legal.begin(), legal.end(), size) != legal.end()) return;
    std::string words;
    for (const uint32_t one : legal) words += fmt::format("{}{}", words.empty() ? "" : ", ", one);
    Refuse("{}: elements of {} bytes; legal are {}", call, size, words);
}

TmpFactor ElementwiseFactor(std::string_view name, const std::string& call, uint32_t type_size) {
    CheckTypeSize(call, type_size, {1, 2, 4});
    const auto* row = std::find(std::begin(kNames), std::end(kNames), name);
    if (row == std::end(kNames)) Refuse("{}: no elementwise call has the name {}", call, name);
    return FactorOf(static_cast<TmpRow>(row - std::begin(kNames)), type_size);
}

std::vector<std::string> ElementwiseNames() { return {std::begin(kNames), std::end(kNames)}; }

namespace {
// `live` nodes of n elements, each in whole repeats.
uint64_t LiveBytes(uint32_t live, uint64_t elements, uint32_t type_size) {
    return live * RoundUpTo(elements * type_size, 256);
}
}  // namespace

TmpSizes FlatTmp(const std::string& call, const Dimensions& shape, uint32_t type_size, uint32_t live, uint32_t extra) {
    const uint64_t elements = Elements(call, shape, 1, 8);
    return {Narrow(call, LiveBytes(live, elements, type_size) + extra), live * 256 + extra};
}

TmpSizes ElementwiseTmp(std::string_view name, const std::string& call, const Dimensions& shape, uint32_t type_size) {
    const TmpFactor factor = ElementwiseFactor(name, call, type_size);
    return FlatTmp(call, shape, type_size, factor.live, factor.extra);
}

namespace {

// Sizes in whole repeats, one at least: programs make buffers of them.
TmpSizes Whole(const std::string& call, uint64_t most, uint64_t least) {
    const auto whole = [&](uint64_t bytes) { return Narrow(call, RoundUpTo(std::max<uint64_t>(bytes, 1), 256)); };
    return {whole(std::max(most, least)), whole(least)};
}

uint32_t LastOf(const Dimensions& shape) { return static_cast<uint32_t>(shape.back()); }
// Rows of a shape, and elements of a row in whole blocks.
uint64_t RowsOf(const std::string& call, const Dimensions& shape) {
    const uint64_t elements = Elements(call, shape, 1, 8);  // first: it refuses an empty shape
    return elements / LastOf(shape);
}
uint32_t PitchOf(const Dimensions& shape, uint32_t type_size) {
    return static_cast<uint32_t>(RoundUpTo(LastOf(shape), 32 / type_size));
}

}  // namespace

TmpSizes PadTmp(const std::string& call, const Dimensions& shape, uint32_t type_size) {
    CheckTypeSize(call, type_size, {2, 4});
    const uint64_t rows = RowsOf(call, shape), pitch = PitchOf(shape, type_size);
    return Whole(call, PadBytes(rows * pitch), PadBytes(pitch));
}

TmpSizes NeedTmp(const std::string& call, uint64_t rows, const RowNeed& need) {
    return Whole(call, need.Bytes(static_cast<uint32_t>(rows)), need.Bytes(1));
}

TmpSizes SoftmaxTmp(const std::string& call, const Dimensions& shape, const SoftmaxUse& use) {
    CheckTypeSize(call, use.data_size, {2, 4});
    CheckTypeSize(call, use.side_size, {2, 4});
    if (use.data_size > use.side_size) {
        Refuse("{}: sum and maximum of {} bytes with data of {}; they are as the data, or float", call, use.side_size,
               use.data_size);
    }
    const uint64_t rows = RowsOf(call, shape);
    return NeedTmp(call, rows, SoftmaxNeed(PitchOf(shape, use.data_size), use));
}

TmpSizes NormTmp(const std::string& call, const Dimensions& shape, uint32_t type_size, bool rms) {
    CheckTypeSize(call, type_size, {2, 4});
    const uint64_t rows = RowsOf(call, shape);
    return NeedTmp(call, rows, NormNeed(PitchOf(shape, type_size), type_size == 2, rms, type_size == 2 ? 2 - rms : 0));
}

TmpSizes ReductionTmp(const std::string& call, const ReductionProblem& p) {
    CheckTypeSize(call, p.type_size, {1, 2, 4});
    const auto rows = static_cast<uint32_t>(RowsOf(call, p.shape));
    if (p.kind == ReductionKind::kProducts && !p.down) return Whole(call, ProductBytes(rows), ProductBytes(rows));
    const bool bytes = p.type_size == 1;  // truth values in half
    const bool truths = p.kind == ReductionKind::kTruths, extreme = truths || p.kind == ReductionKind::kExtremes;
    return NeedTmp(call, rows,
                   ReductionNeed(bytes ? 2 : p.type_size, PitchOf(p.shape, p.type_size), truths, bytes, p.down,
                                 extreme && !p.down));
}

TmpSizes CumSumTmp(const std::string& call, const Dimensions& shape, uint32_t type_size, bool along) {
    CheckTypeSize(call, type_size, {2, 4});
    const auto rows = static_cast<uint32_t>(RowsOf(call, shape));
    const uint32_t columns = PitchOf(shape, type_size);
    const bool narrow = type_size == 2;
    const uint64_t down = CumSumDownBytes(columns, narrow);
    if (!along) return Whole(call, down, down);
    return Whole(call, CumSumAlongBytes(rows, rows, columns, narrow, true),
                 CumSumAlongBytes(1, rows, columns, narrow, true));
}

TmpSizes BroadcastTmp(const std::string& call, const Dimensions& shape, uint32_t type_size) {
    CheckTypeSize(call, type_size, {1, 2, 4});
    const uint64_t all = Elements(call, shape, 1, 2), rows = shape.size() == 1 ? 1 : all / LastOf(shape);
    const auto sizes = [&](uint64_t elements, uint64_t blocks) {
        return std::max(BroadcastElementBytes(rows, elements, type_size), blocks);
    };
    return Whole(call, sizes(all, 32 * RoundUpTo(rows, 16)), sizes(32, BroadcastBlockBytes(rows)));
}

TmpSizes AntiQuantTmp(const std::string& call, const Dimensions& shape, const Dimensions& parameters, bool transposed,
                      bool wide) {
    const uint64_t all = Elements(call, shape, 1, 8);
    const uint64_t vectors = 2 * AntiQuantVector(Elements(call, parameters, 1, 8), transposed, wide);
    return Whole(call, vectors + AntiQuantEach(wide) * RoundUpTo(all, 64), vectors + AntiQuantEach(wide) * 64);
}

}  // namespace sfumato::tiling
