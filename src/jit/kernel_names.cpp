// SPDX-License-Identifier: Apache-2.0
// Asks the loader and the preprocessor who else has a name: no list of names can be complete.
#include "jit/kernel_names.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "jit/process.h"
#include "jit/tokenizer.h"
#include "runtime/task_types.h"

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

TakenNames TakenByLibraries(const std::vector<FoundKernel>& kernels) {
    TakenNames taken;
    for (const FoundKernel& k : kernels) {
        if (k.name == "main" || dlsym(RTLD_DEFAULT, k.name.c_str()) != nullptr) taken.insert(k.name);
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
