// SPDX-License-Identifier: Apache-2.0
// Sorts, merges and moves of a field of records (vector_instructions.md 8).
#include <fmt/format.h>

#include "check/parameters.h"
#include "isa/sorts.h"

namespace sfumato::check {
namespace {

using isa::MergeQueues;
using isa::Opcode;
using isa::ProposalField;
using isa::Record;
using isa::SortGroups;

constexpr Parameter<ProposalField> kField[] = {
    {"repeatTime", "repeat_times", SFUMATO_VALUE(ProposalField, repeats), 1, 255, true},
    {"modeNumber", "mode_number", SFUMATO_VALUE(ProposalField, field), 0, ProposalField::kFields - 1},
};

constexpr Parameter<SortGroups> kGroups[] = {
    {"repeatTime", "repeat_times", SFUMATO_VALUE(SortGroups, repeats), 1, 255, true},
};

constexpr Parameter<MergeQueues> kMerge[] = {
    {"repeatTimes", "repeat_times", SFUMATO_VALUE(MergeQueues, repeats), 1, 255, true},
};
constexpr uint32_t kMostRecords = 4095;  // of a queue

bool CheckOperands(const Record& r, const Context& c) {
    for (int i = 0; i < r.operand_count; ++i) {
        if (!CheckUbOperand(r, c, i)) return false;
    }
    return CheckRanges(r, c);
}

// No source shares bytes with dst.
bool CheckAllApart(const Record& r, const Context& c) {
    const isa::Span dst = isa::SpanOf(r, 0);
    for (int i = 1; i < r.operand_count; ++i) {
        const isa::Span src = isa::SpanOf(r, i);
        if (src.begin != src.end && dst.begin != dst.end && !CheckApart(r, c, i, src, 0, dst)) return false;
    }
    return true;
}

const char* LengthsName(const Record& r) {
    return Spelling(r, "elementLengths", r.op == Opcode::vmrgsort ? "element_count_list" : "element_lengths");
}

// Why queues cannot be merged several times; "" when they can.
std::string WhyOnce(const Record& r, const Context& c, const MergeQueues& s) {
    if (s.suspend) return "it stops at the end of a queue";
    if (s.valid != 15) return fmt::format("{} queues", isa::QueuesOf(s.valid));
    const uint64_t bytes = s.lengths[0] * isa::RecordBytes(r.op, r.dst().type);
    for (uint32_t i = 1; i < MergeQueues::kMost; ++i) {
        if (s.lengths[i] != s.lengths[0]) return fmt::format("queues of {} and {} records", s.lengths[0], s.lengths[i]);
        if (r.operand[i + 1].offset != r.operand[1].offset + i * bytes) {
            return fmt::format("{} at {}, {} at {}", isa::OperandName(r, 1), PlaceText(r.operand[1], c),
                               isa::OperandName(r, static_cast<int>(i + 1)), PlaceText(r.operand[i + 1], c));
        }
    }
    return "";
}

SFUMATO_COLD bool SeveralRepeats(const Record& r, const Context& c, const MergeQueues& s, const std::string& why) {
    return Tell(r, c,
                {Rule::kMergeRepeat, Spelling(r, "repeatTimes", "repeat_times"),
                 "these queues are merged once, not several times", fmt::format("{} repeats, {}", s.repeats, why),
                 "1 repeat; several for four queues of one length, end to end, merged to their ends",
                 "call it once for each merge, or lay the queues end to end"});
}

// A repeat reads its 16 fields, then stores them: fields may go onto their own proposals, not onto later ones.
bool CheckExtracted(const Record& r, const ProposalField& s, const Context& c) {
    const isa::Span dst = isa::SpanOf(r, 0);
    if (!dst.Overlaps(isa::SpanOf(r, 1))) return true;
    const uint64_t size = BytesOf(r.dst().type, 1), pitch = isa::kProposalElements * size;
    const uint64_t stored = isa::kProposalsPerRepeat * size;  // by a repeat
    for (uint64_t i = isa::kProposalsPerRepeat; i < uint64_t{s.repeats} * isa::kProposalsPerRepeat; ++i) {
        const uint64_t repeat = i / isa::kProposalsPerRepeat, at = r.src0().offset + i * pitch + s.field * size;
        if (isa::Span{at, at + size}.Overlaps({dst.begin, dst.begin + repeat * stored})) {
            return ReadsEarlier(r, c, 0, repeat, {at, at + size});
        }
    }
    return true;
}

}  // namespace

bool Check(const Record& r, const isa::ProposalField& s, const Context& c) {
    if (!CheckTypes(r, c) || !CheckParameters(r, c, s, kField)) return false;
    return CheckOperands(r, c) && (r.op == Opcode::vextract ? CheckExtracted(r, s, c) : CheckAllApart(r, c));
}

bool Check(const Record& r, const isa::SortGroups& s, const Context& c) {
    if (!CheckTypeOf(r, c, 0) || !CheckSameType(r, c, 1, 0)) return false;
    const bool pairs = isa::SortsPairs(r.op);
    if (pairs && r.src1().type != DataType::kUint32) return WrongType(r, c, 2, DataType::kUint32);
    if (!CheckParameters(r, c, s, kGroups) || !CheckOperands(r, c)) return false;
    // A group of proposals is read before it is written.
    return (!pairs && r.dst().offset == r.src0().offset) || CheckAllApart(r, c);
}

bool Check(const Record& r, const isa::MergeQueues& s, const Context& c) {
    if (!CheckTypes(r, c)) return false;
    const uint32_t queues = isa::QueuesOf(s.valid);
    if (queues == 0) {
        return ParameterRange(r, c, Spelling(r, "validBit", "valid_bit"), s.valid,
                              "3, 7 or 15: the first two, three or four queues");
    }
    if (!CheckParameters(r, c, s, kMerge)) return false;
    for (uint32_t i = 0; i < queues; ++i) {
        if (s.lengths[i] > kMostRecords) {
            return ParameterRange(r, c, fmt::format("{}[{}]", LengthsName(r), i).c_str(), s.lengths[i],
                                  RangeText(0, kMostRecords), kSplitWork);
        }
    }
    if (s.repeats > 1) {
        const std::string why = WhyOnce(r, c, s);
        if (!why.empty()) return SeveralRepeats(r, c, s, why);
    }
    return CheckOperands(r, c) && CheckAllApart(r, c);
}

}  // namespace sfumato::check
