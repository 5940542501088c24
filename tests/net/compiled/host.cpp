// SPDX-License-Identifier: Apache-2.0
// A host program with every header, for compile.txt.
#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"

int main() { return aclInit(nullptr); }
