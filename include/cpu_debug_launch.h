// SPDX-License-Identifier: Apache-2.0
// CPU debugging of newer programs: the host program keeps its acl calls (compat.md, Headers programs include).
#pragma once

#include "acl/acl.h"
#include "tikicpulib.h"
