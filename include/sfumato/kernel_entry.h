// SPDX-License-Identifier: Apache-2.0
// The table of kernels a compiled source exports: what the parameters are, and a thunk that passes them typed.
// Included by the translation unit that src/jit generates. Names are long, since -D of the user reaches in here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sfumato/ascendc/kernel_marks.h"
#include "sfumato/data_type.h"
#include "sfumato/tiling_key_expression.h"
#include "sfumato/tiling/template_words.h"

namespace sfumato::tiling {
// The element type of a number, e.g. half of 1: `type`. In sfumato/ascendc/tiling.h.
template <uint64_t kNumber>
struct TypeOfNumber;
}  // namespace sfumato::tiling

namespace sfumato::entry {

constexpr uint32_t kTableVersion = 3;
constexpr size_t kMaxAlignment = 64;  // of a by-value parameter

enum class Kind : uint8_t { kPointer, kInteger, kFloating, kStruct };

struct Param {
    Kind kind;
    bool is_signed;
    bool is_bool;
    DataType type;  // kCount: none
    uint64_t size;
};

struct Kernel {
    const char* name;
    const char* description;  // candidates of the source: "line qualifier\tparam type\tparam name\t...\n" each
    uint32_t param_count;
    const Param* params;
    void (*thunk)(void* const* arguments);  // null: this branch of #if was not compiled
    const char* code_name;                  // the expression that names it in the code
};

// What ASCENDC_TPL_* of the source declare, and the instance that was asked for.
struct Templates {
    const tiling::TemplateDeclaration* declaration;  // null: none
    const tiling::TemplateSelection* selection;
    bool asked;  // for an instance
    uint64_t key;
};

struct Table {
    uint32_t version;
    uint32_t count;
    const Kernel* kernels;
    Templates templates;
};

// What ::name means where the source declares no such function: the wrapper makes it visible through a using-directive,
// which qualified lookup consults only when it finds no declaration.
struct Absent {};

template <class Type>
constexpr std::string_view UnqualifiedTypeName() {
    std::string_view text = __PRETTY_FUNCTION__;  // "... [with Type = ns::name; ...]", "... [Type = ns::name]"
    constexpr std::string_view kMarker = "Type = ";
    text = text.substr(text.find(kMarker) + kMarker.size());
    text = text.substr(0, text.find_first_of(";]"));
    const size_t colons = text.rfind("::");
    return colons == std::string_view::npos ? text : text.substr(colons + 2);
}

// half, bfloat16_t and int4b_t are classes of the front end, known here by name only.
template <class Qualified>
constexpr DataType TypeOf() {
    using Type = std::remove_cv_t<Qualified>;
    if constexpr (std::is_same_v<Type, float>) {
        return DataType::kFloat;
    } else if constexpr (std::is_integral_v<Type> || std::is_enum_v<Type>) {
        constexpr bool kSigned =
            std::is_signed_v<Type> || (std::is_enum_v<Type> && static_cast<Type>(-1) < static_cast<Type>(0));
        switch (sizeof(Type)) {
            case 1: return kSigned ? DataType::kInt8 : DataType::kUint8;
            case 2: return kSigned ? DataType::kInt16 : DataType::kUint16;
            case 4: return kSigned ? DataType::kInt32 : DataType::kUint32;
            case 8: return kSigned ? DataType::kInt64 : DataType::kUint64;
            default: return DataType::kCount;
        }
    } else if constexpr (std::is_class_v<Type>) {
        constexpr std::string_view kName = UnqualifiedTypeName<Type>();
        if (kName == "half") return DataType::kHalf;
        if (kName == "bfloat16_t") return DataType::kBfloat16;
        if (kName == "int4b_t") return DataType::kInt4;
        return DataType::kCount;
    } else {
        return DataType::kCount;
    }
}

template <class Declared>
constexpr Param Describe() {
    using Type = std::remove_cv_t<Declared>;
    static_assert(!std::is_reference_v<Type>, "a kernel's parameters are passed by value: a reference cannot be one");
    if constexpr (std::is_reference_v<Type>) {
        return {};
    } else if constexpr (std::is_pointer_v<Type>) {
        return {Kind::kPointer, false, false, TypeOf<std::remove_pointer_t<Type>>(), sizeof(Type)};
    } else {
        static_assert(std::is_trivially_copyable_v<Type>, "a kernel's by-value parameter must be trivially copyable");
        static_assert(alignof(Type) <= kMaxAlignment,
                      "a kernel's by-value parameter may be aligned to 64 bytes at most");
        constexpr DataType kType = TypeOf<Type>();
        constexpr bool kFloating = std::is_same_v<Type, double> || IsFloating(kType);
        constexpr bool kInteger = std::is_integral_v<Type> || std::is_enum_v<Type>;
        constexpr bool kSigned = kType == DataType::kInt8 || kType == DataType::kInt16 || kType == DataType::kInt32 ||
                                 kType == DataType::kInt64;
        return {kFloating  ? Kind::kFloating
                : kInteger ? Kind::kInteger
                           : Kind::kStruct,
                kSigned, std::is_same_v<Type, bool>, kType, sizeof(Type)};
    }
}

template <class... Params>
struct Descriptions {
    static constexpr Param kValues[] = {Describe<Params>()..., Param{}};
};

template <auto kFunction, class = std::remove_cv_t<decltype(kFunction)>>
struct Call {
    static_assert(!sizeof(kFunction), "a kernel is a function that returns void");
};
template <auto kFunction, class... Params>
struct Call<kFunction, void (*)(Params...)> {
    using Described = Descriptions<Params...>;
    static constexpr uint32_t kCount = sizeof...(Params);
    // workspace: the number of the argument that is one; -1: none.
    template <int workspace>
    static void Thunk(void* const* arguments) {
        if constexpr (workspace >= 0) GiveWorkspace(*static_cast<void* const*>(arguments[workspace]));
        Apply(arguments, std::index_sequence_for<Params...>{});
    }

private:
    template <size_t... kIndex>
    static void Apply([[maybe_unused]] void* const* arguments, std::index_sequence<kIndex...>) {
        kFunction(*static_cast<std::remove_cv_t<Params>*>(arguments[kIndex])...);
    }
};

template <auto kFunction, int workspace = -1>
constexpr Kernel Export(const char* name, const char* description, const char* code_name) {
    if constexpr (std::is_same_v<std::remove_cv_t<decltype(kFunction)>, Absent>) {
        return {name, description, 0, nullptr, nullptr, code_name};
    } else {
        using Caller = Call<kFunction>;
        return {name,     description, Caller::kCount, Caller::Described::kValues, &Caller::template Thunk<workspace>,
                code_name};
    }
}

// A template argument that takes the type of its parameter.
template <uint64_t kNumber>
struct TemplateValue {
    template <class Type>
    constexpr operator Type() const {
        return static_cast<Type>(kNumber);
    }
};

// The instance a compilation asks for: by the words "MODE=3,FAST=1", or by its key.
enum class Asked : uint8_t { kNothing, kWords, kKey };
template <Asked kAsked, uint64_t kAskedKey, tiling::Text kWords, const auto& kDeclaration, const auto& kSelection>
struct Instance {
    static constexpr bool kDeclared = !std::is_same_v<std::remove_cvref_t<decltype(kDeclaration)>, Absent>;

