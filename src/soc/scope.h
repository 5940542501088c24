// SPDX-License-Identifier: Apache-2.0
// Reading chip files: every key is known or refused, so that a misspelt one cannot go unnoticed. Internal to src/soc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "soc/chip.h"

namespace sfumato::soc {

// Throws Error with file and line.
[[noreturn]] void Fail(const toml::source_region& where, const std::string& what);

// Values of a node; `key` names it in errors.
std::string ReadText(const toml::node& node, std::string_view key);
uint32_t ReadInteger(const toml::node& node, std::string_view key);
const toml::table& ReadTable(const toml::node& node, std::string_view key);
const toml::array& ReadArray(const toml::node& node, std::string_view key);

// A memory by its name in reports; kNone when there is none of that name.
isa::Memory FindMemory(std::string_view name);
DataType ReadType(const toml::node& node, isa::Api api);

// A table whose keys are counted off; Done() refuses what nobody asked for.
class Scope {
public:
    Scope(const toml::table& table, std::string_view name) : table_(table), name_(name) {}
    const toml::node* Find(std::string_view key);
    const toml::node& Need(std::string_view key);
    void Done() const;

    std::string Text(std::string_view key) { return ReadText(Need(key), key); }
    std::string Text(std::string_view key, const char* otherwise);
    bool Flag(std::string_view key, bool otherwise);
    uint32_t Integer(std::string_view key) { return ReadInteger(Need(key), key); }
    uint32_t Integer(std::string_view key, uint32_t otherwise);
    const toml::table& Table(std::string_view key) { return ReadTable(Need(key), key); }
    const toml::array& Array(std::string_view key) { return ReadArray(Need(key), key); }
    // Empty when the key is absent.
    const toml::array& ArrayOrNone(std::string_view key);
    // The keys `tag` and `source`.
    std::string ReadTag();  // a word of soc/tags.h
    Claim ReadClaim();
    DataType Type(std::string_view key, isa::Api api) { return ReadType(Need(key), api); }

private:
    const toml::table& table_;
    std::string name_;
    std::vector<const toml::node*> used_;
};

// reader_cube.cpp: paths, and what the cube unit and the ways out of L0C take. `api` is the table [ascendc] or [tik].
void ReadUnlisted(const toml::array& list, Chip& chip);
void ReadHighLevel(const toml::array& calls, const toml::array& uses, Chip& chip);
void ReadPaths(const toml::table& table, Chip& chip, isa::Api api);
void ReadMmad(Scope& api_scope, Chip& chip, isa::Api api);
void ReadCube(Scope& top, Chip& chip);
// reader_timing.cpp: the table [timing].
void ReadTiming(Scope& top, Chip& chip);

// The instruction of a key of [*.types] or [*.paths] (isa::AscendCKey, isa::TikKey).
isa::Opcode ReadOpcode(const toml::key& key, isa::Api api, std::string_view table);

}  // namespace sfumato::soc
