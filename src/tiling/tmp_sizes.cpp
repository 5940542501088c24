// SPDX-License-Identifier: Apache-2.0
// Sizes of temporary buffers (adv.md 1.3, decided: the vendor publishes none).
#include <algorithm>
#include <limits>
#include <optional>

#include "tiling/vector_words.h"

namespace sfumato::tiling {
namespace {

struct Row {
    std::string_view name;
    uint32_t half, single, extra;
};
constexpr Row kRows[] = {
#define SFUMATO_TMP_SIZE(Name, half, single, extra) {#Name, half, single, extra},
#include "sfumato/tiling/tmp_sizes.inc"
#undef SFUMATO_TMP_SIZE
};

// What the kernel's side checks a buffer against, where it has the call.
struct Live {
    std::string_view name;
    uint32_t live;
};
constexpr Live kLive[] = {
#define SFUMATO_ADV(Name, form, temporaries, live, ...) {#Name, live},
#include "sfumato/ascendc/adv/elementwise.inc"
#undef SFUMATO_ADV
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
    const auto row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return r.name == name; });
    if (row == std::end(kRows)) Refuse("{}: no elementwise call has the name {}", call, name);
    const auto live = std::find_if(std::begin(kLive), std::end(kLive), [&](const Live& l) { return l.name == name; });
    if (live != std::end(kLive)) return {live->live, row->extra};
    return {type_size == 4 ? row->single : row->half, row->extra};
}

std::vector<std::string> ElementwiseNames() {
    std::vector<std::string> names;
    for (const Row& row : kRows) names.emplace_back(row.name);
    return names;
}

TmpSizes FlatTmp(const std::string& call, const Dimensions& shape, uint32_t type_size, uint32_t live, uint32_t extra) {
    const uint64_t elements = Elements(call, shape, 1, 8);
    return {Narrow(call, LiveBytes(live, elements, type_size) + extra), live * 256 + extra};
}

TmpSizes ElementwiseTmp(std::string_view name, const std::string& call, const Dimensions& shape, uint32_t type_size) {
    const TmpFactor factor = ElementwiseFactor(name, call, type_size);
    return FlatTmp(call, shape, type_size, factor.live, factor.extra);
}

TmpSizes RowTmp(const std::string& call, const Dimensions& shape, uint32_t type_size, uint32_t live) {
    CheckTypeSize(call, type_size, {1, 2, 4});
    const uint64_t elements = Elements(call, shape, 1, 8);
    const uint64_t row = LiveBytes(live, static_cast<uint64_t>(shape.back()), type_size);
    return {Narrow(call, std::max(row, row * (elements / static_cast<uint64_t>(shape.back())))), Narrow(call, row)};
}

}  // namespace sfumato::tiling
