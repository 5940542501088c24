// SPDX-License-Identifier: Apache-2.0
#include "jit/precompiled.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "jit/cache.h"
#include "jit/dependencies.h"
#include "jit/process.h"
#include "jit/source_file.h"
#include "jit/tokenizer.h"
#include "sanitize/checks.h"

namespace sfumato::jit {
namespace fs = std::filesystem;
namespace {

constexpr const char* kName = "sfumato-prefix-";
constexpr const char* kOperator = "kernel_operator.h";

// What CompileFlags includes first.
bool IsFirstInclude(const std::vector<std::string>& flags, size_t i) {
    return flags[i] == "-include" && i + 1 < flags.size() && flags[i + 1].ends_with("/sfumato/process.h");
}

std::string HeaderText(const std::vector<std::string>& flags) {
    std::string text;
    for (size_t i = 0; i < flags.size(); ++i) {
        if (IsFirstInclude(flags, i)) text += fmt::format("#include \"{}\"\n", flags[i + 1]);
    }
    return text + fmt::format("#include <sfumato/kernel_entry.h>\n#include <{}>\n", kOperator);
}

struct Paths {
    std::string header, compiled, manifest;
    Paths(const std::string& folder, const std::string& key)
        : header(fmt::format("{}/{}{}.h", folder, kName, key)),
          compiled(header + ".gch"),
          manifest(fmt::format("{}/{}{}.deps", folder, kName, key)) {}
};

std::optional<std::string> FindIn(const std::string& folder, const std::string& key) {
    const Paths paths(folder, key);
    std::ifstream manifest(paths.manifest);
    std::string hash, name;
    if (!(manifest >> hash >> name)) return std::nullopt;
    const std::optional<Dependencies> files = Dependencies::Read(manifest);
    if (!files || files->Name(key) != name) return std::nullopt;
    // One that was cut or changed could make any code: 15 ms for its 60 MB.
    if (HashFile(paths.compiled) != hash) return std::nullopt;
    return ReadText(paths.header) ? std::optional(paths.header) : std::nullopt;
}

bool WriteWhole(const std::string& path, const std::string& temporary, const std::string& text) {
    std::error_code error;
    {
        std::ofstream out(temporary, std::ios::binary);
        out << text;
        if (!out.flush()) {
            fs::remove(temporary, error);
            return false;
        }
    }
    fs::rename(temporary, path, error);
    return !error;
}

}  // namespace

std::optional<PrefixFor> PrefixFor::Of(const CompileOptions& options, const Compiler& compiler,
                                       std::vector<std::string> flags) {
    if (compiler.is_clang || sanitize::Checks::Parse(options.check).Has(sanitize::Check::kRaw)) return std::nullopt;
    for (const char* option : {"-I", "-i", "-x", "-W"}) {
        if (std::ranges::any_of(options.flags, [&](const std::string& flag) { return flag.starts_with(option); }))
            return std::nullopt;
    }
    std::erase_if(flags, [](const std::string& f) { return f == "-shared" || f == "-pipe" || f.starts_with("-Wl,"); });
    return PrefixFor{compiler, std::move(flags)};
}

std::string PrefixFor::Key() const {
    std::error_code error;
    const fs::path program = fs::canonical(compiler.command[0], error);
    return HashBytes(fmt::format("prefix 2\n{}\n{}\n{}\n{}", FileIdentity(program.string()),
                                 fmt::join(compiler.command, "\x1f"), fmt::join(flags, "\x1f"), HeaderText(flags)));
}

bool BeginsWithPrefix(const CompileOptions& options, const std::string& text) {
    if (!options.tiling_headers.empty()) return false;
    const std::vector<Token> tokens = Tokenize(text);
    if (tokens.empty() || tokens[0].kind != TokenKind::kDirective) return false;
    std::string directive;
    for (const char c : tokens[0].text.substr(0, tokens[0].text.find("//"))) {
        if (c != ' ' && c != '\t' && c != '\r') directive += c;
    }
    if (directive != fmt::format("#include\"{}\"", kOperator) && directive != fmt::format("#include<{}>", kOperator))
        return false;
    // One that is found before ours.
    std::vector<std::string> nearer = options.include_dirs;
    nearer.push_back(fs::path(options.source).parent_path().string());
    nearer.emplace_back(".");
    return std::ranges::none_of(nearer, [](const std::string& dir) {
        std::error_code ignored;
        return fs::exists(fs::path(dir.empty() ? "." : dir) / kOperator, ignored) ||
               fs::exists(fs::path(dir.empty() ? "." : dir) / "sfumato/kernel_entry.h", ignored);
    });
}

std::optional<std::string> FindPrefix(const PrefixFor& made, const std::string& cache) {
    const std::string key = made.Key();
    for (const std::string& folder : {Environment("SFUMATO_PREFIX"), cache}) {
        if (folder.empty()) continue;
        if (auto header = FindIn(folder, key)) return header;
    }
    return std::nullopt;
}

bool MakePrefix(const PrefixFor& made, const std::string& folder) {
    const std::string key = made.Key();
    if (FindIn(folder, key)) return true;
    const Cache cache(folder);
    if (cache.is_temporary()) return false;
    const Paths paths(cache.dir(), key);
    if (!WriteWhole(paths.header, cache.NewPath(".tmp"), HeaderText(made.flags))) return false;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const int64_t started = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    const std::string list = cache.NewPath(".d"), compiled = cache.NewPath(".gch");
    std::vector<std::string> command = made.compiler.command;
    for (size_t i = 0; i < made.flags.size(); ++i) {
        if (IsFirstInclude(made.flags, i)) {
            ++i;
        } else {
            command.push_back(made.flags[i]);
        }
    }
    command.insert(command.end(),
                   {"-MD", "-MF", list, "-MT", "object", "-x", "c++-header", paths.header, "-o", compiled});
    const ProcessResult result = RunProcess(command, "");
    std::vector<std::string> files = ParseDependencies(ReadText(list).value_or(""));
    std::erase(files, paths.header);
    const std::optional<Dependencies> dependencies = Dependencies::Of(files, started);
    std::error_code error;
    fs::remove(list, error);
    const std::optional<std::string> hash = HashFile(compiled);
    if (result.exit_code == 0 && dependencies && hash) {
        fs::rename(compiled, paths.compiled, error);
        if (!error)
            return WriteWhole(paths.manifest, cache.NewPath(".tmp"),
                              fmt::format("{}\n{}\n{}", *hash, dependencies->Name(key), dependencies->Lines()));
    }
    fs::remove(compiled, error);
    return false;
}

std::vector<std::string> WithPrefix(const std::vector<std::string>& flags, const std::string& header) {
    // Before all else, as g++ wants it; the files behind it count as read.
    std::vector<std::string> with = {"-include", header, "-fpch-deps"};
    for (size_t i = 0; i < flags.size(); ++i) {
        if (IsFirstInclude(flags, i)) {
            ++i;
        } else {
            with.push_back(flags[i]);
        }
    }
    return with;
}

bool NamesPrefix(const std::string& text) { return text.find(kName) != std::string::npos; }

}  // namespace sfumato::jit
