// SPDX-License-Identifier: Apache-2.0
// printf of a kernel (TIK page printf).
#include "frontends/tik/print.h"

#include <cinttypes>
#include <cstdio>

#include "frontends/tik/arithmetic.h"

namespace sfumato::tik {
namespace {

std::string FormatOne(const std::string& flags, char conversion, const PrintValue& v) {
    char buffer[512];  // more than a width of 128 and the longest %f need
    const bool real = IsFloating(v.type);
    const double number = real               ? double{AsFloat(v.value)}
                          : IsSigned(v.type) ? static_cast<double>(static_cast<int64_t>(v.value))
                                             : static_cast<double>(v.value);
    const auto whole = static_cast<int64_t>(ConvertValue(v.type, DataType::kInt64, v.value));
    switch (conversion) {
        case 'd':
        case 'i': std::snprintf(buffer, sizeof buffer, (flags + PRId64).c_str(), whole); break;
        case 'u': std::snprintf(buffer, sizeof buffer, (flags + PRIu64).c_str(), static_cast<uint64_t>(whole)); break;
        case 'o': std::snprintf(buffer, sizeof buffer, (flags + PRIo64).c_str(), static_cast<uint64_t>(whole)); break;
        case 'c': std::snprintf(buffer, sizeof buffer, (flags + 'c').c_str(), static_cast<int>(whole & 0xFF)); break;
        case 'x': std::snprintf(buffer, sizeof buffer, (flags + PRIx64).c_str(), static_cast<uint64_t>(whole)); break;
        default: std::snprintf(buffer, sizeof buffer, (flags + conversion).c_str(), number);
    }
    return buffer;
}

}  // namespace

std::string FormatText(const std::string& format, const std::vector<PrintValue>& values) {
    std::string text;
    size_t next = 0;
    for (size_t i = 0; i < format.size(); ++i) {
        if (format[i] != '%') {
            text += format[i];
            continue;
        }
        const size_t end = format.find_first_not_of("0123456789.+- #lhz", i + 1);
        const char conversion = end == std::string::npos ? '\0' : format[end];
        if (conversion == '%' && end == i + 1) {
            text += '%';
            ++i;
        } else if (conversion && std::string("diuoxcfFeg").find(conversion) != std::string::npos &&
                   next < values.size()) {
            std::string flags;
            for (const char c : format.substr(i, std::min<size_t>(end - i, 16))) {
                if (c != 'l' && c != 'h' && c != 'z') flags += c;
            }
            text += FormatOne(flags, conversion, values[next++]);
            i = end;
        } else {
            text += '%';
        }
    }
    return text;
}

}  // namespace sfumato::tik
