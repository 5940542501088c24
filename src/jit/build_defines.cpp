// SPDX-License-Identifier: Apache-2.0
// Reads the words of a source and its includes, and writes the defines.
#include "jit/build_defines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "jit/kernel_finder.h"
#include "jit/source_file.h"
#include "jit/tokenizer.h"
#include "sfumato/letters.h"
#include "sfumato/tiling/type_words.h"

namespace sfumato {
namespace jit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNumber = "ORIG_DTYPE_", kType = "DTYPE_", kFormat = "FORMAT_";

bool IsFormat(std::string_view word) {
#define SFUMATO_X(format, number) \
    if (word == #format) return true;
    SFUMATO_FORMAT_NUMBERS(SFUMATO_X)
#undef SFUMATO_X
    return false;
}

// A word of type_macros.h.
bool IsNumber(std::string_view word) {
    if (!word.starts_with("DT_")) return false;
    return word == "DT_UINT1" || tiling::NumberOfType(word) >= 0;
}

// Behind the list of the enum that begins at i; 0 without a list.
size_t EndOfEnum(const std::vector<Token>& tokens, size_t i) {
    while (i < tokens.size() && !tokens[i].Is("{") && !tokens[i].Is(";") && !tokens[i].Is(")")) ++i;
    return i < tokens.size() && tokens[i].Is("{") ? SkipGroup(tokens, i) : 0;
}

class DefineScanner {
public:
    explicit DefineScanner(const std::vector<std::string>& include_dirs) : include_dirs_(include_dirs) {}

    void Scan(const fs::path& file, std::string_view text) {
        std::error_code ignored;
        if (!seen_.insert(fs::weakly_canonical(file, ignored).string()).second) return;
        mentions.files.push_back(file);
        const std::vector<std::string> tables = ConstantTables(text);
        mentions.tables.insert(mentions.tables.end(), tables.begin(), tables.end());
        const std::vector<Token> tokens = Tokenize(text);
        size_t enum_end = 0;
        for (size_t i = 0; i < tokens.size(); ++i) {
            const Token& t = tokens[i];
            if (t.kind == TokenKind::kDirective) {
                Directive(file, t.text);
            } else if (t.kind == TokenKind::kIdentifier) {
                const bool parameter = i > 0 && (tokens[i - 1].Is("typename") || tokens[i - 1].Is("class"));
                Word(t.text, false, parameter);
                const auto is = [&](size_t at, std::string_view word) {
                    return at < tokens.size() && tokens[at].Is(word);
                };
                const bool assigned = is(i + 1, "=") && !is(i + 2, "=");
                if (t.Is("enum")) enum_end = EndOfEnum(tokens, i);
                const bool enumerator = i > 0 && i < enum_end && (tokens[i - 1].Is("{") || tokens[i - 1].Is(","));
                const bool of_host = t.text == "ge" && (is(i + 1, "::") || (i > 0 && is(i - 1, "namespace")));
                mentions.own_numbers |= of_host || ((assigned || enumerator) && IsNumber(t.text));
            }
        }
    }
    Mentions mentions;

private:
    void Word(std::string_view word, bool guarded, bool own) {
        mentions.system_workspace |= word == "GetSysWorkSpacePtr" || word == "REGIST_MATMUL_OBJ";
        mentions.numbers |= IsNumber(word);
        mentions.own_numbers |= own && IsNumber(word);
        mentions.templates |= word == "ASCENDC_TPL_ARGS_DECL";
        mentions.by_key |= word == "REGISTER_TILING_FOR_TILINGKEY" || word == "TILING_KEY_VAR";
        const bool number = word.starts_with(kNumber);
        if (!number && !word.starts_with(kType)) return;
        Mentions::Type& type = mentions.types[std::string(word.substr(number ? kNumber.size() : kType.size()))];
        type.number |= number;
        type.guarded |= guarded;
        type.own |= own;
    }

    void Directive(const fs::path& file, std::string_view text) {
        std::vector<std::string_view> words;
        const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
        for (size_t i = 0; i < text.size();) {
            size_t end = i;
            while (end < text.size() && is_word(text[end])) ++end;
            if (end > i) words.push_back(text.substr(i, end - i));
            i = std::max(end, i + 1);
        }
        if (words.empty()) return;
        if (words[0] == "include") return Include(file, text);
        const bool guard =
            words[0] == "ifdef" || words[0] == "ifndef" || text.find("defined") != std::string_view::npos;
        for (size_t i = 1; i < words.size(); ++i) {
            Word(words[i], guard, words[0] == "define" && i == 1);
            if ((words[0] != "if" && words[0] != "elif") || !words[i].starts_with(kFormat)) continue;
            const std::string_view name = words[i].substr(kFormat.size());
            if (IsFormat(name)) continue;
            Mentions::Type& type = mentions.types[std::string(name)];
            type.format = true;
            type.guarded |= guard;
        }
    }

    void Include(const fs::path& file, std::string_view text) {
        const size_t open = text.find_first_of("\"<");
        if (open == std::string_view::npos) return;
        const size_t close = text.find_first_of("\">", open + 1);
        if (close == std::string_view::npos) return;
        const fs::path name(text.substr(open + 1, close - open - 1));
        // They declare the numbers as enumerators of namespace ge.
        for (const char* of_host :
             {"tiling/tiling_api.h", "tiling/platform/", "platform/", "exe_graph/", "graph/", "register/op_"})
            mentions.own_numbers |= name.native().starts_with(of_host);
        std::vector<fs::path> candidates;
        if (text[open] == '"') candidates.push_back(file.parent_path() / name);
        for (const std::string& dir : include_dirs_) candidates.push_back(dir / name);
        for (const fs::path& candidate : candidates) {
            std::error_code error;
            if (!fs::is_regular_file(candidate, error)) continue;
            return Scan(candidate, ReadText(candidate).value_or(""));
        }
    }

    const std::vector<std::string>& include_dirs_;
    std::set<std::string> seen_;
};

using Pairs = std::vector<std::pair<std::string, std::string>>;

const std::string* Given(const Pairs& pairs, const std::string& upper) {
    for (const auto& [name, value] : pairs) {
        if (Upper(name) == upper) return &value;
    }
    return nullptr;
}

std::string FormatWord(const std::string& name, std::string word) {
    word = Upper(word);
    if (word.starts_with("FORMAT_")) word = word.substr(7);
    if (word == "NZ") word = "FRACTAL_NZ";
    std::vector<std::string> legal;
#define SFUMATO_X(format, number) legal.emplace_back(#format);
    SFUMATO_FORMAT_NUMBERS(SFUMATO_X)
#undef SFUMATO_X
    if (std::ranges::find(legal, word) != legal.end()) return "FORMAT_" + word;
    throw Error(fmt::format("format of {}: '{}' is no format; legal are {}", name, word, fmt::join(legal, ", ")));
}

std::vector<std::string> Wanted(const CompileOptions& options, const Mentions& mentions) {
    std::vector<std::string> names;
    for (const auto& [name, type] : mentions.types) {
        if (!type.own && !Given(options.dtypes, name)) names.push_back(name);
    }
    return names;
}

}  // namespace

Mentions FindMentions(const std::string& source, std::string_view text, const std::vector<std::string>& include_dirs) {
    DefineScanner scanner(include_dirs);
    scanner.Scan(source, text);
    return std::move(scanner.mentions);
}

std::vector<std::string> BuildDefines(const CompileOptions& options, const Mentions& mentions,
                                      const std::vector<std::string>& includes) {
    std::vector<std::string> flags = {"-DSFUMATO_KERNEL_BUILD"};
    if (options.tiling_key) flags.push_back(fmt::format("-DTILING_KEY_VAR={}ULL", *options.tiling_key));
    if (!options.tiling_struct.empty()) flags.push_back("-DSFUMATO_TILING_STRUCT=" + options.tiling_struct);
    if (!options.tiling_operator.empty())
        flags.push_back("-DSFUMATO_TILING_OPERATOR=\"" + options.tiling_operator + "\"");
    bool numbers = !options.dtypes.empty() || !options.formats.empty() || (mentions.numbers && !mentions.own_numbers);
    for (const auto& [name, word] : options.dtypes) {
        const int number = tiling::NumberOfType(word);
        if (number < 0) {
            std::vector<std::string> legal;
            for (const tiling::TypeWord& t : tiling::kTypeWords) legal.push_back(t.numpy);
            throw Error(
                fmt::format("dtype of {}: '{}' is no element type; legal are {}", name, word, fmt::join(legal, ", ")));
        }
        const std::string upper = Upper(name);
        for (const tiling::TypeWord& t : tiling::kTypeWords) {
            if (t.number != static_cast<uint64_t>(number)) continue;
            flags.push_back(fmt::format("-D{}{}={}", kType, upper, t.type));
            flags.push_back(fmt::format("-D{}{}=DT_{}", kNumber, upper, t.dt));
        }
        if (!Given(options.formats, upper)) flags.push_back(fmt::format("-DFORMAT_{}=FORMAT_ND", upper));
    }
    for (const auto& [name, word] : options.formats)
        flags.push_back(fmt::format("-DFORMAT_{}={}", Upper(name), FormatWord(name, word)));
    for (const std::string& name : Wanted(options, mentions)) {
        // In #if a name nobody defines is 0 and would be some type: this does not compile instead.
        const Mentions::Type& type = mentions.types.at(name);
        numbers |= type.number || type.format;
        if (type.guarded) continue;
        if (type.format && !Given(options.formats, name))
            flags.push_back(fmt::format("-D{0}{1}={0}{1}()", kFormat, name));
        if (type.number) flags.push_back(fmt::format("-D{0}{1}={0}{1}()", kNumber, name));
    }
    for (const std::string& dir : includes) {
        std::error_code ignored;
        const fs::path header = fs::path(dir) / "sfumato/type_macros.h";
        if (numbers && fs::exists(header, ignored)) flags.insert(flags.end(), {"-include", header.string()});
    }
    return flags;
}

namespace {

// A define that says by hand what dtypes say, and that the errors are about.
std::string TypeByDefine(const CompileOptions& options, std::string_view messages) {
    for (const auto& [name, value] : options.defines) {
        const std::string_view prefix = name.starts_with(kNumber) ? kNumber : kType;
        if (!name.starts_with(prefix)) continue;
        const bool about =
            messages.find(name) != messages.npos || (!value.empty() && messages.find(value) != messages.npos);
        if (!about) continue;
        return fmt::format(
            "{0} comes from the element type of {1}, with what belongs to it: instead of -D {0} pass --dtype {1}=half "
            "(in "
            "Python dtypes={{\"{1}\": \"half\"}})",
            name, Lower(name.substr(prefix.size())));
    }
    return "";
}

}  // namespace

std::string MissingTypes(const CompileOptions& options, const Mentions& mentions, std::string_view messages) {
    if (std::string text = TypeByDefine(options, messages); !text.empty()) return text;
    for (const std::string& name : Wanted(options, mentions)) {
        const std::string lower = Lower(name);
        for (const std::string& word : {fmt::format("{}{}", kNumber, name), fmt::format("{}{}", kType, name)}) {
            if (messages.find(word) == std::string_view::npos) continue;
            return fmt::format(
                "{0} is the element type of {1}, which the build gives: pass --dtype {1}=half (in Python "
                "dtypes={{\"{1}\": \"half\"}})",
                word, lower);
        }
        const std::string format = fmt::format("{}{}", kFormat, name);
        if (!mentions.types.at(name).format || messages.find(format) == std::string_view::npos) continue;
        return fmt::format(
            "{0} is the format of {1}, which the build gives: pass --format {1}=ND (in Python "
            "formats={{\"{1}\": \"ND\"}})",
            format, lower);
    }
    return "";
}

}  // namespace jit

void DeriveTypes(CompileOptions& options, const std::string& kernel,
                 const std::vector<std::optional<DataType>>& argument_types) {
    const std::string source = jit::ReadSource(options.source);
    const jit::Mentions mentions = jit::FindMentions(options.source, source, options.include_dirs);
    const std::vector<std::string> wanted = jit::Wanted(options, mentions);
    if (wanted.empty()) return;
    for (const jit::FoundKernel& found : jit::FindKernels(source)) {
        const bool is = kernel.empty() || found.name == kernel.substr(kernel.rfind(':') + 1);
        if (!is || found.params.size() != argument_types.size()) continue;
        for (size_t i = 0; i < found.params.size(); ++i) {
            const std::string upper = Upper(found.params[i].name);
            if (!argument_types[i] || jit::Given(options.dtypes, upper)) continue;
            if (std::ranges::find(wanted, upper) != wanted.end())
                options.dtypes.emplace_back(found.params[i].name, CName(*argument_types[i]));
        }
        return;
    }
}

}  // namespace sfumato
