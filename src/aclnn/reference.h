// SPDX-License-Identifier: Apache-2.0
// The two phases of a reference operator's call, for the functions that are made from src/reference/operators.txt.
#pragma once

#include "aclnn/acl_meta.h"
#include "sfumato/host/aclnn.h"

namespace sfumato::aclnn {

// `index`: of the operator in the table. The codes are those of acl_meta.h; aclGetRecentErrMsg has the report.
aclnnStatus PrepareReference(size_t index, const Value* values, uint64_t* workspace_size, aclOpExecutor** executor);
aclnnStatus RunReference(size_t index, void* workspace, uint64_t workspace_size, aclOpExecutor* executor,
                         aclrtStream stream);

}  // namespace sfumato::aclnn
