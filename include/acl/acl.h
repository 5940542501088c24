// SPDX-License-Identifier: Apache-2.0
// The runtime's C interface as host programs include it.
#pragma once

#include "acl/acl_base.h"
#include "acl/acl_mdl.h"
#include "acl/acl_op.h"
#include "acl/acl_rt.h"
