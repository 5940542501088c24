// SPDX-License-Identifier: Apache-2.0
// Registers LoadData and Mmad read (cube.md 3.6, 4.2).
#include <fmt/format.h>

#include "frontends/ascendc/context.h"

namespace sfumato::ascendc {
namespace {

template <class Fits>
bool Supported(runtime::Core& core, const Fits& fits, const char* call, Where where) {
    return RequireChip(core, call, where, fits, Rule::kRegisterUnsupported, "has no such register",
                       "leave the call out on this chip");
}

bool SupportsHf32(runtime::Core& core, const char* call, Where where) {
    const auto multiplies_float = [](const soc::Chip& chip) {
        return chip.Mmad(isa::Api::kAscendC, DataType::kFloat, DataType::kFloat, DataType::kFloat) != nullptr;
    };
    return Supported(core, multiplies_float, call, where);
}

}  // namespace

void SetFeatureMap(uint16_t height, uint16_t width, const uint8_t* pads, AscendC::FmatrixMode mode, Where where) {
    runtime::Core& core = ThisCore("SetFmatrix");
    const bool right = mode == AscendC::FmatrixMode::FMATRIX_RIGHT;
    if (right &&
        !Find(core, "SetFmatrix", where,
              {Rule::kFmatrixRight, "fmatrixMode", "the API page supports the left register only", "FMATRIX_RIGHT",
               "FMATRIX_LEFT", "LoadData reads the left register for the left and the right matrix"})) {
        return;
    }
    core.registers().feature_map[right] = {height, width, pads[0], pads[1], pads[2], pads[3]};
    core.registers().feature_map_set[right] = true;
}

void SetLoadPad(uint64_t bits, size_t bytes) {
    // cube.md 3.4: the register is a pattern of 16 bits, so that a byte fills both halves.
    runtime::Registers& regs = ThisCore("SetLoadDataPaddingValue").registers();
    regs.load_pad = bytes == 1 ? bits * 0x0101 : bits;
    regs.Set(runtime::kLoadState);
}

void SetLoadBoundary(uint32_t value, Where where) {
    runtime::Core& core = ThisCore("SetLoadDataBoundary");
    const auto fits = [](const soc::Chip& chip) { return chip.load_boundary; };
    if (!Supported(core, fits, "SetLoadDataBoundary", where)) return;
    core.registers().load_boundary = value;
}

void SetLoadRepeat(const AscendC::LoadDataRepeatParam& params, Where where) {
    runtime::Core& core = ThisCore("SetLoadDataRepeat");
    const auto fits = [](const soc::Chip& chip) { return chip.load3dv2_extended; };
    if (!Supported(core, fits, "SetLoadDataRepeat", where)) return;
    core.registers().load_repeat = {params.repeatStride, params.repeatTime, params.repeatMode};
}

void SetHf32(bool enable, Where where) {
    runtime::Core& core = ThisCore("SetHF32Mode");
    if (!SupportsHf32(core, "SetHF32Mode", where)) return;
    core.registers().hf32 = enable;
}

void SetHf32Rounding(bool away, Where where) {
    runtime::Core& core = ThisCore("SetHF32TransMode");
    if (!SupportsHf32(core, "SetHF32TransMode", where)) return;
    core.registers().hf32_away = away;
}

}  // namespace sfumato::ascendc
