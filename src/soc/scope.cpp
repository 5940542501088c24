// SPDX-License-Identifier: Apache-2.0
// Tables and values of chip files, with errors that say file and line.
#include "soc/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "soc/reader.h"
#include "soc/tags.h"

namespace sfumato::soc {
namespace {

template <typename T>
T Get(const toml::node& node, std::string_view key, const char* expected) {
    const auto value = node.value_exact<T>();
    if (!value) Fail(node.source(), fmt::format("'{}' must be {}", key, expected));
    return *value;
}

}  // namespace

void Fail(const toml::source_region& where, const std::string& what) {
    throw Error(fmt::format("internal error in the chip data: {}:{}: {}", where.path ? *where.path : std::string("?"),
                            where.begin.line, what));
}

std::string ReadText(const toml::node& node, std::string_view key) { return Get<std::string>(node, key, "a string"); }

uint32_t ReadInteger(const toml::node& node, std::string_view key) {
    const int64_t value = Get<int64_t>(node, key, "an integer");
    if (value < 0 || value > UINT32_MAX) Fail(node.source(), fmt::format("'{}' must fit 32 bits without sign", key));
    return static_cast<uint32_t>(value);
}

const toml::table& ReadTable(const toml::node& node, std::string_view key) {
    if (!node.is_table()) Fail(node.source(), fmt::format("'{}' must be a table", key));
    return *node.as_table();
}

const toml::array& ReadArray(const toml::node& node, std::string_view key) {
    if (!node.is_array()) Fail(node.source(), fmt::format("'{}' must be an array", key));
    return *node.as_array();
}

isa::Memory FindMemory(std::string_view name) {
    for (int i = static_cast<int>(isa::Memory::kGm); i <= static_cast<int>(isa::Memory::kFb); ++i) {
        if (name == isa::Name(static_cast<isa::Memory>(i))) return static_cast<isa::Memory>(i);
    }
    return isa::Memory::kNone;
}

DataType ReadType(const toml::node& node, isa::Api api) {
    const std::string name = ReadText(node, "type");
    DataType type;
    if (!ParseType(name, api, &type)) Fail(node.source(), fmt::format("unknown type '{}'", name));
    return type;
}

isa::Opcode ReadOpcode(const toml::key& key, isa::Api api, std::string_view table) {
    const std::string_view name = key.str();
    for (int i = 0; i < isa::kOpcodeCount; ++i) {
        const isa::Opcode op = static_cast<isa::Opcode>(i);
        if (name == (api == isa::Api::kAscendC ? isa::AscendCKey(op) : isa::TikKey(op))) return op;
    }
    Fail(key.source(), fmt::format("{}: unknown instruction '{}'", table, name));
}

const toml::node* Scope::Find(std::string_view key) {
    const toml::node* node = table_.get(key);
    if (node != nullptr) used_.push_back(node);
    return node;
}

const toml::node& Scope::Need(std::string_view key) {
    const toml::node* node = Find(key);
    if (node == nullptr) Fail(table_.source(), fmt::format("{}: missing key '{}'", name_, key));
    return *node;
}

void Scope::Done() const {
    for (auto&& [key, node] : table_) {
        if (std::find(used_.begin(), used_.end(), &node) == used_.end()) {
            Fail(key.source(), fmt::format("{}: unknown key '{}'", name_, key.str()));
        }
    }
}

std::string Scope::Text(std::string_view key, const char* otherwise) {
    const toml::node* node = Find(key);
    return node != nullptr ? ReadText(*node, key) : otherwise;
}

bool Scope::Flag(std::string_view key, bool otherwise) {
    const toml::node* node = Find(key);
    return node != nullptr ? Get<bool>(*node, key, "true or false") : otherwise;
}

uint32_t Scope::Integer(std::string_view key, uint32_t otherwise) {
    const toml::node* node = Find(key);
    return node != nullptr ? ReadInteger(*node, key) : otherwise;
}

const toml::array& Scope::ArrayOrNone(std::string_view key) {
    static const toml::array none;
    const toml::node* node = Find(key);
    return node != nullptr ? ReadArray(*node, key) : none;
}

std::string Scope::ReadTag() {
    std::string tag = Text("tag");
    if (!IsTag(tag)) Fail(Need("tag").source(), fmt::format("unknown tag '{}'", tag));
    return tag;
}

Claim Scope::ReadClaim() {
    std::string tag = ReadTag();
    return {std::move(tag), Text("source")};
}

}  // namespace sfumato::soc
