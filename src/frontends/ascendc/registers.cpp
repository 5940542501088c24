// SPDX-License-Identifier: Apache-2.0
// Registers the scalar unit writes: mask, dequantisation, control, padding (vector.md, conversions.md,
// framework.md 3.12).
#include <fmt/format.h>

#include <cmath>

#include "frontends/ascendc/framework.h"
#include "frontends/ascendc/vector_record.h"
#include "numeric/convert.h"

namespace sfumato::ascendc {
namespace {

constexpr int kFloatSaturationBit = 48;  // 0 = saturate, 1 = inf and nan

bool RequireCtrl(runtime::Core& core, const char* call, Where where) {
    return RequireChip(
        core, call, where, [](const soc::Chip& chip) { return chip.ctrl_spr; }, Rule::kRegisterUnsupported,
        "has no such control register", "float16 results always saturate on this chip");
}

// The calls that SetCtrlSpr took the place of (arch950.md 1.2).
bool RequireSaturationFlag(runtime::Core& core, const char* call, Where where) {
    const char* hint = core.chip().ctrl_spr ? "it is removed there: SetCtrlSpr<48, 48> sets the bit"
                                            : "float16 results always saturate on this chip";
    return RequireChip(
        core, call, where, [](const soc::Chip& chip) { return chip.ctrl_spr && !chip.vector_registers; },
        Rule::kRegisterUnsupported, "has no such control register", hint);
}

// The mode in force says how the register is read; the one a call names is a comment (vector.md, Mask).
bool CheckMaskMode(runtime::Core& core, bool named, Where where) {
    const bool counter = core.registers().counter_mode;
    if (named == counter) return true;
    return Find(
        core, "SetVectorMask", where,
        {Rule::kMaskModeNamed, "MaskMode", "the mask mode in force is another than the one the call names; it decides",
         fmt::format("MaskMode::{} in {} mode", named ? "COUNTER" : "NORMAL", counter ? "counter" : "normal"),
         fmt::format("MaskMode::{}", counter ? "COUNTER" : "NORMAL"),
         counter ? "SetMaskNorm() returns to normal mode" : "SetMaskCount() begins counter mode"});
}

// A full mask, of elements of 32 bits at least, is what ResetMask sets.
void KeepMask(runtime::Core& core, Where where) {
    runtime::Registers& regs = core.registers();
    const bool full = !regs.counter_mode && regs.mask[0] == ~uint64_t{0};
    regs.mask_where = full ? Where{} : where;
    regs.mask_counts = regs.counter_mode;
}

}  // namespace

void SetVectorMask(uint64_t high, uint64_t low, bool counter, Where where) {
    runtime::Core& core = ThisCore("SetVectorMask");
    if (!CheckMaskMode(core, counter, where)) return;
    if (core.registers().counter_mode && high != 0 &&
        !Find(core, "SetVectorMask", where,
              {Rule::kMaskCounterHigh, "maskHigh", "maskHigh has no effect in counter mode", fmt::format("{:#x}", high),
               "0", ""})) {
        return;
    }
    core.registers().mask = {low, high};
    core.registers().Set(runtime::kMaskState);
    KeepMask(core, where);
}

void SetVectorMaskLength(int64_t length, uint32_t element_bits, bool counter, Where where) {
    runtime::Core& core = ThisCore("SetVectorMask");
    if (!CheckMaskMode(core, counter, where)) return;
    runtime::Registers& regs = core.registers();
    const int64_t most = regs.counter_mode ? INT32_MAX : std::min<int64_t>(128, 2048 / element_bits);
    if (length < 1 || length > most) {
        Find(core, "SetVectorMask", where,
             {Rule::kMaskRange, "len", "the mask length is out of range", fmt::format("{}", length),
              fmt::format("1 to {}", most), ""});
        return;
    }
    const auto n = static_cast<uint64_t>(length);
    regs.mask = regs.counter_mode ? std::array<uint64_t, 2>{n, 0} : FirstBits(n);
    regs.Set(runtime::kMaskState);
    KeepMask(core, where);
}

void SetMaskMode(bool counter, Where where) {
    runtime::Core& core = ThisCore(counter ? "SetMaskCount" : "SetMaskNorm");
    if (counter && !core.chip().counter_mode) {
        Find(core, "SetMaskCount", where,
             {Rule::kMaskCounterUnsupported, "", fmt::format("{} has no counter mode", core.chip().name),
              "SetMaskCount", "normal mode", "use a mask for each repeat, or the calCount form"});
        return;
    }
    core.registers().counter_mode = counter;
    core.registers().Set(runtime::kMaskModeState);
    if (counter) core.registers().counter_where = where;
}

void ResetMask() {
    runtime::Registers& regs = ThisCore("ResetMask").registers();
    regs.mask = {~uint64_t{0}, ~uint64_t{0}};
    regs.Set(runtime::kMaskState);
    regs.mask_where = {};
    regs.mask_counts = false;
}

void SetDeqScaleHalf(uint16_t bits, Where) {
    auto& control = ThisCore("SetDeqScale").registers().control;
    control.deq = isa::DeqScale::kHalf;
    control.deq_word = bits;
}

namespace {
bool PackDeq(runtime::Core& core, float scale, int16_t offset, bool sign_mode, Where where, uint64_t* word) {
    if (offset >= -256 && offset <= 255 && numeric::PackDeqWord(scale, offset, sign_mode, word)) return true;
    const bool bad_offset = offset < -256 || offset > 255;
    return Refuse(core, "SetDeqScale", where,
                  {bad_offset ? Rule::kDeqscaleOffset : Rule::kDeqscaleRange, bad_offset ? "offset" : "scale",
                   bad_offset ? "the offset does not fit 9 bits" : "the scale is no finite number of the 1-8-10 format",
                   bad_offset ? fmt::format("{}", offset) : fmt::format("{}", scale),
                   bad_offset ? "-256 to 255" : "a finite float", ""});
}
}  // namespace

void SetDeqScaleWord(float scale, int16_t offset, bool sign_mode, Where where) {
    runtime::Core& core = ThisCore("SetDeqScale");
    uint64_t word = 0;
    if (!PackDeq(core, scale, offset, sign_mode, where, &word)) return;
    core.registers().control.deq = isa::DeqScale::kWord;
    core.registers().control.deq_word = word;
}

void SetDeqScaleVector(const LocalView& tensor, const float* scales, const int16_t* offsets, const bool* sign_modes,
                       Where where) {
    constexpr int kWords = 16;
    runtime::Core& core = ThisCore("SetDeqScale");
    isa::Operand operand;
    if (!ToOperand(core, "SetDeqScale", "vdeq", tensor, DataType::kUint64, where, &operand)) return;
    if (operand.memory != isa::Memory::kUb || operand.offset % 32 != 0 || tensor.size < kWords ||
        tensor.room < kWords * 8) {
        Find(
            core, "SetDeqScale", where,
            {Rule::kDeqscaleTensor, "vdeq", "the tensor cannot hold the 16 words",
             fmt::format("{} elements at byte offset {} in {}", tensor.size, operand.offset, isa::Name(operand.memory)),
             "16 uint64_t in UB, 32-byte aligned", ""});
        return;
    }
    LocalView halves = tensor;
    halves.size *= 2;
    for (int i = 0; scales && i < kWords; ++i) {
        uint64_t word = 0;
        if (!PackDeq(core, scales[i], offsets[i], sign_modes[i], where, &word)) return;
        // As two 32-bit stores: Ascend310P has the instruction, but no 64-bit SetValue.
        for (uint64_t half = 0; half < 2; ++half) {
            StoreLocal(halves, DataType::kUint32, 2 * static_cast<uint64_t>(i) + half,
                       static_cast<uint32_t>(word >> (32 * half)), "SetDeqScale", where);
        }
    }
    core.registers().control.deq = isa::DeqScale::kVector;
    core.registers().control.deq_word = operand.offset;
}

void SetCtrl(int start, int end, uint64_t value, Where where) {
    runtime::Core& core = ThisCore("SetCtrlSpr");
    if (!RequireCtrl(core, "SetCtrlSpr", where)) return;
    if (core.chip().vector_registers) {
        if (Framework::Of(core).vector_unit().SetCtrl(start, end, value, where) && start == kFloatSaturationBit)
            core.registers().control.AskOverflow(value ? Overflow::kInfNan : Overflow::kSaturate);
        return;
    }
    if (start != kFloatSaturationBit || end != kFloatSaturationBit || value > 1) {
        Find(core, "SetCtrlSpr", where,
             {Rule::kCtrlBits, fmt::format("<{}, {}>", start, end), "this field of the control register cannot be set",
              fmt::format("bits {}..{} = {}", start, end, value),
              "bit 48: 0 saturates float results, 1 gives inf and nan", ""});
        return;
    }
    core.registers().control.AskOverflow(value ? Overflow::kInfNan : Overflow::kSaturate);
}

uint64_t GetCtrl(int start, int end, Where where) {
    runtime::Core& core = ThisCore("GetCtrlSpr");
    if (!RequireCtrl(core, "GetCtrlSpr", where)) return 0;
    if (core.chip().vector_registers && start == end && start != kFloatSaturationBit)
        return Framework::Of(core).vector_unit().Ctrl(start);
    if (start != kFloatSaturationBit || end != kFloatSaturationBit) {
        Find(core, "GetCtrlSpr", where,
             {Rule::kCtrlBits, fmt::format("<{}, {}>", start, end), "this field of the control register cannot be read",
              fmt::format("bits {}..{}", start, end), "bit 48", ""});
        return 0;
    }
    return core.registers().control.overflow == Overflow::kInfNan;
}

// FLOAT is bit 48. CAST (integer conversions) saturates always here: conversions.md gives no other result.
void SetSaturation(bool enable, bool cast_only, Where where) {
    runtime::Core& core = ThisCore("SetSaturationFlag");
    if (!RequireSaturationFlag(core, "SetSaturationFlag", where)) return;
    if (cast_only) {
        if (!enable) {
            Find(core, "SetSaturationFlag", where,
                 {Rule::kSaturationCast, "SaturationMode::CAST",
                  "integer conversions without saturation are not documented", "enableSat false",
                  "true: a result outside the destination's range becomes its limit", ""});
        }
        return;
    }
    core.registers().control.AskOverflow(enable ? Overflow::kSaturate : Overflow::kInfNan);
}

bool GetSaturation(bool cast_only, Where where) {
    runtime::Core& core = ThisCore("GetSaturationFlag");
    if (!RequireSaturationFlag(core, "GetSaturationFlag", where)) return true;
    return cast_only || core.registers().control.overflow == Overflow::kSaturate;
}

void SetPadRegister(uint64_t bits, Where where) {
    runtime::Core& core = ThisCore("SetPadValue");
    const auto has = [](const soc::Chip& chip) { return chip.split_cores; };
    if (!RequireChip(core, "SetPadValue", where, has, Rule::kRegisterUnsupported, "has no padding register",
                     "pass isPad true and a paddingValue"))
        return;
    core.registers().pad_value = bits;
    core.registers().pad_value_set = true;
}

}  // namespace sfumato::ascendc
