// SPDX-License-Identifier: Apache-2.0
// Parses the argument forms of `sfumato run`.
#include "argument_spec.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cstdlib>
#include <limits>

#include "npy.h"
#include "sfumato/report.h"

namespace sfumato::command {
namespace {

[[noreturn]] void Fail(const std::string& text, const std::string& why) {
    throw Error(fmt::format("argument '{}': {}", text, why));
}

// A NumPy or an Ascend C name.
std::optional<DataType> TypeNamed(std::string_view name) {
    for (int i = 0; i < kDataTypeCount; ++i) {
        const auto t = static_cast<DataType>(i);
        if (name == NumpyName(t) || name == CName(t)) return t;
    }
    if (name == "bool") return DataType::kUint8;
    return std::nullopt;
}

std::string TypeNames() {
    std::string names;
    for (int i = 0; i < kDataTypeCount; ++i)
        names += fmt::format("{}{}", i ? ", " : "", NumpyName(static_cast<DataType>(i)));
    return names;
}

bool IsHex(std::string_view s) { return s.starts_with("0x") || s.starts_with("0X"); }

void ParseShape(ArgumentSpec& spec, std::string_view inside) {
    size_t begin = 0;
    while (begin < inside.size()) {
        begin = std::min(inside.find_first_not_of(' ', begin), inside.size());
        // 16x32 is two dimensions, 0x40 one.
        const size_t digits = begin + (IsHex(inside.substr(begin)) ? 2 : 0);
        const size_t end = std::min(inside.find_first_of(",x", digits), inside.size());
        std::string_view word = inside.substr(begin, end - begin);
        while (word.ends_with(' ')) word.remove_suffix(1);
        const auto n = Unsigned(word);
        if (!n) Fail(spec.text, fmt::format("'{}' is no dimension: a shape is written [512] or [16,32]", word));
        spec.shape.push_back(*n);
        begin = end + 1;
    }
    const auto count = CountOf(spec.shape);
    if (!count || *count > std::numeric_limits<int64_t>::max() / 8) Fail(spec.text, "the shape has too many elements");
    spec.bytes = BytesOf(*spec.type, *count);
}

void ParseOutput(ArgumentSpec& spec, std::string_view rest) {
    const size_t open = rest.find('['), close = rest.find(']');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
        Fail(spec.text, "an output is given as out:DTYPE[SHAPE]=FILE.npy, e.g. out:int32[512]=dst.npy");
    }
    spec.type = TypeNamed(rest.substr(0, open));
    if (!spec.type) {
        Fail(spec.text, fmt::format("'{}' is no element type; legal are {}", rest.substr(0, open), TypeNames()));
    }
    ParseShape(spec, rest.substr(open + 1, close - open - 1));
    rest.remove_prefix(close + 1);
    if (!rest.starts_with('=') || rest.size() < 2)
        Fail(spec.text, "the file to write is missing: out:DTYPE[SHAPE]=FILE.npy");
    spec.output = rest.substr(1);
}

void ParseInOut(ArgumentSpec& spec, std::string_view rest) {
    if (const size_t colon = rest.find(':'); colon != std::string_view::npos) {
        spec.type = TypeNamed(rest.substr(0, colon));
        if (spec.type) rest.remove_prefix(colon + 1);
    }
    // A path may hold '=': the one after ".npy" separates, where there is one.
    const size_t suffix = rest.find(".npy=");
    const size_t equals = suffix != std::string_view::npos ? suffix + 4 : rest.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == rest.size()) {
        Fail(spec.text, "an array that is read and written is given as inout:IN.npy=OUT.npy");
    }
    spec.input = rest.substr(0, equals);
    spec.output = rest.substr(equals + 1);
}

void ParseValue(ArgumentSpec& spec, std::string_view name, std::string_view value) {
    if (spec.type == DataType::kInt4) Fail(spec.text, "int4 is no type of a by-value parameter");
    if (IsFloating(*spec.type)) {
        spec.kind = ArgumentSpec::Kind::kFloating;
        const std::string number(value);
        char* end = nullptr;
        spec.floating = std::strtod(number.c_str(), &end);
        if (number.empty() || *end != '\0' || std::isspace(static_cast<unsigned char>(number[0]))) {
            Fail(spec.text, fmt::format("'{}' is no floating-point number", value));
        }
        return;
    }
    spec.kind = ArgumentSpec::Kind::kInteger;
    if (name == "bool") {
        spec.type.reset();
        if (value == "true" || value == "True") value = "1";
        if (value == "false" || value == "False") value = "0";
    }
    spec.negative = value.starts_with('-');
    const auto magnitude = Unsigned(value.substr(spec.negative || value.starts_with('+') ? 1 : 0));
    if (!magnitude) Fail(spec.text, fmt::format("'{}' is no integer of up to 64 bits", value));
    spec.magnitude = *magnitude;
}

