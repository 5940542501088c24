// SPDX-License-Identifier: Apache-2.0
// A call against the definition of its operator: inputs, types and formats, attributes (clients.md 6.7).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/finding.h"
#include "sfumato/op.h"

namespace sfumato::op {

using NamedAttrs = std::vector<std::pair<std::string, AttrValue>>;

// Missing inputs at the end are absent. Throws KernelError: op-input.
void CheckTensors(const Definition& definition, const char* what, const std::vector<Param>& params,
                  std::vector<std::vector<Tensor>>& tensors);
// The first column that has the types and formats of the tensors; a plain format (ND, NCHW ...) goes as any plain one
// and takes the column's. Throws KernelError: op-combination, with all columns.
size_t ChooseColumn(const Definition& definition, Call& call);
// Every attribute, by default where it is not named; an int goes as a float. Throws KernelError: op-attr.
std::vector<AttrValue> ChooseAttrs(const Definition& definition, const NamedAttrs& named);
// Outputs of the call against those inferred, op-output-shape: a warning, as aclnn takes the outputs that it is given.
// Throws KernelError under strict, and for an output that Follow ties to an input.
std::vector<Report> CheckOutputs(const Definition& definition, const Call& call, const Call& inferred);

// A report about an operator, at its OP_ADD.
[[noreturn]] void RefuseCall(const Definition& definition, Finding finding);

}  // namespace sfumato::op
