// SPDX-License-Identifier: Apache-2.0
// What aclGetRecentErrMsg says, for comparing.
#pragma once

#include <cctype>
#include <string>

#include "acl/acl_base.h"
#include "support/raised.h"

namespace sfumato {

// The message with addresses as (0x?) and numbers of blocks as #N, its rules noted as raised; "" when there is none.
inline std::string Message() {
    const char* text = aclGetRecentErrMsg();
    std::string message;
    for (const char* p = text ? text : ""; *p; ++p) {
        const std::string_view rest(p);
        size_t n = 0;
        if (rest.starts_with("#")) {
            while (std::isdigit(static_cast<unsigned char>(rest[++n]))) {
            }
            message += "#N";
        } else if (rest.starts_with("0x") && rest.find_first_not_of("0123456789abcdef", 2) > 6) {
            n = std::min(rest.find_first_not_of("0123456789abcdef", 2), rest.size());
            message += message.ends_with('(') ? "0x?" : "(0x?)";
        } else if (rest.starts_with(" [") && rest.find("] ") < rest.find('\n')) {
            Raised(std::string(rest.substr(2, rest.find("] ") - 2)));
        }
        n ? p += n - 1 : (message += *p, p);
    }
    return message;
}

}  // namespace sfumato
