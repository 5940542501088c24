// SPDX-License-Identifier: Apache-2.0
// Asks the loader and the preprocessor who else has a name: no list of names can be complete.
#include "jit/kernel_names.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "jit/process.h"
#include "jit/tokenizer.h"
#include "runtime/code/task_types.h"
#include "sfumato/jit.h"

namespace sfumato::jit {
namespace {

constexpr std::string_view kPrefix = runtime::kKernelPrefix;

// Walks a preprocessor's output (-dD) and notes which of the wanted names it has outside of the user's own code.
class HeaderReader {
public:
    HeaderReader(const TakenNames& wanted, const std::vector<Token>& tokens) : wanted_(wanted), tokens_(tokens) {}

    TakenNames Run() {
        for (size_t i = 0; i < tokens_.size(); ++i) {
            const Token& t = tokens_[i];
            if (t.kind == TokenKind::kDirective) {
                Directive(t.text);
            } else if (t.Is("{")) {
                depth_ += OpensInner(i) ? 1 : 0;
                if (depth_ == 0) ++linkage_;
            } else if (t.Is("}")) {
                if (depth_ > 0) {
                    --depth_;
                } else if (linkage_ > 0) {
                    --linkage_;
                }
            } else if (t.kind == TokenKind::kIdentifier && in_system_ && depth_ == 0 && wanted_.contains(t.text)) {
                taken_.insert(t.text);
            }
        }
        return std::move(taken_);
    }

private:
    // Of extern "C" what is inside stands at global scope.
    bool OpensInner(size_t i) const {
        return depth_ > 0 || i < 2 || tokens_[i - 1].kind != TokenKind::kString || !tokens_[i - 2].Is("extern");
    }

    // # 12 "file" 1 3: 3 says that the file is of the system. #define NAME, #undef NAME: as -dD writes them.
    void Directive(const std::string& text) {
        const size_t quote = text.rfind('"');
        if (text.starts_with("# ") && quote != std::string::npos) {
            in_system_ = text.find(" 3", quote) != std::string::npos;
            return;
        }
        for (const std::string_view word : {"#define ", "#undef "}) {
            if (!text.starts_with(word)) continue;
            const std::string name = text.substr(word.size(), text.find_first_of(" (\t", word.size()) - word.size());
            if (!wanted_.contains(name)) return;
            if (word == "#define ") taken_.insert(name);
            return;
        }
    }

    const TakenNames& wanted_;
    const std::vector<Token>& tokens_;
    TakenNames taken_;
    bool in_system_ = false;
    int depth_ = 0, linkage_ = 0;
};

}  // namespace

std::string CodeName(const TakenNames& taken, const std::string& name) {
    return taken.contains(name) ? std::string(kPrefix) + name : name;
}

std::string CodeName(const TakenNames& taken, const FoundKernel& kernel) {
    FoundKernel renamed = kernel;
    renamed.name = CodeName(taken, kernel.name);
    return renamed.QualifiedName();
}

void RefuseKeywords(const std::vector<FoundKernel>& kernels, const std::string& source) {
    for (const FoundKernel& k : kernels) {
        if (IsCppWord(k.name))
            throw CompileError(
                fmt::format("{}:{}: a kernel cannot be called '{}', which is a word of C++: take another name", source,
                            k.line, k.name),
                "");
    }
}

TakenNames TakenByLibraries(const std::vector<FoundKernel>& kernels) {
    // The program with its libraries, and ours with those it needs. RTLD_DEFAULT has libraries of kernels, too: they
    // need this one, and so the loader adds them to its scope.
    Dl_info own{};
    dladdr(reinterpret_cast<const void*>(&TakenByLibraries), &own);
    void* const scopes[] = {dlopen(nullptr, RTLD_LAZY), dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD)};
    TakenNames taken;
    for (const FoundKernel& k : kernels) {
        bool found = k.name == "main";
        for (void* scope : scopes) found = found || (scope && dlsym(scope, k.name.c_str()));
        if (found) taken.insert(k.name);
    }
    for (void* scope : scopes) {
        if (scope) dlclose(scope);
    }
    return taken;
}

TakenNames TakenByHeaders(const std::vector<FoundKernel>& kernels, const std::string& source,
                          const std::vector<std::string>& flags, const Compiler& compiler) {
    TakenNames wanted;
    for (const FoundKernel& k : kernels) wanted.insert(k.name);
    std::vector<std::string> command = compiler.command;
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(), {"-E", "-dD", "-w", "-x", "c++", source});
    const ProcessResult result = RunProcess(command, "");
    return HeaderReader(wanted, Tokenize(result.output)).Run();
}

std::string RefuseMacros(const TakenNames& taken, const std::vector<FoundKernel>& kernels) {
    std::string text;
    TakenNames written = taken;
    for (const FoundKernel& k : kernels) {
        if (written.insert(k.name).second) text += fmt::format("#ifdef {0}\n#error {0} is a macro\n#endif\n", k.name);
    }
    return text;
}

std::string WithKernelNames(std::string text) {
    for (size_t p = 0; (p = text.find(kPrefix, p)) != std::string::npos;) text.erase(p, kPrefix.size());
    return text;
}

}  // namespace sfumato::jit

bool sfumato::IsCppWord(const std::string& name) {
    // clang-format off
    static const std::set<std::string> kWords = {
        "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
        "char8_t", "char16_t", "char32_t", "class", "compl", "concept", "const", "consteval", "constexpr", "constinit",
        "const_cast", "continue", "co_await", "co_return", "co_yield", "decltype", "default", "delete", "do", "double",
        "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if",
        "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or",
        "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "requires", "return", "short",
        "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template", "this",
        "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual",
        "void", "volatile", "wchar_t", "while", "xor", "xor_eq"};
    // clang-format on
    return kWords.contains(name);
}
