// SPDX-License-Identifier: Apache-2.0
// What the headers of registration bring: definitions, contexts, log macros, the platform (docs/spec/clients.md 6.2).
#pragma once

#include "sfumato/op/definition.h"
#include "sfumato/op/log.h"
#include "sfumato/tiling_data.h"
