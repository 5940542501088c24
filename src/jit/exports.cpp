// SPDX-License-Identifier: Apache-2.0
// Looks for the requested kernels in the source and behind its macros.
#include "jit/exports.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "jit/process.h"
#include "jit/tokenizer.h"
#include "runtime/code/task_types.h"

namespace sfumato::jit {
namespace {

// Requests may leave the namespaces out.
bool IsCalled(const FoundKernel& kernel, const std::string& request) {
    const std::string name = kernel.QualifiedName();
    return name == request || name.ends_with("::" + request);
}

std::string Listing(const std::vector<FoundKernel>& found) {
    std::vector<std::string> names;
    for (const auto& k : found) {
        std::string name = k.QualifiedName() + (k.is_template ? "<...>" : "");
        if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string TemplateWords(const CompileOptions& options) {
    std::string words;
    for (const auto& [name, value] : options.template_values) {
        if (value.find(',') != std::string::npos || name.find_first_of("=,") != std::string::npos)
            throw Error(
                fmt::format("template value '{}={}': a name and a value have no '=' and ',' in them", name, value));
        words += fmt::format("{}{}={}", words.empty() ? "" : ",", name, value);
    }
    return words;
}

std::vector<std::string> ExtraExports(const CompileOptions& options, const std::vector<FoundKernel>& found,
                                      std::string_view text) {
    std::vector<std::string> extra;
    for (const std::string& request : options.instantiations) {
        if (request.find_first_of(";{}\n\"#") != std::string::npos || request.empty()) {
            throw Error(fmt::format("'{}' is not the name of a kernel", request));
        }
        const auto it = std::ranges::find_if(found, [&](auto& k) { return IsCalled(k, request); });
        const bool by_key = options.tiling_key || !options.template_values.empty();
        if (it != found.end() && it->is_template && !by_key) {
            throw Error(
                fmt::format("{} is a template: name it with its arguments, e.g. --kernel '{}<...>'", request, request));
        }
        if (it != found.end()) continue;
        const std::vector<Token> tokens = Tokenize(text);
        const std::string last = request.substr(request.rfind(':') + 1);
        const bool mentioned = std::ranges::any_of(tokens, [&](const Token& t) { return t.Is(last); });
        if (request.find('<') == std::string::npos && !mentioned && !found.empty()) {
            throw Error(fmt::format("{} has no kernel '{}': it has {}", options.source, request, Listing(found)));
        }
        extra.push_back(request);
    }
    return extra;
}

void RefuseEmpty(const CompileOptions& options, const std::vector<FoundKernel>& found) {
    if (!found.empty()) {
        throw Error(
            fmt::format("{} has only kernel templates ({}): name one with its arguments, e.g. --kernel '{}<...>'",
                        options.source, Listing(found), found.front().QualifiedName()));
    }
    throw Error(
        fmt::format("{} has no __global__ function: a kernel looks like extern \"C\" __global__ __aicore__ void "
                    "name(GM_ADDR x); one that a macro or a header defines must be named (--kernel)",
                    options.source));
}

std::string RefusedQualifier(const std::string& kernel, const std::string& qualifier) {
    if (qualifier.empty() || runtime::TaskTypeOfQualifier(qualifier)) return {};
    return fmt::format(
        "kernel '{}' is declared {}; legal is one of __vector__, __cube__, __mix__(1, 0), "
        "__mix__(0, 1), __mix__(1, 1), __mix__(1, 2), and __schedmode__(0) or __schedmode__(1), in "
        "numbers",
        kernel, qualifier);
}

std::optional<std::vector<FoundKernel>> PreprocessedKernels(const std::string& source,
                                                            const std::vector<std::string>& flags,
                                                            const Compiler& compiler, std::string* text) {
    std::vector<std::string> command = compiler.command;
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(), {"-E", "-w", "-DSFUMATO_FIND_KERNELS", "-x", "c++", source});
    ProcessResult result = RunProcess(command, "");
    if (result.exit_code != 0) return std::nullopt;
    *text = std::move(result.output);
    return FindKernelsPreprocessed(*text, source);
}

void FindMadeKernels(const CompileOptions& options, std::string_view text, const std::vector<std::string>& flags,
                     const Compiler& compiler, std::vector<FoundKernel>* found) {
    const auto missing = [&](const std::string& request) {
        return request.find('<') == std::string::npos &&
               std::none_of(found->begin(), found->end(), [&](auto& k) { return IsCalled(k, request); });
    };
    bool macros_may_make =
        found->empty() || std::any_of(options.instantiations.begin(), options.instantiations.end(), missing);
    for (const Token& t : Tokenize(text))
        macros_may_make |= t.kind == TokenKind::kDirective && t.text.find("__global__") != std::string::npos;
    if (!macros_may_make) return;
    std::string shown;
    auto made = PreprocessedKernels(options.source, flags, compiler, &shown);
    if (!made) return;
    for (FoundKernel& k : *made) {
        if (std::none_of(found->begin(), found->end(),
                         [&](const auto& f) { return f.QualifiedName() == k.QualifiedName(); }))
            found->push_back(std::move(k));
    }
}

const tiling::TemplateGroup* CheckInstance(const CompileOptions& options, const entry::Templates& instance,
                                           const std::vector<std::string>& templates, bool has_kernels) {
    using Problem = tiling::ParsedTemplate::Problem;
    const std::string words = TemplateWords(options);
    if (instance.declaration == nullptr) {
        if (words.empty()) return nullptr;
        throw Error(
            fmt::format("{} has no ASCENDC_TPL_ARGS_DECL for --template {}: name a template with its arguments, "
                        "--kernel 'name<half, 3>'",
                        options.source, words));
    }
    const tiling::TemplateGroup& declared = instance.declaration->declared;
    const std::string all = tiling::SelectionText(declared, *instance.selection);
    if (!instance.asked) {
        if (has_kernels) return nullptr;
        throw Error(
            fmt::format("{} has only kernel templates ({}): choose one with --template NAME=VALUE,... or "
                        "--tiling-key N; there are {}",
                        options.source, fmt::join(templates, ", "), all));
    }
    if (!words.empty()) {
        const tiling::ParsedTemplate parsed = tiling::ParseTemplate(declared, words);
        if (parsed.problem != Problem::kNone) {
            throw Error(fmt::format("--template {}: {}; there are {}", words,
                                    parsed.problem == Problem::kForm ? fmt::format("'{}' is not NAME=VALUE", parsed.at)
                                    : parsed.problem == Problem::kName
                                        ? fmt::format("no parameter is called {}", parsed.at)
                                    : parsed.problem == Problem::kMissing
                                        ? fmt::format("{} is missing", parsed.at)
                                        : fmt::format("{} is no value of ASCENDC_TPL_ARGS_DECL", parsed.at),
                                    all));
        }
        if (options.tiling_key && *options.tiling_key != parsed.key) {
            throw Error(fmt::format("--template {} has the tiling key {}, not {}: give one of them", words, parsed.key,
                                    *options.tiling_key));
        }
    }
    const tiling::TemplateGroup* group = tiling::GroupOf(declared, *instance.selection, instance.key);
    // A key may be that of another kernel of the source.
    if (group == nullptr && (!words.empty() || !has_kernels)) {
        throw Error(fmt::format("no ASCENDC_TPL_ARGS_SEL of {} has {} (tiling key {}); there are {}", options.source,
                                tiling::CombinationText(declared, instance.key), instance.key, all));
    }
    return group;
}

}  // namespace sfumato::jit
