// SPDX-License-Identifier: Apache-2.0
// The order of the checks, and the rules too small for a file of their own.
#include "check/check.h"

#include <fmt/format.h>

#include "check/parts.h"

namespace sfumato::check {
namespace {

using isa::Form;
using isa::Record;

// One repeat that reads a source where it writes: the commonest overlap, and legal.
bool IsInPlace(const Record& r, int operand, const isa::Lanes& lanes) {
    const isa::Operand &d = r.dst(), &s = r.operand[static_cast<size_t>(operand)];
    return lanes.repeats == 1 && d.offset == s.offset && d.type == s.type && r.half_block == isa::HalfBlock::kDense &&
           (r.mask.mode == isa::MaskMode::kCount || d.block_stride == s.block_stride);
}

template <int kOperands>
bool CheckVector(const Record& r, const Context& c) {
    const bool convert = isa::Converts(Info(r.op).form);
    if (convert ? !CheckConversion(r, c) : !CheckTypes(r, c)) return false;
    if (kOperands == 2 && (r.op == isa::Opcode::vshl || r.op == isa::Opcode::vshr) && !CheckShift(r, c)) return false;
    uint32_t widest = isa::Log2Bits(r.operand[0].type);
    if constexpr (kOperands > 1) widest = std::max(widest, isa::Log2Bits(r.operand[1].type));
    const uint32_t shift = isa::kLog2RepeatBits - widest;  // a third operand is no wider
    bool nothing = false;
    if (!CheckMask(r, c, kOperands, shift, &nothing) || nothing) return false;
    if (!CheckVectorMemory(r, c, kOperands)) return false;
    const isa::Lanes lanes = isa::LanesOf(r, shift);
    isa::Span spans[kOperands];
    for (int i = 0; i < kOperands; ++i) {
        spans[i] = isa::OperandSpan(r, i, shift, lanes);
        if (!CheckRange(r, c, i, spans[i])) return false;
    }
    for (int i = 1; i < kOperands; ++i) {
        if (spans[0].Overlaps(spans[i]) && !IsInPlace(r, i, lanes) && !OverlapOf(r, c, i, shift, lanes)) return false;
    }
    // dst is a source of its own: no repeat may read what an earlier one wrote.
    return !isa::ReadsDst(r.op) || lanes.repeats == 1 || OverlapOf(r, c, 0, shift, lanes);
}

bool CheckScalarStore(const Record& r, const Context& c) {
    return CheckTypes(r, c) && CheckScalarMemory(r, c) && CheckRange(r, c, 0, isa::SpanOf(r, 0));
}

SFUMATO_COLD bool EventId(const Record& r, const Context& c) {
    return Tell(r, c,
                {Rule::kEventIdRange, Spelling(r, "eventID", "event_id"), "the event id does not exist",
                 fmt::format("event id {}", r.flag.id), fmt::format("0..{} on {}", c.chip->event_ids - 1, c.chip->name),
                 Spelling(r, "take ids from AllocEventID or FetchEventID", "use a flag again once it was waited for")});
}

}  // namespace

bool Tell(const Record& r, const Context& c, Finding finding) {
    const RuleInfo& rule = Info(finding.rule);
    Report report;
    report.severity = rule.severity == Severity::kWarning && c.strict ? Severity::kFault : rule.severity;
    const bool fault = report.severity == Severity::kFault;
    report.rule = rule.id;
    report.operand = std::move(finding.operand);
    report.message = fmt::format("{}: {}", isa::CallName(r), finding.message);
    report.found = std::move(finding.found);
    report.legal = std::move(finding.legal);
    report.hint = std::move(finding.hint);
    c.sink->Find(r, std::move(report));
    return !fault;
}

const char* TypeName(const Record& r, DataType type) { return r.api == isa::Api::kTik ? NumpyName(type) : CName(type); }

std::string PlaceText(const isa::Operand& o, const Context& c) {
    if (o.memory != isa::Memory::kGm) return fmt::format("byte offset {} in {}", o.offset, isa::Name(o.memory));
    return fmt::format("byte offset {} of {} in GM", o.offset, c.gm[o.allocation].name);
}

bool CheckRecord(const Record& r, const Context& c) {
    switch (Info(r.op).form) {
        case Form::kMove:
        case Form::kMovePad: return CheckMove(r, c);
        case Form::kScalarStore: return CheckScalarStore(r, c);
        case Form::kLoad2D: return CheckLoad2D(r, c);
        case Form::kLoadTransposed: return CheckLoadTransposed(r, c);
        case Form::kLoad3Dv1: return CheckLoad3Dv1(r, c);
        case Form::kLoad3Dv2: return CheckLoad3Dv2(r, c);
        case Form::kMatmul: return CheckMatmul(r, c);
        case Form::kFixpipe: return CheckFixpipe(r, c);
        case Form::kMatrixMove: return CheckMatrixMove(r, c);
        case Form::kNd2Nz: return CheckNd2Nz(r, c);
        case Form::kNz2Nd: return CheckNz2Nd(r, c);
        case Form::kBlockFill: return CheckBlockFill(r, c);
        case Form::kCompare: return CheckCompare(r, c);
        case Form::kSelect: return CheckSelect(r, c);
        case Form::kRegisterMove: return CheckRegisterMove(r, c);
        case Form::kBroadcast: return CheckBroadcast(r, c);
        case Form::kGather: return CheckGather(r, c);
        case Form::kInterpolate: return CheckInterpolate(r, c);
        case Form::kGatherMask: return CheckGatherMask(r, c);
        case Form::kReduce: return CheckReduce(r, c);
        case Form::kReduceTensor: return CheckReduceTensor(r, c);
        case Form::kTransposeSquares: return CheckTransposeSquares(r, c);
        case Form::kTransposeBlocks: return CheckTransposeBlocks(r, c);
        case Form::kTransposeChannels: return CheckTransposeChannels(r, c);
        case Form::kProposalField: return CheckProposalField(r, c);
        case Form::kSortGroups: return CheckSortGroups(r, c);
        case Form::kMergeQueues: return CheckMergeQueues(r, c);
        case Form::kFlag: {
            // A token is a flag the queues insert: it has no id.
            const bool legal =
                r.flag.token != 0 || (r.flag.id >= 0 && static_cast<uint32_t>(r.flag.id) < c.chip->event_ids);
            return legal || EventId(r, c);
        }
        case Form::kBarrier: return true;
        case Form::kBinary:
        case Form::kConvertTwo: return CheckVector<3>(r, c);
        case Form::kFill: return CheckVector<1>(r, c);
        default: return CheckVector<2>(r, c);
    }
}

}  // namespace sfumato::check