    static constexpr tiling::ParsedTemplate Parse() {
        if constexpr (kDeclared && kAsked == Asked::kWords) {
            return tiling::ParseTemplate(kDeclaration.declared, kWords.View());
        } else {
            return {kAskedKey, tiling::ParsedTemplate::Problem::kNone, {}};
        }
    }
    static constexpr uint64_t kKey = Parse().key;

    static constexpr const tiling::TemplateGroup* Group() {
        if constexpr (kDeclared) {
            const bool known = kAsked != Asked::kNothing && Parse().problem == tiling::ParsedTemplate::Problem::kNone;
            return known ? tiling::GroupOf(kDeclaration.declared, kSelection, kKey) : nullptr;
        } else {
            return nullptr;
        }
    }
    static constexpr const tiling::TemplateGroup* kGroup = Group();

    // The n-th template argument of the kernel: parameters that are key alone do not count.
    static constexpr uint64_t ArgumentNumber(size_t n) {
        if constexpr (kDeclared) {
            for (size_t i = 0; i < kDeclaration.declared.count; ++i) {
                if (!kDeclaration.declared.params[i].IsArgument()) continue;
                if (n-- == 0) return tiling::ValueIn(kDeclaration.declared, kKey, i);
            }
        }
        return n;
    }
    template <size_t kParams>
    static constexpr bool Fits() {
        if constexpr (kDeclared) {
            size_t arguments = 0;
            for (size_t i = 0; i < kDeclaration.declared.count; ++i)
                arguments += kDeclaration.declared.params[i].IsArgument();
            return kGroup != nullptr && arguments == kParams;
        } else {
            return false;
        }
    }
    template <size_t kIndex>
    static constexpr TemplateValue<ArgumentNumber(kIndex)> kValue{};
    template <size_t kIndex>
    using Type = typename tiling::TypeOfNumber<ArgumentNumber(kIndex)>::type;

    // KernelMetaType of the group; -1: it names none.
    static constexpr int KernelType() {
        if constexpr (kDeclared) {
            if (kGroup == nullptr) return -1;
            for (size_t i = 0; i < kDeclaration.declared.count; ++i) {
                if (kDeclaration.declared.params[i].kind == tiling::TemplateKind::kKernelType)
                    return static_cast<int>(tiling::ValueIn(kDeclaration.declared, kKey, i));
            }
            const auto* type = kGroup->Find(tiling::TemplateKind::kGroupType);
            return type ? static_cast<int>(type->ranges[0].low) : -1;
        } else {
            return -1;
        }
    }

    static constexpr Templates Describe() {
        if constexpr (kDeclared) {
            return {&kDeclaration, &kSelection, kAsked != Asked::kNothing, kKey};
        } else {
            return {nullptr, nullptr, kAsked != Asked::kNothing, kKey};
        }
    }
};

}  // namespace sfumato::entry

// One element of the table's array: the function as an expression, its name for people, its candidates in the source,
// and which of its parameters __kfc_workspace__ marks, or -1.
#define SFUMATO_EXPORT_KERNEL(function, name, description, workspace) \
    ::sfumato::entry::Export<(function), workspace>(name, description, #function)
