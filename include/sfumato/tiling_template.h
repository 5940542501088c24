// SPDX-License-Identifier: Apache-2.0
// ASCENDC_TPL_*: the template parameters of a kernel, which combinations there are, and their keys (framework.md 4.7).
// A header with these macros is shared by host and kernel; the lists may end in a comma.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "sfumato/api.h"
#include "sfumato/kernel_language.h"
#include "sfumato/type_numbers.h"

namespace sfumato {
namespace tiling {

enum class TemplateKind : uint8_t {
    kDtype,
    kDatatype,
    kFormat,
    kUint,
    kBool,
    kKernelType,
    kGroupType,
    kDeterministic,
    kStruct
};

SFUMATO_CONSTEXPR bool IsSame(const char* a, const char* b) {
    for (; *a != 0 && *a == *b; ++a) ++b;
    return *a == *b;
}

constexpr uint64_t kUintRange = 0, kUintList = 1, kUintMix = 2;  // the first value of a UINT
constexpr uint64_t kOfArgument = ~uint64_t{0};                   // ASCENDC_TPL_INPUT, OUTPUT: any type

// One parameter with the values that are declared or selected, as ranges with both ends.
struct TemplateParam {
    static constexpr size_t kMost = 64;
    struct Range {
        uint64_t low, high;
    };

    const char* name = "";
    TemplateKind kind = TemplateKind::kUint;
    uint8_t bits = 0;
    uint16_t count = 0;
    Range ranges[kMost] = {};

    constexpr TemplateParam() = default;
    SFUMATO_CONSTEXPR TemplateParam(const char* its_name, TemplateKind its_kind, unsigned width,
                                    std::initializer_list<uint64_t> values)
        : name(its_name), kind(its_kind), bits(static_cast<uint8_t>(width)) {
        const uint64_t* v = values.begin();
        const uint64_t mode = kind == TemplateKind::kUint && v != values.end() ? *v++ : kUintList;
        uint64_t pairs = mode != kUintList && v != values.end() ? *v++ : 0;
        for (; pairs != 0; --pairs, v += 2) {
            if (values.end() - v < 2) throw "ASCENDC_TPL_UI_RANGE: an end of a range is missing";
            Add(v[0], v[1]);
        }
        for (; v != values.end(); ++v) {
            if (*v == kOfArgument) continue;  // the declaration beside it lists the types, or all are meant
            Add(*v, *v);
        }
        if (count == 0 && kind == TemplateKind::kDatatype) Add(0, 255);
        if (count == 0 && kind == TemplateKind::kFormat) Add(0, 255);
    }

    SFUMATO_CONSTEXPR bool Has(uint64_t value) const {
        for (uint16_t i = 0; i < count; ++i) {
            if (value >= ranges[i].low && value <= ranges[i].high) return true;
        }
        return false;
    }
    constexpr bool IsKey() const { return kind <= TemplateKind::kKernelType; }      // takes bits of the key
    constexpr bool IsArgument() const { return kind < TemplateKind::kKernelType; }  // of the function template

private:
    SFUMATO_CONSTEXPR void Add(uint64_t low, uint64_t high) {
        if (count == kMost) throw "ASCENDC_TPL: more than 64 values of one parameter";
        ranges[count++] = {low, high};
    }
};

constexpr size_t kMostTemplateParams = 20;

struct TemplateGroup {
    TemplateParam params[kMostTemplateParams];
    size_t count = 0;

