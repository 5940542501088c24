// SPDX-License-Identifier: Apache-2.0
// Reads the JSON of msopgen; what is wrong is said with its place.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "msopgen.h"
#include "sfumato/letters.h"
#include "sfumato/report.h"

namespace sfumato::command {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::map<std::string, std::string>;

const Words kTypes = {{"float16", "DT_FLOAT16"}, {"fp16", "DT_FLOAT16"},        {"half", "DT_FLOAT16"},
                      {"float", "DT_FLOAT"},     {"float32", "DT_FLOAT"},       {"fp32", "DT_FLOAT"},
                      {"bfloat16", "DT_BF16"},   {"bf16", "DT_BF16"},           {"int4", "DT_INT4"},
                      {"int8", "DT_INT8"},       {"int16", "DT_INT16"},         {"int32", "DT_INT32"},
                      {"int64", "DT_INT64"},     {"uint8", "DT_UINT8"},         {"uint16", "DT_UINT16"},
                      {"uint32", "DT_UINT32"},   {"uint64", "DT_UINT64"},       {"bool", "DT_BOOL"},
                      {"double", "DT_DOUBLE"},   {"complex64", "DT_COMPLEX64"}, {"complex128", "DT_COMPLEX128"}};
const Words kFormats = {
    {"ND", "FORMAT_ND"},           {"NCHW", "FORMAT_NCHW"},           {"NHWC", "FORMAT_NHWC"},
    {"NC1HWC0", "FORMAT_NC1HWC0"}, {"NCDHW", "FORMAT_NCDHW"},         {"NDHWC", "FORMAT_NDHWC"},
    {"NCL", "FORMAT_NCL"},         {"FRACTAL_Z", "FORMAT_FRACTAL_Z"}, {"FRACTAL_NZ", "FORMAT_FRACTAL_NZ"}};
const Words kParamTypes = {{"required", "REQUIRED"}, {"optional", "OPTIONAL"}, {"dynamic", "DYNAMIC"}};
const Words kAttrTypes = {
    {"int", "Int"},          {"float", "Float"},          {"bool", "Bool"},          {"string", "String"},
    {"list_int", "ListInt"}, {"list_float", "ListFloat"}, {"list_bool", "ListBool"}, {"list_list_int", "ListListInt"}};

std::string Keys(const Words& words) {
    std::vector<std::string> keys;
    for (const auto& [key, unused] : words) keys.push_back(key);
    return fmt::format("{}", fmt::join(keys, ", "));
}

bool IsIdentifier(const std::string& name) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !name.empty() && letter(name[0]) &&
           std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

// A value and where it stands.
class Place {
public:
    Place(const Json& value, std::string at) : value_(value), at_(std::move(at)) {}

    [[noreturn]] void Refuse(const std::string& message) const { throw Error(fmt::format("{}: {}", at_, message)); }

