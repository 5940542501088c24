// SPDX-License-Identifier: Apache-2.0
// Calls of models: none of them is here, and the compiler says so.
#pragma once

#include "acl/acl_base.h"
#include "acl/refused.h"