    SFUMATO_CONSTEXPR TemplateGroup(std::initializer_list<TemplateParam> list) {
        if (list.size() > kMostTemplateParams) throw "ASCENDC_TPL: more than 20 parameters";
        for (const TemplateParam& p : list) params[count++] = p;
    }
    // The index of a parameter of the key, or count. No pointer: under UBSan g++ takes comparing one for no constant.
    SFUMATO_CONSTEXPR size_t Find(const char* name) const {
        size_t i = 0;
        while (i < count && !(params[i].IsKey() && IsSame(params[i].name, name))) ++i;
        return i;
    }
    SFUMATO_CONSTEXPR bool Has(const char* name, uint64_t value) const {
        const size_t i = Find(name);
        return i < count && params[i].Has(value);
    }
    SFUMATO_CONSTEXPR const TemplateParam* Find(TemplateKind kind) const {
        for (size_t i = 0; i < count; ++i) {
            if (params[i].kind == kind) return &params[i];
        }
        return nullptr;
    }
};

struct TemplateDeclaration {
    const char* op;
    TemplateGroup declared;
};

// The groups of ASCENDC_TPL_SEL.
struct TemplateSelection {
    const TemplateGroup* groups;
    size_t count;
};

// The value of parameter `index` in a key: the first parameter has the lowest bits.
SFUMATO_CONSTEXPR uint64_t ValueIn(const TemplateGroup& declared, uint64_t key, size_t index) {
    unsigned shift = 0;
    for (size_t i = 0; i < index; ++i) shift += declared.params[i].bits;
    const unsigned bits = declared.params[index].bits;
    return shift > 63 ? 0 : bits > 63 ? key >> shift : key >> shift & ((uint64_t{1} << bits) - 1);
}

// The first group that has the combination; nullptr when none does.
SFUMATO_CONSTEXPR const TemplateGroup* GroupOf(const TemplateGroup& declared, const TemplateSelection& selection,
                                               uint64_t key) {
    unsigned width = 0;
    for (size_t i = 0; i < declared.count; ++i) width += declared.params[i].bits;
    if (width < 64 && key >> width != 0) return nullptr;
    for (size_t g = 0; g < selection.count; ++g) {
        bool all = true;
        for (size_t i = 0; i < declared.count; ++i) {
            all = all && selection.groups[g].Has(declared.params[i].name, ValueIn(declared, key, i));
        }
        if (all) return &selection.groups[g];
    }
    return nullptr;
}

enum class TemplateFault : uint8_t { kNone, kWidth, kBits, kParameter, kValue, kMissing };

// What is wrong with a declaration and its selection.
SFUMATO_CONSTEXPR TemplateFault FaultOf(const TemplateGroup& declared, const TemplateSelection& selection) {
    unsigned width = 0;
    for (size_t i = 0; i < declared.count; ++i) {
        const TemplateParam& p = declared.params[i];
        width += p.bits;
        for (size_t r = 0; r < p.count; ++r) {
            if (p.bits < 64 && p.ranges[r].high >> p.bits != 0) return TemplateFault::kBits;
        }
    }
    if (width > 64) return TemplateFault::kWidth;
    for (size_t g = 0; g < selection.count; ++g) {
        const TemplateGroup& group = selection.groups[g];
        for (size_t i = 0; i < group.count; ++i) {
            const TemplateParam& p = group.params[i];
            if (!p.IsKey()) continue;
            if (declared.Find(p.name) == declared.count) return TemplateFault::kParameter;
            for (size_t r = 0; r < p.count; ++r) {
                for (uint64_t v = p.ranges[r].low; v <= p.ranges[r].high && v - p.ranges[r].low < 256; ++v) {
                    if (!declared.Has(p.name, v)) return TemplateFault::kValue;
                }
            }
        }
        for (size_t i = 0; i < declared.count; ++i) {
            if (group.Find(declared.params[i].name) == group.count) return TemplateFault::kMissing;
        }
    }
    return TemplateFault::kNone;
}

// The key of values in declared order. Throws Error with the combinations there are, or what is wrong with the lists.
SFUMATO_API uint64_t KeyOfValues(const TemplateDeclaration& declaration, const TemplateSelection& selection,
                                 const uint64_t* values, size_t count);
template <class... Values>
uint64_t TemplateKey(const TemplateDeclaration& declaration, const TemplateSelection& selection, Values... given) {
    const uint64_t values[] = {static_cast<uint64_t>(given)..., 0};
    return KeyOfValues(declaration, selection, values, sizeof...(Values));
}

}  // namespace tiling
}  // namespace sfumato

#define SFUMATO_TPL(name, kind, bits, ...) \
    ::sfumato::tiling::TemplateParam(name, ::sfumato::tiling::TemplateKind::kind, bits, {__VA_ARGS__})

#define ASCENDC_TPL_DTYPE_DECL(name, ...) SFUMATO_TPL(#name, kDtype, 8, __VA_ARGS__)
#define ASCENDC_TPL_DATATYPE_DECL(name, ...) SFUMATO_TPL(#name, kDatatype, 8, __VA_ARGS__)
#define ASCENDC_TPL_FORMAT_DECL(name, ...) SFUMATO_TPL(#name, kFormat, 8, __VA_ARGS__)
#define ASCENDC_TPL_UINT_DECL(name, bits, ...) SFUMATO_TPL(#name, kUint, bits, __VA_ARGS__)
#define ASCENDC_TPL_BOOL_DECL(name, ...) SFUMATO_TPL(#name, kBool, 1, __VA_ARGS__)
#define ASCENDC_TPL_KERNEL_TYPE_DECL(name, ...) SFUMATO_TPL(#name, kKernelType, 8, __VA_ARGS__)
#define ASCENDC_TPL_DTYPE_SEL ASCENDC_TPL_DTYPE_DECL
#define ASCENDC_TPL_DATATYPE_SEL ASCENDC_TPL_DATATYPE_DECL
#define ASCENDC_TPL_FORMAT_SEL ASCENDC_TPL_FORMAT_DECL
#define ASCENDC_TPL_UINT_SEL(name, ...) SFUMATO_TPL(#name, kUint, 0, __VA_ARGS__)
#define ASCENDC_TPL_BOOL_SEL ASCENDC_TPL_BOOL_DECL
#define ASCENDC_TPL_SHARED_KERNEL_TYPE_SEL ASCENDC_TPL_KERNEL_TYPE_DECL
#define ASCENDC_TPL_KERNEL_TYPE_SEL(type) SFUMATO_TPL("", kGroupType, 0, type)
#define ASCENDC_TPL_DETERMINISTIC_SEL(value) SFUMATO_TPL("", kDeterministic, 0, value)
#define ASCENDC_TPL_TILING_STRUCT_SEL(...) SFUMATO_TPL(#__VA_ARGS__, kStruct, 0, 0)
#define ASCENDC_TPL_ARGS_SEL(...) \
    ::sfumato::tiling::TemplateGroup { __VA_ARGS__ }

