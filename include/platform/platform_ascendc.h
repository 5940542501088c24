// SPDX-License-Identifier: Apache-2.0
// Where host code finds the platform.
#pragma once

#include "sfumato/host/platform.h"
