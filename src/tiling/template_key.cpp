// SPDX-License-Identifier: Apache-2.0
// GET_TPL_TILING_KEY of host code (framework.md 4.7).
#include <fmt/format.h>

#include "sfumato/report.h"
#include "sfumato/tiling/template_words.h"

namespace sfumato::tiling {
namespace {

const char* WordsOf(TemplateFault fault) {
    switch (fault) {
        case TemplateFault::kWidth: return "the parameters of ASCENDC_TPL_ARGS_DECL take more than 64 bits together";
        case TemplateFault::kBits: return "a value of ASCENDC_TPL_ARGS_DECL does not fit the bits of its parameter";
        case TemplateFault::kParameter: return "a parameter of ASCENDC_TPL_SEL is not in ASCENDC_TPL_ARGS_DECL";
        case TemplateFault::kValue: return "a value of ASCENDC_TPL_SEL is not among those of ASCENDC_TPL_ARGS_DECL";
        case TemplateFault::kMissing:
            return "a parameter of ASCENDC_TPL_ARGS_DECL is missing in an ASCENDC_TPL_ARGS_SEL";
        case TemplateFault::kNone: break;
    }
    return nullptr;
}

}  // namespace

uint64_t KeyOfValues(const TemplateDeclaration& declaration, const TemplateSelection& selection, const uint64_t* values,
                     size_t count) {
    const TemplateGroup& declared = declaration.declared;
    const auto refuse = [&](const std::string& why) {
        throw Error(fmt::format("GET_TPL_TILING_KEY: {}: {}; there are {}", declaration.op, why,
                                SelectionText(declared, selection)));
    };
    // Compilers say this of constants; those of C++11 are none.
    if (const char* words = WordsOf(FaultOf(declared, selection))) refuse(words);
    if (count != declared.count) refuse(fmt::format("{} values for {} parameters", count, declared.count));
    uint64_t key = 0;
    unsigned shift = 0;
    for (size_t i = 0; i < declared.count; ++i) {
        const TemplateParam& p = declared.params[i];
        if (!p.Has(values[i])) refuse(fmt::format("{}={} is not declared", p.name, values[i]));
        key |= values[i] << (shift & 63);
        shift += p.bits;
    }
    if (GroupOf(declared, selection, key) == nullptr)
        refuse("no ASCENDC_TPL_ARGS_SEL has " + CombinationText(declared, key));
    return key;
}

}  // namespace sfumato::tiling