// Of a kernel's source there is one; the sources of a host library have one each.
#if __cplusplus < 201402L
#define SFUMATO_TPL_CONSTANT __attribute__((unused)) static const
#elif defined(SFUMATO_OP_HOST) || !SFUMATO_KERNEL_LANGUAGE
#define SFUMATO_TPL_CONSTANT __attribute__((unused)) static constexpr
#else
#define SFUMATO_TPL_CONSTANT inline constexpr
#endif
#define ASCENDC_TPL_ARGS_DECL(op, ...)                                                       \
    SFUMATO_TPL_CONSTANT ::sfumato::tiling::TemplateDeclaration SfumatoTemplateDeclaration { \
#op, { __VA_ARGS__ }                                                                 \
    }
// C++11 has the lists when the program runs: GET_TPL_TILING_KEY says then what is wrong.
#if __cplusplus < 201402L
#define SFUMATO_TPL_CHECK(fault, text) static_assert(true, text)
#else
#define SFUMATO_TPL_CHECK(fault, text)                                                                         \
    static_assert(::sfumato::tiling::FaultOf(SfumatoTemplateDeclaration.declared, SfumatoTemplateSelection) != \
                      ::sfumato::tiling::TemplateFault::fault,                                                 \
                  text)
#endif
#define ASCENDC_TPL_SEL(...)                                                                            \
    SFUMATO_TPL_CONSTANT ::sfumato::tiling::TemplateGroup SfumatoTemplateGroups[] = {__VA_ARGS__};      \
    SFUMATO_TPL_CONSTANT ::sfumato::tiling::TemplateSelection SfumatoTemplateSelection{                 \
        SfumatoTemplateGroups, sizeof SfumatoTemplateGroups / sizeof SfumatoTemplateGroups[0]};         \
    SFUMATO_TPL_CHECK(kWidth, "ASCENDC_TPL_ARGS_DECL: the parameters take more than 64 bits together"); \
    SFUMATO_TPL_CHECK(kBits, "ASCENDC_TPL_ARGS_DECL: a value does not fit the bits of its parameter");  \
    SFUMATO_TPL_CHECK(kParameter, "ASCENDC_TPL_SEL: a parameter is not in ASCENDC_TPL_ARGS_DECL");      \
    SFUMATO_TPL_CHECK(kValue, "ASCENDC_TPL_SEL: a value is not among those of ASCENDC_TPL_ARGS_DECL");  \
    SFUMATO_TPL_CHECK(kMissing, "ASCENDC_TPL_ARGS_SEL: a parameter of ASCENDC_TPL_ARGS_DECL is missing")

#define GET_TPL_TILING_KEY(...) \
    ::sfumato::tiling::TemplateKey(SfumatoTemplateDeclaration, SfumatoTemplateSelection, __VA_ARGS__)
#define ASCENDC_TPL_SEL_PARAM(context, ...) (context)->SetTilingKey(GET_TPL_TILING_KEY(__VA_ARGS__))

#define ASCENDC_TPL_INPUT(index) ::sfumato::tiling::kOfArgument
#define ASCENDC_TPL_OUTPUT(index) ::sfumato::tiling::kOfArgument
#define ASCENDC_TPL_UI_RANGE ::sfumato::tiling::kUintRange
#define ASCENDC_TPL_UI_LIST ::sfumato::tiling::kUintList
#define ASCENDC_TPL_UI_MIX ::sfumato::tiling::kUintMix
#define ASCENDC_TPL_1_BW 1
#define ASCENDC_TPL_2_BW 2
#define ASCENDC_TPL_4_BW 4
#define ASCENDC_TPL_8_BW 8
#define ASCENDC_TPL_16_BW 16
#define ASCENDC_TPL_32_BW 32
#define ASCENDC_TPL_64_BW 64
// In the order of KernelMetaType.
#define ASCENDC_TPL_AIV_ONLY 0
#define ASCENDC_TPL_AIC_ONLY 1
#define ASCENDC_TPL_MIX_AIV_1_0 2
#define ASCENDC_TPL_MIX_AIC_1_0 3
#define ASCENDC_TPL_MIX_AIC_1_1 4
#define ASCENDC_TPL_MIX_AIC_1_2 5
#define ASCENDC_TPL_AICORE 6
#define ASCENDC_TPL_MIX_AICORE 8
#define ASCENDC_TPL_MIX_VECTOR_CORE 9
