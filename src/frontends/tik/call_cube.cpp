// SPDX-License-Identifier: Apache-2.0
// Calls of the cube unit to records (tik.md 1.9; cube.md 3 to 5).
#include <fmt/format.h>

#include "frontends/tik/calls.h"
#include "isa/path.h"

namespace sfumato::tik {
namespace {

using isa::Memory;
using isa::Record;

void Off(const CallValues& v, Param param) {
    if (v.Flag(param)) {
        Refuse({Rule::kParameterUnsupported, Name(param), fmt::format("{} is not supported", Name(param)), "on",
                "False or 0", ""});
    }
}

// "inc" and "dec", or 0 and 1; None is rising.
bool Falls(const CallValues& v) {
    const CallArgument* a = v.Find(Param::addr_mode);
    if (!a) return false;
    if (a->kind != CallArgument::Kind::kText) return v.Integer(*a) != 0;
    const std::string_view mode = v.Text(Param::addr_mode, "");
    if (mode != "inc" && mode != "dec") {
        Refuse({Rule::kAddrMode, "addr_mode", "the address mode does not exist", fmt::format("'{}'", mode),
                "'inc', 'dec'", ""});
    }
    return mode == "dec";
}

// [left, right, top, bottom].
isa::FeatureMap MapOf(const CallValues& v, Param pads) {
    isa::FeatureMap map;
    map.height = v.Count(Param::l1_h, 0);
    map.width = v.Count(Param::l1_w, 0);
    const CallArgument* list = v.Find(pads);
    if (!list || list->kind != CallArgument::Kind::kList || list->count != 4) {
        Refuse({Rule::kPadList, Name(pads), "the padding must be a list of four", v.Given(list),
                "[left, right, top, bottom], 0..255 each", ""});
    }
    uint8_t* sides[] = {&map.left, &map.right, &map.top, &map.bottom};
    for (int i = 0; i < 4; ++i) {
        const int64_t value = v.Integer(v.Item(*list, i));
        if (value < 0 || value > 255) {
            Refuse({Rule::kParameterRange, Name(pads), "a padding is out of range", fmt::format("{}", value), "0..255",
                    ""});
        }
        *sides[i] = static_cast<uint8_t>(value);
    }
    return map;
}

isa::Filter FilterOf(const CallValues& v) {
    return {.stride_w = v.Count(Param::stride_w, 1),
            .stride_h = v.Count(Param::stride_h, 1),
            .width = v.Count(Param::filter_w, 1),
            .height = v.Count(Param::filter_h, 1),
            .dilation_w = v.Count(Param::dilation_filter_w, 1),
            .dilation_h = v.Count(Param::dilation_filter_h, 1)};
}

uint64_t PadValue(const CallValues& v, const Record& r) {
    const CallArgument* a = v.Find(Param::pad_value);
    return a ? v.Bits(*a, r.dst().type) : 0;
}

}  // namespace

void BuildLoad2D(const CallValues& v, Record* r) {
    SetEnds(v, r);
    const bool second = v.Find(Param::start_index) != nullptr;
    const uint32_t gap = v.Count(Param::dst_gap, 0);
    const bool has_gap = v.chip().load2d_dst_gap;
    r->Set(isa::Load2D{.start = v.Count(second ? Param::start_index : Param::index, 0),
                       .repeats = v.Count(Param::repeat_times, 0),
                       .src_stride = v.Count(Param::src_stride, 0),
                       .dst_gap = has_gap ? gap : 0,
                       .transpose = v.Flag(Param::if_transpose),
                       .decrement = Falls(v),
                       .ignored_gap = has_gap ? 0 : gap});
}

void BuildLoad3Dv1(const CallValues& v, Record* r) {
    SetEnds(v, r);
    auto& shape = r->As<isa::Load3Dv1>();
    shape.map = MapOf(v, Param::pad);
    shape.filter = FilterOf(v);
    shape.c1_index = v.Count(Param::c1_index, 0);
    shape.fetch_w = v.Count(Param::fetch_filter_w, 0);
    shape.fetch_h = v.Count(Param::fetch_filter_h, 0);
    shape.left_top_w = static_cast<int32_t>(v.Integer(Param::left_top_w, 0));
    shape.left_top_h = static_cast<int32_t>(v.Integer(Param::left_top_h, 0));
    shape.jump_stride = v.Count(Param::jump_offset, 1);
    shape.repeat_mode = v.Count(Param::repeat_mode, 0);
    shape.repeats = v.Count(Param::repeat_time, 0);
    shape.small_channels = v.Flag(Param::_csize);
    shape.pad_value = PadValue(v, *r);
}

void BuildLoad3Dv2(const CallValues& v, Record* r) {
    SetEnds(v, r);
    Off(v, Param::en_small_k);
    auto& shape = r->As<isa::Load3Dv2>();
    shape.map = MapOf(v, Param::pad_list);
    shape.filter = FilterOf(v);
    shape.channels = v.Count(Param::channel_size, 0);
    shape.k_extension = v.Count(Param::k_extension, 0);
    shape.m_extension = v.Count(Param::m_extension, 0);
    shape.k_start = v.Count(Param::k_start_pt, 0);
    shape.m_start = v.Count(Param::m_start_pt, 0);
    shape.transpose = v.Flag(Param::en_transpose);
    shape.pad_value = PadValue(v, *r);
}

void BuildMatmul(const CallValues& v, Record* r) {
    constexpr int kBias = 3;
    for (const Param param : {Param::fm_offset, Param::en_weight_offset, Param::en_small_channel, Param::en_small_k,
                              Param::en_ssparse, Param::en_winograd_a, Param::en_winograd_b}) {
        Off(v, param);
    }
    r->pipe = isa::Pipe::kM;
    r->operand_count = v.has(kBias) ? 4 : 3;
    for (int i = 0; i < r->operand_count; ++i) Nth(r->operand, i) = v.Operand(i);
    auto& shape = r->As<isa::Matmul>();
    shape.m = v.Count(Param::matrix_m, 0);
    shape.k = v.Count(Param::matrix_k, 0);
    shape.n = v.Count(Param::matrix_n, 0);
    shape.initial = v.has(kBias)             ? isa::Matmul::Initial::kBias
                    : v.Flag(Param::is_bias) ? isa::Matmul::Initial::kAccumulate
                                             : isa::Matmul::Initial::kZero;
    shape.vector_a = shape.m == 1 && v.chip().gemv;
}

}  // namespace sfumato::tik
