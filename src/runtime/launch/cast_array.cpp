// SPDX-License-Identifier: Apache-2.0
// sfumato.cast: one conversion of the tables on a whole array, without a kernel.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "exec/exec.h"
#include "isa/round_words.h"
#include "runtime/cores/float_environment.h"
#include "sfumato/half.h"
#include "sfumato/launch.h"
#include "soc/chip.h"

namespace sfumato {

using runtime::DefaultFloatEnvironment;

namespace {

constexpr uint64_t kChunk = 4096;  // elements converted at a time where int4 has to be packed

struct Mode {
    isa::Api api;
    Rounding rounding;
};

Mode ParseMode(const std::string& text) {
    for (const auto api : {isa::Api::kAscendC, isa::Api::kTik}) {
        if (const auto rounding = isa::RoundingNamed(api, text)) return {api, *rounding};
    }
    throw UnsupportedError(
        fmt::format("unknown round_mode '{}': legal are CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, "
                    "CAST_TRUNC, CAST_ODD (Cast) "
                    "and '', none, round, floor, ceil, ceiling, away-zero, to-zero, odd (vec_conv)",
                    text));
}

// vec_conv's page and Cast's page list different pairs: a mode of one page may be legal on the other only.
const soc::ConversionRow& LegalRow(const soc::Chip& chip, const CastOptions& options, Mode mode, DataType src,
                                   DataType dst) {
    const char* call = mode.api == isa::Api::kTik ? "vec_conv" : "Cast";
    const auto name = [&](DataType t) { return mode.api == isa::Api::kTik ? NumpyName(t) : CName(t); };
    const soc::ConversionRow* row = chip.Conversion(mode.api, src, dst);
    if (!row) {
        const std::string list = soc::ConversionList(chip, mode.api, src);
        throw UnsupportedError(
            fmt::format("{} on {} has no conversion from {} to {}: {}", call, chip.name, name(src), name(dst),
                        list.empty() ? fmt::format("it has none from {}", name(src)) : "it has " + list));
    }
    if (!((row->modes >> static_cast<int>(mode.rounding)) & 1)) {
        throw UnsupportedError(fmt::format("{} on {} does not convert {} to {} with round_mode '{}': legal are {}",
                                           call, chip.name, name(src), name(dst), options.round_mode,
                                           soc::ModeList(*row)));
    }
    return *row;
}

void SetDeqScale(const CastOptions& options, const soc::Chip& chip, const soc::ConversionRow& row,
                 exec::Conversion* c) {
    const auto refuse = [&](const char* what) {
        throw UnsupportedError(
            fmt::format("{} to {} on {}: {}", NumpyName(row.src), NumpyName(row.dst), chip.name, what));
    };
    switch (row.deq) {
        case soc::DeqKind::kNone:
            if (options.deq_kind != 0) refuse("this conversion takes no deqscale");
            return;
        case soc::DeqKind::kHalfScale: {
            if (options.deq_kind != 1) refuse("deqscale is required, a float");
            c->deq = isa::DeqScale::kHalf;
            c->deq_word = half(options.deq_scale).bits();
            return;
        }
        case soc::DeqKind::kWord:
            if (options.deq_kind != 2 && options.deq_kind != 3) {
                refuse("deqscale is required: an integer word, 16 uint64 words, or a (scale, offset) pair");
            }
            c->deq = options.deq_kind == 2 ? isa::DeqScale::kWord : isa::DeqScale::kVector;
            c->deq_word = options.deq_words[0];
            c->deq_words = options.deq_words;
            return;
    }
}

}  // namespace

bool CastArray(const CastOptions& options, DataType src_type, const void* src, DataType dst_type, void* dst,
               uint64_t n) {
    const soc::Chip& chip = soc::FindChip(options.chip);
    const Mode mode = ParseMode(options.round_mode);
    const soc::ConversionRow& row = LegalRow(chip, options, mode, src_type, dst_type);
    exec::Conversion c;
    c.src = src_type;
    c.dst = dst_type;
    c.rounding = mode.rounding;
    if (mode.api == isa::Api::kAscendC && mode.rounding == Rounding::kRound && chip.directed_cast_round &&
        !options.cast_round_ties) {
        c.rounding = Rounding::kAway;
    }
    c.overflow = soc::PolicyOf(chip, options.overflow, Info(Route::kCast).overflow);
    SetDeqScale(options, chip, row, &c);
    const DefaultFloatEnvironment environment;

    const bool unpack = src_type == DataType::kInt4, pack = dst_type == DataType::kInt4;
    if (!unpack && !pack) {
        return exec::Convert(c, src, dst, n);
    }
    bool limited = false;
    // NumPy holds int4 one a byte, the chip two: convert through a packed chunk.
    std::vector<uint8_t> packed(kChunk / 2);
    for (uint64_t done = 0; done < n; done += kChunk) {
        const uint64_t count = std::min(kChunk, n - done), even = (count + 1) / 2 * 2;
        if (unpack) {
            const auto* in = static_cast<const uint8_t*>(src) + done;
            for (uint64_t i = 0; i < even; i += 2) {
                packed[i / 2] = static_cast<uint8_t>((in[i] & 15) | (i + 1 < count ? in[i + 1] << 4 : 0));
            }
            std::vector<uint8_t> out(BytesOf(dst_type, even));
            limited |= exec::Convert(c, packed.data(), out.data(), even);
            std::copy_n(out.data(), BytesOf(dst_type, count), static_cast<uint8_t*>(dst) + BytesOf(dst_type, done));
        } else {
            std::vector<uint8_t> in(BytesOf(src_type, even));
            std::copy_n(static_cast<const uint8_t*>(src) + BytesOf(src_type, done), BytesOf(src_type, count),
                        in.data());
            limited |= exec::Convert(c, in.data(), packed.data(), even);
            auto* out = static_cast<int8_t*>(dst) + done;
            for (uint64_t i = 0; i < count; ++i) {
                const int nibble = (packed[i / 2] >> (i % 2 * 4)) & 15;
                out[i] = static_cast<int8_t>(nibble >= 8 ? nibble - 16 : nibble);
            }
        }
    }
    return limited;
}

}  // namespace sfumato
