// SPDX-License-Identifier: Apache-2.0
// What -fsanitize=bounds, signed-integer-overflow, shift and integer-divide-by-zero tell. The layout of their data is
// that of LLVM's and GCC's runtimes, the same in both.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "report/finding.h"
#include "runtime/code/raw_access.h"
#include "runtime/code/source_lines.h"
#include "runtime/launch/launch_state.h"

namespace sfumato::runtime {
namespace {

struct Type {
    uint16_t kind;  // 0: an integer
    uint16_t info;  // whether it is signed, and the logarithm of its bits above
    char name[1];   // "'int [4]'", "'int32_t[4]' (aka 'int[4]')"

    unsigned bits() const { return 1u << (info >> 1); }
    bool is_signed() const { return info & 1; }
    // The last in quotes, without blanks before brackets.
    std::string Name() const {
        const std::string_view text = name;
        const size_t close = text.rfind('\''), open = text.rfind('\'', close - 1);
        if (close == text.npos || close == 0 || open == text.npos) return name;
        std::string plain(text.substr(open + 1, close - open - 1));
        for (size_t at; (at = plain.find(" [")) != plain.npos;) plain.erase(at, 1);
        return plain;
    }
    // A value as handlers get it: in the word, or where the word points to.
    std::string Show(uintptr_t word) const {
        if (bits() > 64) return fmt::format("a value of {} bits", bits());
        return is_signed() ? fmt::format("{}", Signed(word)) : fmt::format("{}", word);
    }
    int64_t Signed(uintptr_t word) const {
        const unsigned unused = 64 - std::min(bits(), 64u);
        return static_cast<int64_t>(static_cast<uint64_t>(word) << unused) >> unused;
    }
};

struct Data {
    const char* file;
    uint32_t line, column;
    const Type *first, *second;  // one of an overflow; of both sides of a shift; of array and index
};

constexpr const char* kSigns[] = {"+", "-", "*", "-", "/", "<<", ""};

std::string Range(const Type& type) {
    if (type.bits() > 64) return "";
    const auto top = static_cast<int64_t>((uint64_t{1} << (type.bits() - 1)) - 1);
    return fmt::format("{} to {}", -top - 1, top);
}

// The first number in "int[4][5]", of an array whose index is looked at.
std::string IndexRange(const std::string& array) {
    const size_t open = array.find('[');
    const uint64_t n = open == array.npos ? 0 : std::strtoull(array.c_str() + open + 1, nullptr, 10);
    return n ? fmt::format("0 to {}", n - 1) : "";
}

Report Overflow(raw::Doubt doubt, const Data& data, uintptr_t left, uintptr_t right) {
    constexpr const char* kNames[] = {"an addition", "a subtraction", "a multiplication", "a negation", "a division"};
    const Type& type = *data.first;
    const bool negates = doubt == raw::Doubt::kNegate;
    return ToReport(
        {Rule::kSignedOverflow, "", fmt::format("{} of signed integers overflows", kNames[static_cast<int>(doubt)]),
         negates ? fmt::format("-({}), as {}", type.Show(left), type.Name())
                 : fmt::format("{} {} {}, as {}", type.Show(left), kSigns[static_cast<int>(doubt)], type.Show(right),
                               type.Name()),
         Range(type), "compute it in a wider type, or in an unsigned one where it shall wrap"},
        "", {});
}

Report Shift(const Data& data, uintptr_t left, uintptr_t right) {
    return ToReport(
        {Rule::kShiftCount, "", "a shift by fewer bits than none or by more than the value has",
         fmt::format("{}, shifted by {}, as {}", data.first->Show(left), data.second->Show(right), data.first->Name()),
         fmt::format("0 to {}", data.first->bits() - 1), "test the count first: compiler and chip may do anything"},
        "", {});
}

Report Index(const Data& data, uintptr_t index) {
    return ToReport({Rule::kArrayIndex, "", "the index lies outside the C array",
                     fmt::format("index {} of {}", data.second->Show(index), data.first->Name()),
                     IndexRange(data.first->Name()), "bring the index into the array, or make the array larger"},
                    "", {});
}

Report Division(const Data& data, uintptr_t left) {
    return ToReport(
        {Rule::kArithmeticTrap, "", "the kernel's scalar code divided an integer by zero",
         fmt::format("{} / 0, as {}", data.first->Show(left), data.first->Name()), "a divisor other than 0", ""},
        "", {});
}

}  // namespace

bool RawAccess::Doubt(raw::Doubt doubt, const void* place, uintptr_t left, uintptr_t right, const char* own) {
    const Data& data = *static_cast<const Data*>(place);
    bool in_own = false;
    const CodeFrame frame =
        UserFrame({{"", data.file ? data.file : "", data.line}}, core_.launch().source, own, &in_own);
    if (in_own) return true;
    const bool zero = doubt == raw::Doubt::kDivide && data.first->bits() <= 64 && data.first->Signed(right) == 0;
    Report report = doubt == raw::Doubt::kIndex   ? Index(data, left)
                    : doubt == raw::Doubt::kShift ? Shift(data, left, right)
                    : zero                        ? Division(data, left)
                                                  : Overflow(doubt, data, left, right);
    report.file = frame.file;
    report.line = frame.line;
    // A division that comes next would end the process.
    return Find(std::move(report), doubt != raw::Doubt::kDivide);
}

}  // namespace sfumato::runtime
