// SPDX-License-Identifier: Apache-2.0
// Elementwise records, lane by lane.
#include "oracle/vector_oracle.h"

#include <stdexcept>
#include <unordered_map>

#include "oracle/conversion_oracle.h"
#include "oracle/elementwise_oracle.h"
#include "oracle/lanes.h"

namespace sfumato::oracle {
namespace {

using isa::Form;
using isa::Opcode;
using isa::Record;

uint64_t ConvertElement(const Record& r, const Bytes& before, uint64_t lane, uint64_t bits, bool* changed) {
    const DataType from = r.operand[1].type, to = r.operand[0].type;
    uint64_t result = 0;
    if (r.control.deq == isa::DeqScale::kHalf) {
        result = ConvertInt32ToHalfIeee(static_cast<int32_t>(bits), static_cast<uint16_t>(r.control.deq_word));
    } else if (r.control.deq != isa::DeqScale::kNone) {
        const bool words = r.control.deq == isa::DeqScale::kVector;
        const uint64_t word = words ? Get(before, r.control.deq_word, lane % 16, 64) : r.control.deq_word;
        return ConvertInt16Deq(to, static_cast<int16_t>(bits), word);
    } else if (const ArrayFunction convert = FindArrayFunction(from, to, r.rounding)) {
        convert(&bits, &result, 1);
    } else {
        throw std::logic_error(std::string("no oracle for a conversion from ") + CName(from) + " to " + CName(to));
    }
    *changed |= r.control.overflow == Overflow::kSaturate && SaturateArray(to, &result, 1);
    return result;
}

// Values of one instruction, each computed once: they are functions of many steps.
class Values {
public:
    uint64_t Of(const Elementwise& e, uint64_t a, uint64_t b, uint64_t old, bool* changed) {
        if (e.op != e_.op || e.dst != e_.dst || e.src != e_.src || e.overflow != e_.overflow || e.rounds != e_.rounds ||
            e.scale != e_.scale || values_.size() > 1000000) {
            values_.clear();
            e_ = e;
        }
        const auto [it, is_new] = values_.try_emplace(Key{a, b, old});
        if (is_new) it->second.first = ExpectElement(e, a, b, old, &it->second.second);
        *changed |= it->second.second;
        return it->second.first;
    }

private:
    struct Key {
        uint64_t a, b, old;
        bool operator==(const Key&) const = default;
    };
    struct Hash {
        size_t operator()(const Key& k) const {
            uint64_t h = k.a * 0x9E3779B97F4A7C15 ^ k.b * 0xC2B2AE3D27D4EB4F ^ k.old * 0x165667B19E3779F9;
            return h ^ h >> 29;
        }
    };
    Elementwise e_{Opcode::kCount, DataType::kHalf, DataType::kHalf};
    std::unordered_map<Key, std::pair<uint64_t, bool>, Hash> values_;
};

bool AddsToDst(Opcode op) {
    return op == Opcode::vaxpy || op == Opcode::vmla || op == Opcode::vmadd || op == Opcode::vmaddrelu;
}

}  // namespace

bool IsElementwise(Form form) {
    switch (form) {
        case Form::kUnary:
        case Form::kBinary:
        case Form::kScalar:
        case Form::kFill:
        case Form::kConvert:
        case Form::kConvertTwo: return true;
        default: return false;
    }
}

bool ExpectVector(const Record& r, Bytes& ub) {
    uint32_t widest = 0;
    for (uint32_t i = 0; i < r.operand_count; ++i) widest = std::max(widest, BitsOf(r.operand[i].type));
    const LaneWalk lanes{r, 2048 / widest};
    const bool casts = r.op == Opcode::vconv || r.op == Opcode::vconv_deq;
    const DataType dst = r.operand[0].type;
    Elementwise e{r.op, dst, r.operand_count > 1 ? r.operand[1].type : dst, r.control.overflow};
    e.rounds = r.rounding == Rounding::kRound;
    e.scale = r.control.deq_word;
    thread_local Values values;
    bool changed = false;
    const Bytes before = ub;
    std::vector<uint64_t> results(lanes.lanes);
    for (uint64_t repeat = 0; repeat < lanes.Repeats(); ++repeat) {
        for (uint64_t lane = 0; lane < lanes.lanes; ++lane) {
            if (!lanes.Active(repeat, lane)) continue;
            const uint64_t a = r.operand_count > 1 ? lanes.Read(ub, 1, repeat, lane) : 0;
            const uint64_t b = r.operand_count > 2 ? lanes.Read(ub, 2, repeat, lane) : r.immediate;
            const uint64_t old = AddsToDst(r.op) ? lanes.Read(ub, 0, repeat, lane) : 0;
            if (casts) {
                results[lane] = ConvertElement(r, before, lane, a, &changed);
            } else {
                results[lane] = values.Of(e, a, b, old, &changed);
            }
        }
        for (uint64_t lane = 0; lane < lanes.lanes; ++lane) {
            if (lanes.Active(repeat, lane)) lanes.Write(ub, repeat, lane, results[lane]);
        }
    }
    return changed;
}

}  // namespace sfumato::oracle
