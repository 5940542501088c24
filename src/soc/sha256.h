// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4).
#pragma once

#include <string>
#include <string_view>

namespace sfumato::soc {

// In 64 hexadecimal digits.
std::string Sha256(std::string_view bytes);

}  // namespace sfumato::soc
