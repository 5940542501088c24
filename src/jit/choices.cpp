// SPDX-License-Identifier: Apache-2.0
#include "jit/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>

#include "jit/messages.h"
#include "jit/scratch_folder.h"
#include "jit/source_file.h"
#include "jit/tokenizer.h"

namespace sfumato::jit {
namespace fs = std::filesystem;
namespace {

// The index behind the template arguments that open at i; i where these are none: a comparison.
size_t SkipTemplate(const std::vector<Token>& tokens, size_t i) {
    int open = 0;
    for (size_t k = i; k < tokens.size(); ++k) {
        const Token& t = tokens[k];
        if (t.Is("<")) ++open;
        if (t.Is(">") && --open == 0) return k + 1;
        const bool inside = t.kind == TokenKind::kIdentifier || t.kind == TokenKind::kNumber;
        if (!inside && !IsOneOf(t, {"<", ">", "::", ",", "*", "&", "[", "]"})) break;
    }
    return i;
}

// The index of what ends an operand that begins at i: the ":" of its choice, or what stands behind the whole.
size_t EndOf(const std::vector<Token>& tokens, size_t i) {
    while (i < tokens.size() && !IsOneOf(tokens[i], {":", ",", ";", ")", "]", "}", "?"})) {
        size_t next = IsOneOf(tokens[i], {"(", "[", "{"}) ? SkipGroup(tokens, i) : i;
        if (tokens[i].Is("<")) next = SkipTemplate(tokens, i);
        i = std::max(next, i + 1);
    }
    return i;
}

std::string TextOf(const std::vector<Token>& tokens, size_t begin, size_t end) {
    std::string text;
    for (size_t i = begin; i < end; ++i) text += (i == begin ? "" : " ") + tokens[i].text;
    return text;
}

void Choose(const std::vector<Token>& tokens, size_t question, std::vector<Edit>* edits) {
    const size_t colon = EndOf(tokens, question + 1);
    if (colon >= tokens.size() || !tokens[colon].Is(":") || colon == question + 1) return;
    const size_t end = EndOf(tokens, colon + 1);
    if (end >= tokens.size() || tokens[end].Is("?") || end == colon + 1) return;
    const auto wrap = [&](size_t first, size_t behind, const std::string& other) {
        const size_t begin = tokens[first].begin, stop = tokens[behind - 1].end;
        edits->push_back({begin, begin, fmt::format("::sfumato::detail::Chosen<decltype({})>(", other)});
        edits->push_back({stop, stop, ")"});
    };
    const std::string first = TextOf(tokens, question + 1, colon), second = TextOf(tokens, colon + 1, end);
    wrap(question + 1, colon, second);
    wrap(colon + 1, end, first);
}

// A compiler's command line, in parts.
struct CommandLine {
    std::vector<std::string> words;         // without what is below
    std::vector<std::string> dependencies;  // -MD and the like
    std::vector<std::string> output;        // -o FILE
    size_t source = 0;                      // where in words it stands
    std::optional<size_t> language;         // of it: the word behind "-x"
};

// Nothing where there is no source, or several.
std::optional<CommandLine> Read(const std::vector<std::string>& command) {
    CommandLine line;
    size_t sources = 0;
    std::optional<size_t> language;
    for (size_t i = 0; i < command.size(); ++i) {
        const std::string& word = command[i];
        const bool two = i + 1 < command.size() && (word == "-MF" || word == "-MT" || word == "-MQ" || word == "-o");
        if (word.starts_with("-M") || word == "-o") {
            auto& list = word == "-o" ? line.output : line.dependencies;
            list.push_back(word);
            if (two) list.push_back(command[++i]);
            continue;
        }
        line.words.push_back(word);
        if (word == "-x" && i + 1 < command.size()) {
            language = line.words.size();
            line.words.push_back(command[++i]);
            continue;
        }
        constexpr std::string_view kBefore[] = {"-include", "-I", "-isystem", "-iquote", "-D", "-Xlinker"};
        const bool argument = i > 0 && std::ranges::find(kBefore, command[i - 1]) != std::end(kBefore);
        static const std::regex named(".*\\.(?:cpp|cc|cxx|C|c\\+\\+)");
        if (argument || (word != "-" && (word.starts_with('-') || !std::regex_match(word, named)))) continue;
        line.source = line.words.size() - 1;
        line.language = language;
        ++sources;
    }
    if (sources != 1) return std::nullopt;
    return line;
}

std::vector<std::string> Preprocessing(const CommandLine& line, const std::string& made) {
    std::vector<std::string> command = line.words;
    std::erase(command, "-c");
    command.insert(command.end(), line.dependencies.begin(), line.dependencies.end());
    command.insert(command.end(), {"-include", "sfumato/choice.h", "-E", "-o", made});
    return command;
}

std::vector<std::string> OfPreprocessed(CommandLine line, const std::string& made) {
    constexpr const char* kPreprocessed = "c++-cpp-output";
    line.words[line.source] = made;
    std::vector<std::string> command = line.words;
    if (line.language) {
        command[*line.language] = kPreprocessed;
    } else {
        const auto at = command.begin() + static_cast<std::ptrdiff_t>(line.source);
        command.insert(command.insert(at, {"-x", kPreprocessed}) + 3, {"-x", "none"});
    }
    command.insert(command.end(), line.output.begin(), line.output.end());
    return command;
}

}  // namespace

LinesOfFiles ChoiceLines(std::string_view messages) {
    static const std::regex refused(
        "(?:operands to '?\\?:'? have different types|conditional expression is ambiguous;).*(?:half|bfloat16_t)");
    LinesOfFiles lines;
    for (const Message& message : SplitMessages(messages)) {
        if (!std::regex_search(message.error, refused)) continue;
        for (auto& [file, numbers] : ErrorLines(message.error)) lines[file].merge(numbers);
    }
    return lines;
}

std::string WithCommonTypes(const std::string& preprocessed, const LinesOfFiles& lines) {
    const std::vector<Token> all = Tokenize(preprocessed);
    std::vector<Token> tokens;
    std::vector<Edit> edits;
    std::vector<size_t> questions;
    const std::set<uint32_t>* wrong = nullptr;  // of the file that the text is of
    uint32_t ahead = 0;                         // of the lines of the text, those of the file
    static const std::regex marker("#\\s*(?:line)?\\s*([0-9]+) \"(.*)\".*");
    for (const Token& t : all) {
        std::smatch match;
        if (t.kind == TokenKind::kDirective && std::regex_match(t.text, match, marker)) {
            const auto found = lines.find(fs::path(match[2].str()).lexically_normal());
            wrong = found == lines.end() ? nullptr : &found->second;
            ahead = static_cast<uint32_t>(std::stoul(match[1])) - t.line - 1;
        }
        if (t.kind == TokenKind::kDirective) continue;
        if (wrong && t.Is("?") && wrong->contains(t.line + ahead)) questions.push_back(tokens.size());
        tokens.push_back(t);
    }
    for (const size_t question : questions) Choose(tokens, question, &edits);
    std::ranges::stable_sort(edits, {}, &Edit::begin);
    std::string text;
    size_t done = 0;
    for (const Edit& edit : edits) {
        text += preprocessed.substr(done, edit.begin - done) + edit.text;
        done = edit.end;
    }
    return text + preprocessed.substr(done);
}

ProcessResult RunCompilerOnce(const std::vector<std::string>& command, const std::string& input,
                              const std::string& temporary) {
    const ProcessResult first = RunProcess(command, input, temporary);
    if (first.exit_code == 0) return first;
    LinesOfFiles lines = ChoiceLines(first.output);
    const std::optional<CommandLine> line = lines.empty() ? std::nullopt : Read(command);
    if (!line) return first;
    const ScratchFolder folder;
    const std::string made = folder.File(0, ".ii"), changed = folder.File(1, ".ii");
    if (RunProcess(Preprocessing(*line, made), input, temporary).exit_code != 0) return first;
    const std::string text = ReadText(made).value_or("");
    for (bool more = true; more;) {  // an error may hide another
        std::ofstream(changed, std::ios::binary) << WithCommonTypes(text, lines);
        ProcessResult again = RunProcess(OfPreprocessed(*line, changed), "", temporary);
        if (again.exit_code == 0) return again;
        const LinesOfFiles known = lines;
        for (auto& [file, numbers] : ChoiceLines(again.output)) lines[file].merge(numbers);
        more = lines != known;
    }
    return first;
}

}  // namespace sfumato::jit
