// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sfumato/data_type.h"

namespace sfumato::exec {

// Whether Cast of registers knows the pair (docs/spec/reg_cast.tsv).
bool CastsRegisters(DataType type, DataType to);

}  // namespace sfumato::exec