    Place Member(const char* key) const {
        if (!value_.is_object()) Refuse(fmt::format("is {}; legal: an object", Text()));
        if (!value_.contains(key)) Refuse(fmt::format("has no \"{}\"", key));
        return Place(value_[key], fmt::format("{}.{}", at_, key));
    }
    bool Has(const char* key) const { return value_.is_object() && value_.contains(key); }
    std::vector<Place> Elements() const {
        if (!value_.is_array()) Refuse(fmt::format("is {}; legal: a list", Text()));
        std::vector<Place> elements;
        for (size_t i = 0; i < value_.size(); ++i) elements.emplace_back(value_[i], fmt::format("{}[{}]", at_, i));
        return elements;
    }
    std::string String() const {
        if (!value_.is_string()) Refuse(fmt::format("is {}; legal: a string", Text()));
        return value_;
    }
    // `wanted`: what the name is of.
    std::string Identifier(const char* wanted) const {
        const std::string name = String();
        if (!IsIdentifier(name)) Refuse(fmt::format("\"{}\" cannot be the name of {}", name, wanted));
        return name;
    }
    std::string Word(const Words& words, bool any_case = false) const {
        const std::string word = any_case ? Lower(String()) : String();
        const auto it = words.find(word);
        if (it == words.end()) Refuse(fmt::format("is \"{}\"; legal: {}", String(), Keys(words)));
        return it->second;
    }
    const Json& value() const { return value_; }
    std::string Text() const { return value_.is_null() ? "null" : value_.dump(); }

private:
    const Json& value_;
    std::string at_;
};

std::vector<std::string> WordsOf(const Place& list, const Words& words, bool any_case) {
    std::vector<std::string> all;
    for (const Place& element : list.Elements()) all.push_back(element.Word(words, any_case));
    if (all.empty()) list.Refuse("is empty; legal: one or more");
    return all;
}

std::vector<GenTensor> Tensors(const Place& list, std::set<std::string>& names, size_t& columns) {
    std::vector<GenTensor> tensors;
    for (const Place& place : list.Elements()) {
        GenTensor t;
        t.name = place.Member("name").Identifier("a tensor");
        t.param_type = place.Member("param_type").Word(kParamTypes);
        t.types = WordsOf(place.Member("type"), kTypes, true);
        t.formats = WordsOf(place.Member("format"), kFormats, false);
        if (t.types.size() != t.formats.size()) {
            place.Refuse(fmt::format("has {} types and {} formats; legal: as many, a column of each", t.types.size(),
                                     t.formats.size()));
        }
        if (columns == 0) columns = t.types.size();
        if (t.types.size() != columns) {
            place.Refuse(
                fmt::format("has {} columns of types; legal: {}, as the tensors before", t.types.size(), columns));
        }
        if (!names.insert(t.name).second) place.Refuse(fmt::format("\"{}\" is the name of another", t.name));
        tensors.push_back(std::move(t));
    }
    return tensors;
}

// C++ of a default; a string may hold a number.
std::string Literal(const Place& place, const std::string& method) {
    Json value = place.value();
    if (value.is_string() && method != "String") {
        value = Json::parse(value.get<std::string>(), nullptr, false);
        if (value.is_discarded()) value = place.value();
    }
    const auto one = [&](const Json& v, const std::string& of) -> std::string {
        if (of == "Int" && v.is_number_integer()) return v.dump();
        if (of == "Float" && v.is_number()) return fmt::format("{:#}f", v.get<double>());
        if (of == "Bool" && v.is_boolean()) return v.get<bool>() ? "true" : "false";
        if (of == "String" && v.is_string()) return v.dump();
        place.Refuse(fmt::format("is {}; legal: a value for {}", place.Text(), method));
    };
    if (!method.starts_with("List")) return one(value, method);
    const auto list = [&](const Json& v, const std::string& of) {
        if (!v.is_array()) one(v, "");
        std::vector<std::string> words;
        for (const Json& element : v) words.push_back(one(element, of));
        return fmt::format("{{{}}}", fmt::join(words, ", "));
    };
    if (method != "ListListInt") return list(value, method.substr(4));
    if (!value.is_array()) one(value, "");
    std::vector<std::string> lists;
    for (const Json& element : value) lists.push_back(list(element, "Int"));
    return fmt::format("{{{}}}", fmt::join(lists, ", "));
}

GenAttr Attr(const Place& place) {
    GenAttr attr;
    attr.name = place.Member("name").Identifier("an attribute");
    static const Words kOnly = {{"required", "REQUIRED"}, {"optional", "OPTIONAL"}};
    attr.required = place.Member("param_type").Word(kOnly) == "REQUIRED";
    attr.method = place.Member("type").Word(kAttrTypes, true);
    if (!attr.required) attr.value = Literal(place.Member("default_value"), attr.method);
    return attr;
}

GenOperator Operator(const Place& place) {
    GenOperator op;
    op.name = place.Member("op").Identifier("an operator");
    if (op.name[0] < 'A' || op.name[0] > 'Z')
        place.Member("op").Refuse(fmt::format("\"{}\" does not begin with a capital letter", op.name));
    std::set<std::string> names;
    size_t columns = 0;
    if (place.Has("input_desc")) op.inputs = Tensors(place.Member("input_desc"), names, columns);
    // An output may be an input, too.
    std::set<std::string> outputs;
    op.outputs = Tensors(place.Member("output_desc"), outputs, columns);
    if (op.outputs.empty()) place.Member("output_desc").Refuse("is empty; legal: one or more");
    if (place.Has("attr")) {
        for (const Place& attr : place.Member("attr").Elements()) {
            op.attrs.push_back(Attr(attr));
            if (!names.insert(op.attrs.back().name).second)
                attr.Refuse(fmt::format("\"{}\" is the name of another", op.attrs.back().name));
        }
    }
    return op;
}

}  // namespace

std::vector<GenOperator> ReadOperators(const std::string& path) {
    std::ifstream in(path);
    if (!in) throw Error(fmt::format("{}: no such file, or it cannot be read", path));
    Json document;
    try {
        document = Json::parse(in);
    } catch (const Json::parse_error& error) {
        const std::string text = error.what();
        const size_t at = text.find("parse error");
        throw Error(fmt::format("{}: {}", path, at == text.npos ? text : text.substr(at)));
    }
    std::vector<GenOperator> operators;
    std::set<std::string> names;
    // One operator may stand without the list.
    const Place whole(document, path + (document.is_array() ? ": " : ""));
    if (document.is_object()) return {Operator(whole)};
    for (const Place& place : whole.Elements()) {
        operators.push_back(Operator(place));
        if (!names.insert(operators.back().name).second)
            place.Refuse(fmt::format("\"{}\" is the name of another", operators.back().name));
    }
    if (operators.empty()) throw Error(fmt::format("{}: the list holds no operator", path));
    return operators;
}

}  // namespace sfumato::command
