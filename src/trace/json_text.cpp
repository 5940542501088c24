// SPDX-License-Identifier: Apache-2.0
// JSON strings.
#include "trace/json_text.h"

namespace sfumato::trace {
namespace {

// Bytes of the UTF-8 sequence that begins here; 0: none does.
size_t SequenceAt(std::string_view text, size_t at) {
    const auto byte = [&](size_t i) { return at + i < text.size() ? static_cast<uint8_t>(text[at + i]) : 0u; };
    const unsigned first = byte(0);
    const size_t length = first < 0x80                    ? 1
                          : first >= 0xC2 && first < 0xE0 ? 2
                          : first >= 0xE0 && first < 0xF0 ? 3
                          : first >= 0xF0 && first < 0xF5 ? 4
                                                          : 0;
    for (size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return 0;
    }
    const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
    const bool beyond = (first == 0xED && byte(1) >= 0xA0) || (first == 0xF4 && byte(1) >= 0x90);
    return overlong || beyond ? 0 : length;
}

}  // namespace

void AppendJson(std::string& out, std::string_view text) {
    out += '"';
    for (size_t i = 0; i < text.size();) {
        const char c = text[i];
        const size_t length = SequenceAt(text, i);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (static_cast<uint8_t>(c) < 0x20) {
            fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
        } else if (length == 0) {
            out += "\xEF\xBF\xBD";
        } else {
            out.append(text, i, length);
        }
        i += length ? length : 1;
    }
    out += '"';
}

void AppendTenThousandths(std::string& out, int64_t number) {
    if (number < 0) out += '-';
    const uint64_t size = number < 0 ? -static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
    fmt::format_to(std::back_inserter(out), FMT_STRING("{}"), size / 10000);
    if (size % 10000 == 0) return;
    fmt::format_to(std::back_inserter(out), FMT_STRING(".{:04}"), size % 10000);
    while (out.back() == '0') out.pop_back();
}

}  // namespace sfumato::trace
