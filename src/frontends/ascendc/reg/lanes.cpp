// SPDX-License-Identifier: Apache-2.0
// Calls from registers to registers, and what the scalar unit asks of vector functions.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "frontends/ascendc/framework.h"
#include "frontends/ascendc/reg/known.h"

namespace sfumato::ascendc::reg {
namespace {

VectorUnit& UnitOf(const char* name) { return Framework::Of(ThisCore(name)).vector_unit(); }

bool Has(const MaskRegister* mask, const char* name, Where where) {
    if (!mask || mask->set) [[likely]]
        return true;
    MaskNotSet(name, where);
    return false;
}

bool ReadsDestination(const RegisterCall& call) {
    return call.merging || call.op == RegisterOp::kMulAddDst || call.op == RegisterOp::kMulDstAdd ||
           call.op == RegisterOp::kAxpy || call.op == RegisterOp::kHistogram;
}

// Lane i of the result is made of lanes i alone.
bool KeepsLanes(const RegisterCall& call) {
    if (call.type != call.to || call.registers != 1) return false;
    return call.op <= RegisterOp::kTruncate || call.op == RegisterOp::kSelect || call.op == RegisterOp::kMove;
}

// The loads that what a call writes comes from; where it keeps lanes, those whose bytes are in their places. Of others
// the lanes that the call takes count as used.
struct Behind {
    LoadsBehind all, lanes;
};
Behind BehindLanes(VectorUnit& unit, const RegisterCall& call) {
    Behind behind;
    const bool keeps = KeepsLanes(call);
    const bool first = call.op == RegisterOp::kDuplicate && call.mode == 0;
    const uint32_t bytes = std::max<uint32_t>(1, BitsOf(call.type) / 8);
    const Loads::Bits taken = first                                            ? FirstBytes(bytes)
                              : call.mask && call.op != RegisterOp::kDuplicate ? BytesOfElements(*call.mask, bytes)
                                                                               : FirstBytes(kRegisterBytes);
    // What a mask keeps off counts for nothing, and under one that is not whole lanes are not followed any further: but
    // those that Select takes from src1, in which a later mask may keep some off.
    const bool selects = call.op == RegisterOp::kSelect, whole = taken == FirstBytes(kRegisterBytes);
    Loads::Bits others = taken;  // that src1 gives
    for (size_t w = 0; selects && w < others.size(); ++w) others[w] = ~taken[w];
    const auto add = [&](const VectorRegister* of, bool follows, const Loads::Bits& used) {
        for (uint32_t i = 0; of && i < call.registers; ++i) {
            behind.all.Add(of[i].behind);
            follows ? behind.lanes.Add(of[i].lanes) : unit.Use(of[i].lanes, used);
        }
    };
    add(call.src0, keeps && whole, taken);
    add(call.src1, keeps && (whole || selects), others);
    if (ReadsDestination(call)) add(call.dst, keeps, taken);
    if (call.mask) behind.all.Add(call.mask->behind);
    if (call.carry) behind.all.Add(call.carry->behind);
    return behind;
}

int64_t SignedLane(const VectorRegister* r, uint8_t registers, uint32_t bytes, uint32_t lane) {
    uint64_t word = 0;
    if (registers == 1) {
        std::memcpy(&word, &r->bytes[lane * bytes], bytes);
    } else {
        std::memcpy(&word, &r[0].bytes[lane * bytes / 2], bytes / 2);
        uint64_t high = 0;
        std::memcpy(&high, &r[1].bytes[lane * bytes / 2], bytes / 2);
        word |= high << (4 * bytes);
    }
    return static_cast<int64_t>(word << (64 - 8 * bytes)) >> (64 - 8 * bytes);
}

// Calls whose results no page defines (arch950.md 6, R12 and R19). False: it was reported, and is not made.
bool IsDefined(const RegisterCall& call, const char* name, Where where) {
    const bool shifts = call.op == RegisterOp::kShiftLeft || call.op == RegisterOp::kShiftRight;
    const bool divides = call.op == RegisterOp::kDiv && !IsFloating(call.type) && call.type < DataType::kCount;
    if ((call.op == RegisterOp::kInterleave || call.op == RegisterOp::kDeInterleave) && call.dst == call.dst1)
        return Refuse(
            ThisCore(name), name, where,
            {Rule::kOperandsShare, "dstReg1", "its two results are one register", "dstReg0 and dstReg1 the same",
             "two registers", "declare another register for the second result"});
    if (!shifts && !divides) return true;
    const auto tell = [&](uint32_t lane, int64_t value) {
        const std::string at = call.src1 ? fmt::format("{} in lane {}", value, lane) : fmt::format("{}", value);
        if (shifts)
            return Find(ThisCore(name), name, where,
                        {Rule::kShiftRange, "", "the distance is negative, which no page defines", at, "0 and above",
                         "shift the other way"});
        return Find(ThisCore(name), name, where,
                    {Rule::kInputRange, "", "an integer is divided by 0, which no page defines; here it gives 0", at,
                     "divisors other than 0", "keep lanes that divide by 0 off the mask"});
    };
    if (!call.src1) {
        const uint32_t bits = shifts ? 16 : BitsOf(call.type);
        const int64_t value = static_cast<int64_t>(call.scalar << (64 - bits)) >> (64 - bits);
        return (shifts ? value >= 0 : value != 0) || tell(0, value);
    }
    const uint32_t bytes = BitsOf(call.type) / 8;
    for (uint32_t lane = 0; lane < LanesOf(call.type, call.registers); ++lane) {
        const uint32_t bit = MaskBitOf(call.type, call.registers, lane);
        if (call.mask && (call.mask->bits[bit / 64] >> (bit % 64) & 1) == 0) continue;
        const int64_t value = SignedLane(call.src1, call.registers, bytes, lane);
        if (shifts ? value < 0 : value == 0) return tell(lane, value);
    }
    return true;
}

}  // namespace

uint32_t Lanes(const RegisterCall& call, const char* name, Where where) {
    VectorUnit& unit = UnitOf(name);
    if (!unit.Inside(name, where) || !Has(call.mask, name, where) || !Has(call.carry, name, where)) return 0;
    if (!runtime::Execution::Runs(call.op, call.type, call.to)) [[unlikely]] {
        Refuse(ThisCore(name), name, where,
               {Rule::kTypeUnsupported, "", "it has no form for these types",
                call.type == call.to ? std::string(CName(call.type))
                                     : fmt::format("{} to {}", CName(call.type), CName(call.to)),
                "the types that its page lists (arch950.md 2)", ""});
        return 0;
    }
    if (!IsDefined(call, name, where)) return 0;
    if (!unit.watched()) return runtime::Execution::Run(call, unit.control());
    const Behind behind = BehindLanes(unit, call);
    const uint32_t count = runtime::Execution::Run(call, unit.control());
    const uint32_t written = call.type == call.to ? call.registers : 1;
    for (uint32_t i = 0; call.dst && i < written; ++i)
        call.dst[i].behind = behind.all, call.dst[i].lanes = behind.lanes;
    for (uint32_t i = 0; call.dst1 && i < call.registers; ++i)
        call.dst1[i].behind = behind.all, call.dst1[i].lanes = {};
    if (call.result) call.result->behind = behind.all;
    return count;
}

void SetSqueezed(uint32_t bytes, Where where) {
    VectorUnit& unit = UnitOf("Squeeze");
    if (unit.squeeze_waits) {
        Find(ThisCore("Squeeze"), "Squeeze", where,
             {Rule::kUnalignedStream, "", "what the Squeeze before has counted was not stored",
              "two Squeeze<STORE_REG> without StoreUnAlign between them",
              "Squeeze with STORE_REG and StoreUnAlign in turn",
              "store each squeezed register before the next Squeeze"});
    }
    if (unit.ar_is_left) {
        Find(ThisCore("Squeeze"), "Squeeze", where,
             {Rule::kUnalignedStream, "", "AR still counts what a stream before has stored",
              fmt::format("AR is {} bytes", unit.ar), "AR of 0 where a stream of squeezed registers begins",
              "call ClearSpr<SpecialPurposeReg::AR>() before it"});
        unit.ar_is_left = false;
    }
    unit.squeezed = bytes;
    unit.squeeze_waits = true;
}
void ClearAr(Where where) {
    VectorUnit& unit = UnitOf("ClearSpr");
    if (unit.Inside("ClearSpr", where)) unit.ar = 0, unit.squeeze_waits = unit.ar_is_left = false;
}
int64_t ReadAr(Where) {
    VectorUnit& unit = UnitOf("GetSpr");
    return static_cast<int64_t>(unit.ar + (unit.squeeze_waits ? unit.squeezed : 0));
}

void MaskNotSet(const char* name, Where where) {
    Find(ThisCore(name), name, where,
         {Rule::kRegisterUnset, "mask", "it reads a mask register that nothing has written", "a MaskReg as declared",
          "MaskReg of CreateMask, UpdateMask, Compare or a load", "write MaskReg mask = CreateMask<T>()"});
}

MaskRegister VectorMask(uint32_t bits_an_element, Where where) {
    UnitOf("MoveMask").Inside("MoveMask", where);
    const std::array<uint64_t, 2>& bits = ThisCore("MoveMask").registers().mask;
    MaskRegister mask;
    mask.set = true;
    for (uint32_t i = 0; i < kRegisterBytes; ++i) {
        const uint32_t element = i / bits_an_element;
        mask.bits[i / 64] |= (bits[element / 64] >> (element % 64) & 1) << (i % 64);
    }
    return mask;
}

void Fence(uint8_t from, uint8_t to, Where where) {
    VectorUnit& unit = UnitOf("LocalMemBar");
    if (unit.Inside("LocalMemBar", where)) unit.Fence(from, to);
}

}  // namespace sfumato::ascendc::reg
