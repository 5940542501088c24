// SPDX-License-Identifier: Apache-2.0
// LoadData and LoadDataWithTranspose to records: what Load3D takes from its parameters and what from registers
// (cube.md 3).
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/context.h"

namespace sfumato::ascendc {
namespace {

using AscendC::IsResetLoad3dConfig;
using isa::Record;

constexpr const char* kLoadData = "LoadData";

// The feature map of a Load3D call: its own, which it writes to the register, or what the register holds.
template <class Params>
bool TakeFeatureMap(runtime::Core& core, const Params* own, bool right, Where where, isa::FeatureMap* map) {
    runtime::Registers& regs = core.registers();
    if (own) {
        const uint8_t* pads = own->padList;
        *map = {own->l1H, own->l1W, pads[0], pads[1], pads[2], pads[3]};
        regs.feature_map[right] = *map;
        regs.feature_map_set[right] = true;
        return true;
    }
    if (!regs.feature_map_set[right] &&
        !Find(core, kLoadData, where,
              {Rule::kFmatrixUnset, "isSetFMatrix", "the feature map is taken from a register that nothing has set",
               fmt::format("no SetFmatrix with {} before", right ? "FMATRIX_RIGHT" : "FMATRIX_LEFT"),
               "SetFmatrix, or a Load3D that sets the feature map, earlier on this core",
               "call SetFmatrix(l1H, l1W, padList, ...) first; LoadData3DParamsV1 and V2 set it with isSetFMatrix "
               "true"})) {
        return false;
    }
    *map = regs.feature_map[right];
    return true;
}

// The pad value of a Load3D call likewise.
uint64_t TakePad(runtime::Core& core, bool own, uint64_t pad, DataType type) {
    if (own) SetLoadPad(pad, BytesOf(type, 1));
    const uint64_t bits = BitsOf(type);
    return core.registers().load_pad & (bits < 64 ? (uint64_t{1} << bits) - 1 : ~uint64_t{0});
}

template <class Params>
isa::Filter ToFilter(const Params& p, bool wide, bool high) {
    constexpr uint32_t kExtension = 256;  // what filterSizeW and filterSizeH add
    return {.stride_w = p.strideW,
            .stride_h = p.strideH,
            .width = p.filterW + (wide ? kExtension : 0),
            .height = p.filterH + (high ? kExtension : 0),
            .dilation_w = p.dilationFilterW,
            .dilation_h = p.dilationFilterH};
}

bool CheckSmallK(runtime::Core& core, bool small_k, Where where) {
    return !small_k || Find(core, kLoadData, where,
                            {Rule::kLoad3dSmallK, "enSmallK", "no chip has fractals of 16 x 4 any more",
                             "enSmallK true", "false", ""});
}

bool CheckFmatrixControl(runtime::Core& core, bool right, Where where) {
    return !right || Find(core, kLoadData, where,
                          {Rule::kFmatrixRight, "fMatrixCtrl",
                           "the register of FMATRIX_RIGHT is used, which the API page does not support",
                           "fMatrixCtrl true", "false", "use FMATRIX_LEFT for the left and the right matrix"});
}

// own_map, own_pad: the feature map, the pad value come with the call.
void Load3Dv2(const Ends& ends, const Load3Dv2Params& p, bool own_map, bool own_pad, uint64_t pad) {
    runtime::Core& core = ThisCore(kLoadData);
    Record r(isa::Opcode::load3dv2);
    if (!SetEnds(core, kLoadData, ends, &r)) return;
    if (!CheckSmallK(core, p.enSmallK, ends.where) || !CheckFmatrixControl(core, p.fMatrixCtrl, ends.where)) return;
    const runtime::Registers& regs = core.registers();
    auto& shape = r.As<isa::Load3Dv2>();
    if (!TakeFeatureMap(core, own_map ? &p : nullptr, p.fMatrixCtrl, ends.where, &shape.map)) return;
    shape.filter = ToFilter(p, p.filterSizeW, p.filterSizeH);
    shape.channels = p.channelSize;
    shape.k_start = p.kStartPt;
    shape.m_start = p.mStartPt;
    shape.k_extension = p.kExtension;
    shape.m_extension = p.mExtension;
    shape.transpose = p.enTranspose;
    shape.repeats = regs.load_repeat.times;
    shape.repeat_stride = regs.load_repeat.stride;
    shape.repeat_mode = regs.load_repeat.mode;
    shape.boundary = regs.load_boundary;  // in bytes here, in blocks of 32 for Load3Dv1
    shape.pad_value = TakePad(core, own_pad, pad, ends.dst_type);
    core.Issue(r);
}

}  // namespace

void load2d(const Ends& ends, const AscendC::LoadData2DParams& p) {
    runtime::Core& core = ThisCore(kLoadData);
    Record r(isa::Opcode::load2d);
    if (!SetEnds(core, kLoadData, ends, &r)) return;
    const bool has_gap = core.chip().load2d_dst_gap;
    r.Set(isa::Load2D{.start = p.startIndex,
                      .repeats = p.repeatTimes,
                      .src_stride = p.srcStride,
                      .dst_gap = has_gap ? p.dstGap : 0u,
                      .transpose = p.ifTranspose,
                      .decrement = p.addrMode != 0,
                      .ignored_gap = has_gap ? 0u : p.dstGap});
    core.Issue(r);
}

void load2d_transpose(const Ends& ends, const AscendC::LoadData2dTransposeParams& p) {
    constexpr const char* kTransposeCall = "LoadDataWithTranspose";
    runtime::Core& core = ThisCore(kTransposeCall);
    Record r(isa::Opcode::load2d_transpose);
    if (!SetEnds(core, kTransposeCall, ends, &r)) return;
    r.Set(isa::LoadTransposed{.start = p.startIndex,
                              .repeats = p.repeatTimes,
                              .src_stride = p.srcStride,
                              .dst_gap = p.dstGap,
                              .dst_fractal_gap = p.dstFracGap,
                              .decrement = p.addrMode != 0});
    core.Issue(r);
}

void load3dv1(const Ends& ends, const Load3Dv1Params& p, uint64_t pad, const IsResetLoad3dConfig& config) {
    runtime::Core& core = ThisCore(kLoadData);
    Record r(isa::Opcode::load3dv1);
    if (!SetEnds(core, kLoadData, ends, &r)) return;
    auto& shape = r.As<isa::Load3Dv1>();
    if (!TakeFeatureMap(core, config.isSetFMatrix ? &p : nullptr, false, ends.where, &shape.map)) return;
    shape.filter = ToFilter(p, false, false);
    shape.c1_index = p.c1Index;
    shape.fetch_w = p.fetchFilterW;
    shape.fetch_h = p.fetchFilterH;
    shape.left_top_w = p.leftTopW;
    shape.left_top_h = p.leftTopH;
    shape.jump_stride = p.jumpStride;
    shape.repeat_mode = p.repeatMode;
    shape.repeats = p.repeatTime;
    shape.small_channels = p.cSize != 0;
    shape.boundary = static_cast<uint32_t>(
        std::min<uint64_t>(uint64_t{core.registers().load_boundary} * isa::kBlockBytes, UINT32_MAX));
    shape.pad_value = TakePad(core, config.isSetPadding, pad, ends.dst_type);
    core.Issue(r);
}

void load3dv2(const Ends& ends, const Load3Dv2Params& p, uint64_t pad, const IsResetLoad3dConfig& config) {
    Load3Dv2(ends, p, config.isSetFMatrix, config.isSetPadding, pad);
}

// cube.md 3.5: both words unpacked; feature map and padding stay what the registers hold.
void load3dv2(const Ends& ends, const AscendC::LoadData3DParamsV2Pro& p) {
    const auto window = [&](int field) { return static_cast<uint16_t>(p.extConfig >> (16 * field)); };
    const auto filter = [&](int field) { return static_cast<uint8_t>(p.filterConfig >> (8 * field)); };
    Load3Dv2Params plain;
    plain.channelSize = p.channelSize;
    plain.kExtension = window(0);
    plain.mExtension = window(1);
    plain.kStartPt = window(2);
    plain.mStartPt = window(3);
    plain.strideW = filter(0);
    plain.strideH = filter(1);
    plain.filterW = filter(2);
    plain.filterH = filter(3);
    plain.dilationFilterW = filter(4);
    plain.dilationFilterH = filter(5);
    plain.enTranspose = p.enTranspose;
    plain.enSmallK = p.enSmallK;
    plain.filterSizeW = p.filterSizeW;
    plain.filterSizeH = p.filterSizeH;
    plain.fMatrixCtrl = p.fMatrixCtrl;
    Load3Dv2(ends, plain, false, false, 0);
}

}  // namespace sfumato::ascendc
