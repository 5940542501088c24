// SPDX-License-Identifier: Apache-2.0
// The ways by which launches come.
#pragma once

#include <cstdint>

#include "sfumato/data_type.h"

namespace sfumato {

// By which way a launch comes, which decides its overflow policy where nobody asks for one (docs/overflow.md).
enum class Route : uint8_t {
#define SFUMATO_ROUTE(id, policy, words, option, why) id,
#include "sfumato/routes.inc"
#undef SFUMATO_ROUTE
};
struct RouteInfo {
    Overflow overflow;  // its default
    const char *words, *option, *why;
};
inline constexpr RouteInfo kRoutes[] = {
#define SFUMATO_ROUTE(id, policy, words, option, why) {Overflow::policy, words, option, why},
#include "sfumato/routes.inc"
#undef SFUMATO_ROUTE
};
constexpr const RouteInfo& Info(Route route) { return kRoutes[static_cast<int>(route)]; }

}  // namespace sfumato