// Commas inside a shape separate dimensions.
void ParseList(ArgumentSpec& spec, std::string_view rest) {
    while (!rest.empty()) {
        size_t end = 0;
        for (int depth = 0; end < rest.size() && (depth > 0 || rest[end] != ','); ++end)
            depth += rest[end] == '[' ? 1 : rest[end] == ']' ? -1 : 0;
        ArgumentSpec item = ParseArgument(std::string(rest.substr(0, end)));
        using Kind = ArgumentSpec::Kind;
        if (item.kind != Kind::kInput && item.kind != Kind::kOutput && item.kind != Kind::kInOut)
            Fail(spec.text, fmt::format("'{}' is no array: a list holds FILE.npy, out:... and inout:...", item.text));
        spec.items.push_back(std::move(item));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
}

// "window_in:tp=w.bin"; false: the text is something else.
bool ParseWindow(ArgumentSpec& spec) {
    const std::string_view text = spec.text;
    const size_t equals = text.find('=');
    const std::string_view head = text.substr(0, equals), word = head.substr(0, head.find(':'));
    if (word != "window_in" && word != "window_out") return false;
    spec.kind = ArgumentSpec::Kind::kWindow;
    if (equals == std::string_view::npos || equals + 1 == text.size())
        Fail(spec.text, fmt::format("the file is missing: {}=FILE", head));
    spec.group = word.size() == head.size() ? "world" : head.substr(word.size() + 1);
    (word == "window_in" ? spec.input : spec.output) = text.substr(equals + 1);
    return true;
}

// Why the text is no argument; `head`: what stands before its colon.
std::string NoForm(std::string_view text, std::string_view head) {
    if (Unsigned(text.substr(text.starts_with('-') ? 1 : 0)))
        return fmt::format("a number is given with its type, such as int32:{}; the forms of arguments are", text);
    if (!head.empty()) return fmt::format("'{}' is no type; the forms of arguments are", head);
    return "it has none of the forms of arguments, which are";
}

}  // namespace

std::optional<uint64_t> Unsigned(std::string_view s) {
    const bool hex = IsHex(s);
    if (hex) s.remove_prefix(2);
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value, hex ? 16 : 10);
    return error == std::errc{} && end == s.data() + s.size() && !s.empty() ? std::optional(value) : std::nullopt;
}

std::vector<const ArgumentSpec*> Arrays(const std::vector<ArgumentSpec>& arguments) {
    std::vector<const ArgumentSpec*> all;
    for (const ArgumentSpec& a : arguments) {
        if (a.kind != ArgumentSpec::Kind::kList) all.push_back(&a);
        for (const ArgumentSpec& item : a.items) all.push_back(&item);
    }
    return all;
}

const char* ArgumentForms() {
    return "  FILE.npy                     an array that the kernel reads, for a pointer to global memory (GM_ADDR)\n"
           "  DTYPE:FILE.npy               the same, for types that NumPy lacks (bfloat16:x.npy, int4:packed.npy)\n"
           "  out:DTYPE[SHAPE]=FILE.npy    an array that the kernel writes; FILE.npy is made (out:int32[16,32]=y.npy)\n"
           "  inout:IN.npy=OUT.npy         an array that the kernel reads and writes; OUT.npy is made\n"
           "  DTYPE:VALUE                  a number (uint32:512, float32:0.5, bool:true, int64:-1, "
           "uint8:0x1F)\n"
           "  list:ARRAY,ARRAY,...         several arrays as one list of tensors (ListTensorDesc)\n"
           "  workspace:BYTES              global memory that only the kernel uses\n"
           "  tiling:FILE                  a file's bytes in GM, or a struct by value\n"
           "  tiling-of:NAME(KEY=VALUE,...) the sizes that a tiling function of the host computes "
           "(tiling-of:matmul(m=64,n=64,k=64,a=half,"
           "b=half,c=float)); + joins several, and numbers\n"
           "with --ranks, where {rank} and {ranks} stand for numbers in every argument:\n"
           "  context[:GROUP]              the rank's context of the group (world), for a pointer to global memory\n"
           "  window_in[:GROUP]=FILE       no argument: bytes that the rank's window In holds at the beginning\n"
           "  window_out[:GROUP]=FILE      no argument: FILE gets what its window In holds at the end\n";
}

ArgumentSpec ParseArgument(const std::string& text) {
    ArgumentSpec spec;
    spec.text = text;
    const size_t colon = text.find(':');
    const std::string_view head = std::string_view(text).substr(0, colon);
    const std::string_view rest = colon == std::string::npos ? "" : std::string_view(text).substr(colon + 1);
    const bool has_head = colon != std::string::npos;
    if (ParseWindow(spec)) return spec;
    if (head == "context") {
        spec.kind = ArgumentSpec::Kind::kContext;
        spec.group = has_head ? rest : "world";
    } else if (has_head && head == "out") {
        spec.kind = ArgumentSpec::Kind::kOutput;
        ParseOutput(spec, rest);
    } else if (has_head && head == "inout") {
        spec.kind = ArgumentSpec::Kind::kInOut;
        ParseInOut(spec, rest);
    } else if (has_head && head == "list") {
        spec.kind = ArgumentSpec::Kind::kList;
        ParseList(spec, rest);
    } else if (has_head && head == "workspace") {
        spec.kind = ArgumentSpec::Kind::kWorkspace;
        const auto bytes = Unsigned(rest);
        if (!bytes) Fail(text, fmt::format("'{}' is no number of bytes: workspace:BYTES", rest));
        spec.bytes = *bytes;
    } else if (has_head && head == "tiling") {
        spec.kind = ArgumentSpec::Kind::kTiling;
        if (rest.empty()) Fail(text, "the file is missing: tiling:FILE");
        spec.input = rest;
    } else if (has_head && head == "tiling-of") {
        spec.kind = ArgumentSpec::Kind::kTiling;
        if (rest.empty()) Fail(text, "the tiling is missing: tiling-of:NAME(KEY=VALUE,...)");
        spec.tiling_of = rest;
    } else if (has_head && (spec.type = TypeNamed(head))) {
        if (rest.ends_with(".npy")) {
            spec.input = rest;
        } else {
            ParseValue(spec, head, rest);
        }
    } else if (text.ends_with(".npy")) {
        spec.input = text;
    } else {
        Fail(text, fmt::format("{}\n{}DTYPE is one of {}, bool", NoForm(text, has_head ? head : ""), ArgumentForms(),
                               TypeNames()));
    }
    return spec;
}

}  // namespace sfumato::command
