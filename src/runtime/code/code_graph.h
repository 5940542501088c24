// SPDX-License-Identifier: Apache-2.0
// Which functions of other modules the code of a loaded ELF module can reach from an address, told by the relocations
// that a linker keeps with --emit-relocs. With one section a function (-ffunction-sections) every call and every
// address taken has one; pointers stored in data count as calls by whoever refers to the data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato::runtime {

class CodeGraph {
public:
    // Of a 64-bit little-endian module; nothing when the file is none or has no dynamic symbols. Of an object file,
    // too, if its code has relocations; its addresses are then those of FunctionsIn.
    static std::optional<CodeGraph> Read(const std::string& path);

    // The mangled name of the function that begins at `address` (as in the file); empty where no symbol tells it.
    static std::string FunctionAt(const std::string& path, uint64_t address);

    // Mangled names of other modules' functions that code at `address` (as in the file) can reach. Without kept
    // relocations or symbols: all that the module imports, and `precise` is false.
    std::set<std::string> ReachedFrom(uint64_t address) const;
    bool precise() const { return precise_; }

    struct Variable {
        std::string name;  // mangled
        uint64_t bytes = 0;
        bool is_thread_local = false;
        bool operator==(const Variable&) const = default;
    };
    // Variables of this module that the code can reach and could write, in the order of their names. Without kept
    // relocations: none.
    std::vector<Variable> VariablesFrom(uint64_t address) const;

    struct Constant {
        std::string name;      // as the source has it
        uint64_t address = 0;  // as in the file
        uint64_t bytes = 0;
    };
    // The objects of these names that code cannot write, in any scope; none where the file has no symbols.
    static std::vector<Constant> ConstantsIn(const std::string& path, const std::set<std::string>& names);
    // The functions the file defines, by their mangled names; none where it has no symbols.
    static std::vector<Constant> FunctionsIn(const std::string& path);
    // The bytes of a section by its name; nothing where the file has none.
    static std::optional<std::string> ContentOf(const std::string& path, std::string_view section);

private:
    struct Part {  // a function, an object, or what of a section belongs to none
        uint64_t begin, end;
        std::vector<uint32_t> parts;  // it refers to
        std::vector<uint32_t> imports;
        uint32_t variable = UINT32_MAX;
    };
    class Reader;

    // Calls `visit` once for each part that code at `address` reaches.
    template <class Visit>
    void Walk(uint64_t address, const Visit& visit) const;

    uint32_t PartAt(uint64_t address) const;

    std::vector<std::string> imports_;
    std::vector<Part> parts_;                // functions and objects by address, then sections
    std::map<uint64_t, uint32_t> by_begin_;  // of functions and objects
    std::vector<Variable> variables_;
    std::vector<uint32_t> sections_;  // parts of whole sections
    bool precise_ = false;
};

}  // namespace sfumato::runtime
