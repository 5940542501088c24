// SPDX-License-Identifier: Apache-2.0
// Sorts, merges and moves of a field of records (vector_instructions.md 8).
#include <fmt/format.h>

#include "frontends/tik/calls.h"

namespace sfumato::tik {
namespace {

using isa::MergeQueues;
using isa::Record;

// An int, or binary digits: "0011" is the first two queues.
uint32_t ValidBits(const CallValues& v) {
    const CallArgument* a = v.Find(Param::valid_bit);
    if (!a || a->kind != CallArgument::Kind::kText) return v.Count(Param::valid_bit, 15);
    const std::string_view text = v.Text(Param::valid_bit, "");
    uint32_t bits = 0;
    for (const char digit : text) {
        if ((digit != '0' && digit != '1') || text.size() > 4) {
            Refuse({Rule::kParameterType, "valid_bit", "valid_bit must be binary digits, or an int",
                    fmt::format("'{}'", text), "'0011', '0111', '1111', 3, 7, 15", ""});
        }
        bits = 2 * bits + (digit == '1');
    }
    return bits;
}

// A list with a length for each queue, or one number for all.
void SetLengths(const CallValues& v, Param param, uint32_t queues, MergeQueues* shape) {
    const CallArgument* a = v.Find(param);
    const bool list = a && a->kind == CallArgument::Kind::kList;
    if (!a || (list && (a->count < static_cast<int32_t>(queues) || a->count > 4))) {
        Refuse({Rule::kParameterCount, Name(param), "each queue needs a length",
                a ? fmt::format("a list of {}", a->count) : "None",
                fmt::format("a list of {} to 4 lengths, or one number for all", queues), ""});
    }
    for (uint32_t i = 0; i < queues; ++i) {
        shape->lengths[i] = v.Count(list ? v.Item(*a, static_cast<int>(i)) : *a);
    }
}

}  // namespace

void BuildProposalField(const CallValues& v, Record* r) {
    BuildVector(v, r);
    r->Set(isa::ProposalField{r->repeat, v.Count(Param::mode_number, 0)});
}

void BuildSortGroups(const CallValues& v, Record* r) {
    BuildVector(v, r);
    r->Set(isa::SortGroups{r->repeat});
}

void BuildMergeQueues(const CallValues& v, Record* r) {
    SetVectorParameters(v, r);
    r->pipe = isa::Pipe::kV;
    r->operand_count = 1;
    r->operand[0] = v.Operand(0);
    MergeQueues shape;
    shape.repeats = r->repeat;
    shape.suspend = v.Flag(Param::if_exhausted_suspension);
    if (r->op == isa::Opcode::vmrgsort) {
        const int given = v.operands() - 1;
        if (given < 2) {
            Refuse({Rule::kParameterCount, "src_list", "a merge takes two to four queues", fmt::format("{}", given),
                    "a list of 2 to 4 Tensors", ""});
        }
        shape.valid = (1u << given) - 1;
    } else {
        shape.valid = ValidBits(v);
    }
    const uint32_t queues = isa::QueuesOf(shape.valid);
    for (uint32_t i = 0; i < queues; ++i) {
        const int operand = static_cast<int>(i + 1);
        if (!v.has(operand)) {
            Refuse({Rule::kParameterType, fmt::format("src_list[{}]", i), "the queue must be a Tensor", "nothing",
                    "a Tensor in UB", ""});
        }
        r->operand[r->operand_count++] = v.Operand(operand);
    }
    SetLengths(v, r->op == isa::Opcode::vmrgsort ? Param::element_count_list : Param::element_lengths, queues, &shape);
    r->Set(shape);
}

}  // namespace sfumato::tik
