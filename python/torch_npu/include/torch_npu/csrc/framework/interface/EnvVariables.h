// SPDX-License-Identifier: Apache-2.0
// A header that extensions include: the vendor's switches of its own operators, of which there are none here.
#pragma once

#include <functional>
#include <string>
