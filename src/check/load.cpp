// SPDX-License-Identifier: Apache-2.0
// LoadData and LoadDataWithTranspose (cube.md 3).
#include <fmt/format.h>

#include "check/parameters.h"

namespace sfumato::check {
namespace {

using isa::Load2D;
using isa::Load3Dv1;
using isa::Load3Dv2;
using isa::LoadTransposed;
using isa::Memory;
using isa::Record;

// LoadData, table 3.
constexpr Parameter<Load2D> kLoad2D[] = {
    {"repeatTimes", "repeat_times", SFUMATO_VALUE(Load2D, repeats), 1, 255, true},
    {"startIndex", "index", SFUMATO_VALUE(Load2D, start), 0, 65535},
    {"srcStride", "src_stride", SFUMATO_VALUE(Load2D, src_stride), 0, 65535, false,
     SFUMATO_USED(Load2D, s.repeats > 1)},
    {"dstGap", "dst_gap", SFUMATO_VALUE(Load2D, dst_gap), 0, 65535, false, SFUMATO_USED(Load2D, s.repeats > 1)},
};

constexpr Parameter<LoadTransposed> kLoadTransposed[] = {
    {"repeatTimes", nullptr, SFUMATO_VALUE(LoadTransposed, repeats), 1, 255, true},
    {"startIndex", nullptr, SFUMATO_VALUE(LoadTransposed, start), 0, 65535},
    {"srcStride", nullptr, SFUMATO_VALUE(LoadTransposed, src_stride), 0, 65535, false,
     SFUMATO_USED(LoadTransposed, s.repeats > 1)},
    {"dstGap", nullptr, SFUMATO_VALUE(LoadTransposed, dst_gap), 0, 65535, false,
     SFUMATO_USED(LoadTransposed, s.repeats > 1)},
    {"dstFracGap", nullptr, SFUMATO_VALUE(LoadTransposed, dst_fractal_gap), 0, 65535},
};

// LoadData, table 4.
constexpr Parameter<Load3Dv1> kLoad3Dv1[] = {
    {"repeatTime", "repeat_time", SFUMATO_VALUE(Load3Dv1, repeats), 1, 255, true},
    {"l1H", "l1_h", SFUMATO_VALUE(Load3Dv1, map.height), 1, 32767},
    {"l1W", "l1_w", SFUMATO_VALUE(Load3Dv1, map.width), 1, 32767},
    {"c1Index", "c1_index", SFUMATO_VALUE(Load3Dv1, c1_index), 0, 4095},
    {"fetchFilterW", "fetch_filter_w", SFUMATO_VALUE(Load3Dv1, fetch_w), 0, 254},
    {"fetchFilterH", "fetch_filter_h", SFUMATO_VALUE(Load3Dv1, fetch_h), 0, 254},
    {"leftTopW", "left_top_w", SFUMATO_VALUE(Load3Dv1, left_top_w), -255, 32767},
    {"leftTopH", "left_top_h", SFUMATO_VALUE(Load3Dv1, left_top_h), -255, 32767},
    {"strideW", "stride_w", SFUMATO_VALUE(Load3Dv1, filter.stride_w), 1, 63},
    {"strideH", "stride_h", SFUMATO_VALUE(Load3Dv1, filter.stride_h), 1, 63},
    {"filterW", "filter_w", SFUMATO_VALUE(Load3Dv1, filter.width), 1, 255},
    {"filterH", "filter_h", SFUMATO_VALUE(Load3Dv1, filter.height), 1, 255},
    {"dilationFilterW", "dilation_filter_w", SFUMATO_VALUE(Load3Dv1, filter.dilation_w), 1, 255, false,
     SFUMATO_USED(Load3Dv1, s.filter.width > 1)},
    {"dilationFilterH", "dilation_filter_h", SFUMATO_VALUE(Load3Dv1, filter.dilation_h), 1, 255, false,
     SFUMATO_USED(Load3Dv1, s.filter.height > 1)},
    {"jumpStride", "jump_offset", SFUMATO_VALUE(Load3Dv1, jump_stride), 1, 127, false,
     SFUMATO_USED(Load3Dv1, s.repeats > 1)},
    {"repeatMode", "repeat_mode", SFUMATO_VALUE(Load3Dv1, repeat_mode), 0, 1, false,
     SFUMATO_USED(Load3Dv1, s.repeats > 1)},
};

// LoadData, table 5; mStartPt, filterSizeW and filterSizeH by cube.md 3.5.
constexpr Parameter<Load3Dv2> kLoad3Dv2[] = {
    {"l1H", "l1_h", SFUMATO_VALUE(Load3Dv2, map.height), 1, 32767, true},
    {"l1W", "l1_w", SFUMATO_VALUE(Load3Dv2, map.width), 1, 32767, true},
    {"channelSize", "channel_size", SFUMATO_VALUE(Load3Dv2, channels), 1, 65535, true},
    {"kExtension", "k_extension", SFUMATO_VALUE(Load3Dv2, k_extension), 1, 65535, true},
    {"mExtension", "m_extension", SFUMATO_VALUE(Load3Dv2, m_extension), 1, 65535, true},
    {"filterW", "filter_w", SFUMATO_VALUE(Load3Dv2, filter.width), 1, 511, true},
    {"filterH", "filter_h", SFUMATO_VALUE(Load3Dv2, filter.height), 1, 511, true},
    {"repeatTime (SetLoadDataRepeat)", nullptr, SFUMATO_VALUE(Load3Dv2, repeats), 1, 255, true},
    {"kStartPt", "k_start_pt", SFUMATO_VALUE(Load3Dv2, k_start), 0, 65535},
    {"mStartPt", "m_start_pt", SFUMATO_VALUE(Load3Dv2, m_start), 0, 32767},
    {"strideW", "stride_w", SFUMATO_VALUE(Load3Dv2, filter.stride_w), 1, 63},
    {"strideH", "stride_h", SFUMATO_VALUE(Load3Dv2, filter.stride_h), 1, 63},
    {"dilationFilterW", "dilation_filter_w", SFUMATO_VALUE(Load3Dv2, filter.dilation_w), 1, 255, false,
     SFUMATO_USED(Load3Dv2, s.filter.width > 1)},
    {"dilationFilterH", "dilation_filter_h", SFUMATO_VALUE(Load3Dv2, filter.dilation_h), 1, 255, false,
     SFUMATO_USED(Load3Dv2, s.filter.height > 1)},
    {"repeatStride (SetLoadDataRepeat)", nullptr, SFUMATO_VALUE(Load3Dv2, repeat_stride), 0, 65535, false,
     SFUMATO_USED(Load3Dv2, s.repeats > 1)},
    {"repeatMode (SetLoadDataRepeat)", nullptr, SFUMATO_VALUE(Load3Dv2, repeat_mode), 0, 1, false,
     SFUMATO_USED(Load3Dv2, s.repeats > 1)},
};

bool ToL0(const Record& r) { return r.dst().memory == Memory::kL0A || r.dst().memory == Memory::kL0B; }
uint32_t Bits(const Record& r) { return BitsOf(r.dst().type); }

SFUMATO_COLD bool TransposeUnsupported(const Record& r, const Context& c, const char* name, const char* legal) {
    return Tell(
        r, c,
        {Rule::kTransposeUnsupported, name, "the load cannot transpose this",
         fmt::format("{}, {} to {}", TypeName(r, r.dst().type), isa::Name(r.src0().memory), isa::Name(r.dst().memory)),
         legal,
         c.chip->Has(r.api, isa::Opcode::load2d_transpose, r.dst().type) ? "use LoadDataWithTranspose"
         : Bits(r) == 16 ? "load into L1 first, and transpose on the way from there"
                         : "load without it; transpose the data before it reaches L1"});
}

SFUMATO_COLD bool FallsBelow(const Record& r, const Context& c, const char* name, uint64_t start, uint64_t fall) {
    return ParameterRange(r, c, name, static_cast<int64_t>(start),
                          fmt::format("{} or more: the source address falls that far", fall),
                          "start at the highest part of the source");
}

SFUMATO_COLD bool NoFall(const Record& r, const Context& c) {
    const bool tik = r.api == isa::Api::kTik;
    return Tell(r, c,
                {Rule::kParameterRange, tik ? "addr_mode" : "addrMode",
                 fmt::format("{} is out of range", tik ? "addr_mode" : "addrMode"), tik ? "'dec'" : "1",
                 tik ? "'inc'; 'dec' on the way from GM to L1 alone" : "0; 1 on the way from GM to L1 alone",
                 "load in rising order, or reverse the order on the way to L1"});
}

SFUMATO_COLD bool GapIgnored(const Record& r, const Context& c, uint32_t gap) {
    return Tell(r, c,
                {Rule::kLoadGapIgnored, Spelling(r, "dstGap", "dst_gap"),
                 fmt::format("{} has no gap between destination fractals: they lie end to end", c.chip->name),
                 fmt::format("{}", gap), "0", "move the fractals with one call each"});
}

// The types of the instruction whose width is in `widths`, a bit set of sizes in bits.
std::string TypesOfWidths(const Record& r, const Context& c, uint32_t widths) {
    uint16_t types = 0;
    for (int i = 0; i < kDataTypeCount; ++i) {
        const DataType t = static_cast<DataType>(i);
        if (c.chip->Has(r.api, r.op, t) && (BitsOf(t) & widths)) types |= static_cast<uint16_t>(1 << i);
    }
    return soc::TypeList(types, r.api);
}

// cube.md 3.5: 4, 8, 16 ... channels may remain beside whole groups of C0, of 4-bit data 8 at least.
bool IsChannelCount(uint32_t channels, uint32_t bits) {
    const uint32_t tail = channels % (256 / bits), least = bits == 4 ? 8 : 4;
    return tail == 0 || (tail >= least && (tail & (tail - 1)) == 0);
}

SFUMATO_COLD bool ChannelCount(const Record& r, const Context& c, uint32_t channels) {
    const uint32_t c0 = 256 / Bits(r);
    std::string tails;
    for (uint32_t t = Bits(r) == 4 ? 8 : 4; t < c0; t *= 2) tails += fmt::format(" or {}", t);
    return ParameterRange(
        r, c, Spelling(r, "channelSize", "channel_size"), channels,
        fmt::format("multiples of {}, and{} more ({})", c0, tails.substr(3), TypeName(r, r.dst().type)),
        "lay the feature map out in L1 with more channels a pixel, the rest 0");
}

// L1 as a circle of `boundary` bytes (cube.md 3.6).
bool CheckBoundary(const Record& r, const Context& c, uint32_t boundary) {
    constexpr uint32_t kLeast = 1024;
    constexpr const char* kName = "boundaryValue (SetLoadDataBoundary)";
    constexpr const char* kHint = "the value counts blocks of 32 bytes for LoadData3DParamsV1, bytes for V2";
    if (boundary == 0) return true;
    if (boundary < kLeast) {
        return ParameterRange(r, c, kName, boundary, fmt::format("0, or {} bytes and more", kLeast), kHint);
    }
    return r.src0().offset < boundary ||
           ParameterRange(r, c, kName, boundary,
                          fmt::format("more than {}, the byte offset of src in L1", r.src0().offset), kHint);
}

// The window on the matrix: multiples of fractals, unless it reaches the matrix' end.
bool CheckWindow(const Record& r, const Context& c, const Load3Dv2& s) {
    const uint64_t c0 = isa::C0Of(r.dst().type);
    const isa::ImageMatrix image = isa::MatrixOf(s);
    const char *k_start = Spelling(r, "kStartPt", "k_start_pt"), *k = Spelling(r, "kExtension", "k_extension");
    const char* m = Spelling(r, "mExtension", "m_extension");
    if (s.k_start % c0 != 0) return ParameterAlignment(r, c, k_start, s.k_start, c0, " (C0)", true);
    if (s.k_extension % c0 != 0 && uint64_t{s.k_start} + s.k_extension < image.columns) {
        return ParameterAlignment(r, c, k, s.k_extension, c0,
                                  fmt::format(", unless the window reaches column {}", image.columns));
    }
    if (s.m_extension % isa::kFractalRows != 0 && Bits(r) != 32 && uint64_t{s.m_start} + s.m_extension < image.rows) {
        return ParameterAlignment(r, c, m, s.m_extension, isa::kFractalRows,
                                  fmt::format(", unless the window reaches row {}", image.rows));
    }
    return true;
}

SFUMATO_COLD bool PastMatrix(const Record& r, const Context& c, const Load3Dv2& s, bool rows, uint64_t size) {
    const char* name = rows ? Spelling(r, "mExtension", "m_extension") : Spelling(r, "kExtension", "k_extension");
    return Tell(r, c,
                {Rule::kLoadPastMatrix, name, "whole fractals of the window lie past the matrix",
                 fmt::format("{} {}..{}", rows ? "rows" : "columns", rows ? s.m_start : s.k_start,
                             rows ? uint64_t{s.m_start} + s.m_extension : uint64_t{s.k_start} + s.k_extension),
                 fmt::format("the {} {} of the matrix, rounded up to whole fractals", size, rows ? "rows" : "columns"),
                 "make the window smaller"});
}

bool CheckInsideMatrix(const Record& r, const Context& c, const Load3Dv2& s) {
    const isa::ImageMatrix image = isa::MatrixOf(s);
    const auto past = [](uint64_t start, uint64_t extension, uint64_t size, uint64_t unit) {
        return start >= size || extension > RoundUpTo(size - start, unit);
    };
    if (past(s.m_start, s.m_extension, image.rows, isa::kFractalRows)) return PastMatrix(r, c, s, true, image.rows);
    if (past(s.k_start, s.k_extension, image.columns, isa::C0Of(r.dst().type))) {
        return PastMatrix(r, c, s, false, image.columns);
    }
    return true;
}

SFUMATO_COLD bool FilterTooLarge(const Record& r, const Context& c, const Load3Dv2& s) {
    const bool wide = isa::MatrixOf(s).out_width == 0;
    const uint32_t taps = wide ? s.filter.width : s.filter.height;
    const uint32_t dilation = wide ? s.filter.dilation_w : s.filter.dilation_h;
    const uint32_t padded = wide ? s.map.width + s.map.left + s.map.right : s.map.height + s.map.top + s.map.bottom;
    return ParameterRange(r, c, wide ? Spelling(r, "filterW", "filter_w") : Spelling(r, "filterH", "filter_h"), taps,
                          fmt::format("at most {}: the padded feature map has {} pixels there, the dilation is {}",
                                      (padded - 1) / dilation + 1, padded, dilation),
                          "check the sizes of the map and the filter, the padding and the dilation");
}

// What the instruction of an older chip lacks (cube.md 3.5).
bool CheckExtension(const Record& r, const Context& c, const Load3Dv2& s) {
    constexpr uint32_t kTaps = 255;
    if (c.chip->load3dv2_extended) return true;
    const std::string& chip = c.chip->name;
    if (s.filter.width > kTaps || s.filter.height > kTaps) {
        const bool wide = s.filter.width > kTaps;
        return ParameterRange(
            r, c, wide ? Spelling(r, "filterW", "filter_w") : Spelling(r, "filterH", "filter_h"),
            wide ? s.filter.width : s.filter.height,
            fmt::format("1..{}{}", kTaps,
                        r.api == isa::Api::kTik ? "" : fmt::format(": {} has no filterSizeW and filterSizeH", chip)),
            Spelling(r, "leave filterSizeW and filterSizeH false", "split the filter"));
    }
    return s.repeats == 1 || ParameterRange(r, c, "repeatTime (SetLoadDataRepeat)", s.repeats,
                                            fmt::format("1: {} has no SetLoadDataRepeat", chip));
}

bool CheckTransposeV2(const Record& r, const Context& c, const Load3Dv2& s) {
    if (r.dst().memory == Memory::kL0B) {
        return Bits(r) >= 16 || TypeNotHere(r, c, "cannot go to L0B", TypesOfWidths(r, c, 16 | 32));
    }
    const bool legal = r.dst().memory == Memory::kL0A && Bits(r) >= 16;
    return !s.transpose || legal ||
           TransposeUnsupported(r, c, Spelling(r, "enTranspose", "en_transpose"), "16-bit and 32-bit types, L1 to L0A");
}

}  // namespace

bool Check(const Record& r, const isa::Load2D& s, const Context& c) {
    if (!CheckTypes(r, c) || !CheckPath(r, c) || !CheckParameters(r, c, s, kLoad2D)) return false;
    const Memory src = r.src0().memory;
    if (Bits(r) == 4 && src != Memory::kL1) {
        return TypeNotHere(r, c, "cannot come from GM", TypesOfWidths(r, c, 8 | 16 | 32));
    }
    if (s.transpose && (Bits(r) != 16 || src != Memory::kL1 || !ToL0(r))) {
        return TransposeUnsupported(r, c, Spelling(r, "ifTranspose", "if_transpose"), "16-bit types, L1 to L0A or L0B");
    }
    if (s.decrement && (src != Memory::kGm || r.dst().memory != Memory::kL1)) return NoFall(r, c);
    if (isa::Fall(s) > s.start) return FallsBelow(r, c, Spelling(r, "startIndex", "index"), s.start, isa::Fall(s));
    const uint32_t ignored = s.ignored_gap | (c.chip->load2d_dst_gap ? 0 : s.dst_gap);
    if (ignored && s.repeats > 1 && !GapIgnored(r, c, ignored)) return false;
    return CheckRanges(r, c);
}

bool Check(const Record& r, const isa::LoadTransposed& s, const Context& c) {
    if (!CheckTypes(r, c) || !CheckPath(r, c) || !CheckParameters(r, c, s, kLoadTransposed)) return false;
    if (Bits(r) == 4 && r.dst().memory != Memory::kL0B) {
        return TypeNotHere(r, c, "can only go to L0B", TypesOfWidths(r, c, 8 | 16 | 32));
    }
    if (isa::Fall(s) > s.start) return FallsBelow(r, c, "startIndex", s.start, isa::Fall(s));
    return CheckRanges(r, c);
}

bool Check(const Record& r, const isa::Load3Dv1& s, const Context& c) {
    return CheckTypes(r, c) && CheckPath(r, c) && CheckParameters(r, c, s, kLoad3Dv1) &&
           CheckBoundary(r, c, s.boundary) && CheckRanges(r, c);
}

bool Check(const Record& r, const isa::Load3Dv2& s, const Context& c) {
    if (!CheckTypes(r, c) || !CheckPath(r, c) || !CheckParameters(r, c, s, kLoad3Dv2)) return false;
    if (!CheckExtension(r, c, s) || !CheckTransposeV2(r, c, s)) return false;
    if (!IsChannelCount(s.channels, Bits(r))) return ChannelCount(r, c, s.channels);
    if (isa::MatrixOf(s).rows == 0) return FilterTooLarge(r, c, s);
    return CheckWindow(r, c, s) && CheckInsideMatrix(r, c, s) && CheckBoundary(r, c, s.boundary) && CheckRanges(r, c);
}

}  // namespace sfumato::check
