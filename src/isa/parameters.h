// SPDX-License-Identifier: Apache-2.0
// The parameters of a record: one variant whose alternative is the form, and the visitor that every layer dispatches
// by.
#pragma once

#include <type_traits>
#include <variant>

#include "isa/move_shapes.h"
#include "isa/reduce_shapes.h"
#include "isa/shapes.h"
#include "isa/sort_shapes.h"

namespace sfumato::isa {

template <class, class... Forms>
struct VariantOf {
    using Type = std::variant<Forms...>;
};
using Parameters = VariantOf<void
#define SFUMATO_FORM(form, ...) , form
#include "isa/forms.inc"
#undef SFUMATO_FORM
                             >::Type;

#define SFUMATO_FORM(form, family, ...)                                                                              \
    static_assert(std::is_same_v<std::variant_alternative_t<static_cast<size_t>(Form::k##form), Parameters>, form>); \
    static_assert(std::is_base_of_v<family, form>);
#include "isa/forms.inc"
#undef SFUMATO_FORM
static_assert(std::is_trivially_copyable_v<Parameters>);

// The form of a parameter struct, and its columns.
template <class P>
inline constexpr Form kFormOf = Form::kCount;
#define SFUMATO_FORM(form, ...) \
    template <>                 \
    inline constexpr Form kFormOf<form> = Form::k##form;
#include "isa/forms.inc"
#undef SFUMATO_FORM
template <class P>
inline constexpr MadeOf kMadeOf = Info(kFormOf<P>).made_of;
template <class P>
inline constexpr Rest kRestOf = Info(kFormOf<P>).rest;

inline Form FormOf(const Parameters& parameters) { return static_cast<Form>(parameters.index()); }

// visit(alternative). Overloads that miss a form do not compile.
template <class Variant, class Visit>
inline decltype(auto) VisitForm(Variant& parameters, const Visit& visit) {
    switch (FormOf(parameters)) {
#define SFUMATO_FORM(form, family, ...) \
    case Form::k##form:                 \
        return visit(*std::get_if<form>(&parameters));
#include "isa/forms.inc"
#undef SFUMATO_FORM
        case Form::kCount: break;
    }
    __builtin_unreachable();
}

// The alternative, or a base of it, as a pointer; nullptr when the parameters are another form's.
template <class P>
const P* ParametersAs(const Parameters& parameters) {
    return VisitForm(parameters, [](const auto& p) -> const P* {
        if constexpr (std::is_base_of_v<P, std::decay_t<decltype(p)>>) return &p;
        return nullptr;
    });
}

}  // namespace sfumato::isa
