// SPDX-License-Identifier: Apache-2.0
// Parameters of forms as tables: name, value and range.
#pragma once

#include "check/parts.h"

namespace sfumato::check {

template <class Shape>
struct Parameter {
    const char *ascendc, *tik;  // the name as each front end spells it; tik may be nullptr
    int64_t (*value)(const Shape&);
    int64_t least, most;
    bool zero_is_nothing = false;                              // 0: hardware does nothing
    bool (*used)(const isa::Record&, const Shape&) = nullptr;  // by this call; nullptr: by every
};

inline constexpr const char* kCheckValue = "check how the value is computed";
inline constexpr const char* kSplitWork = "check how the value is computed, or split the work into several calls";

SFUMATO_COLD bool ParameterRange(const isa::Record& record, const Context& context, const char* name, int64_t value,
                                 const std::string& legal, const char* hint = kCheckValue);
// zero: 0 is a value to choose.
SFUMATO_COLD bool ParameterAlignment(const isa::Record& record, const Context& context, const char* name,
                                     uint64_t value, uint64_t unit, const std::string& reason, bool zero = false);
// Gives the note; returns false: the record is not executed.
SFUMATO_COLD bool NothingToDo(const isa::Record& record, const Context& context, const char* name, int64_t most);
SFUMATO_COLD std::string RangeText(int64_t least, int64_t most);

// fixpipe.cpp: of Mmad and Fixpipe.
bool CheckUnitFlag(const isa::Record& record, const Context& context, uint8_t flag);

// False: out of range, or nothing to do.
template <class Shape, size_t kCount>
bool CheckParameters(const isa::Record& r, const Context& c, const Shape& shape,
                     const Parameter<Shape> (&table)[kCount]) {
    for (const Parameter<Shape>& p : table) {
        if (p.zero_is_nothing && p.value(shape) == 0) [[unlikely]]
            return NothingToDo(r, c, Spelling(r, p.ascendc, p.tik), p.most);
    }
    for (const Parameter<Shape>& p : table) {
        const int64_t value = p.value(shape);
        if ((value < p.least || value > p.most) && (!p.used || p.used(r, shape))) [[unlikely]]
            return ParameterRange(r, c, Spelling(r, p.ascendc, p.tik), value, RangeText(p.least, p.most),
                                  value > p.most && p.zero_is_nothing ? kSplitWork : kCheckValue);
    }
    return true;
}

}  // namespace sfumato::check

// The value of a row: SFUMATO_VALUE(Load2D, start).
#define SFUMATO_VALUE(Shape, field) [](const isa::Shape& s) -> int64_t { return int64_t{s.field}; }
// The same of a field of 64 bits, of which the largest count as the largest.
#define SFUMATO_WIDE_VALUE(Shape, field) \
    [](const isa::Shape& s) -> int64_t { return static_cast<int64_t>(std::min<uint64_t>(s.field, INT64_MAX)); }
// When the call uses it, of the record r and the shape s: SFUMATO_USED(Load2D, s.repeats > 1).
#define SFUMATO_USED(Shape, condition) [](const isa::Record& r, const isa::Shape& s) { return (void)r, (condition); }
