// SPDX-License-Identifier: Apache-2.0
// Reads sections, symbols and relocations of an ELF file (System V ABI) into a graph.
#include "runtime/code/code_graph.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>

#include "runtime/code/source_lines.h"

namespace sfumato::runtime {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

// What S + A lacks to be the address meant: x86-64 counts from the end of the operand.
uint64_t Bias(uint16_t machine, uint32_t type) {
    if (machine != EM_X86_64) return 0;
    switch (type) {
        case R_X86_64_PC32:
        case R_X86_64_PLT32:
        case R_X86_64_GOTPCREL:
        case R_X86_64_GOTPCRELX:
        case R_X86_64_REX_GOTPCRELX: return 4;
        default: return 0;
    }
}

}  // namespace

class CodeGraph::Reader {
public:
    explicit Reader(std::string bytes) : bytes_(std::move(bytes)) {}

    std::optional<CodeGraph> Run() {
        if (!Open()) return std::nullopt;
        const uint32_t all = SectionOf(SHT_SYMTAB), dynamic = SectionOf(SHT_DYNSYM);
        if (all != kNone && ReadSymbols(all)) {
            AddParts();
            if (ReadRelocations(all)) return std::move(graph_);
        }
        graph_ = CodeGraph();
        if (dynamic == kNone || !ReadSymbols(dynamic)) return std::nullopt;
        for (size_t i = 0; i < symbol_count_; ++i) Import(i);
        return std::move(graph_);
    }

    std::string FunctionAt(uint64_t address) {
        if (!Open()) return "";
        for (const uint32_t type : {SHT_SYMTAB, SHT_DYNSYM}) {
            const uint32_t section = SectionOf(type);
            if (section == kNone || !ReadSymbols(section)) continue;
            for (size_t i = 0; i < symbol_count_; ++i) {
                const Elf64_Sym& s = symbols_[i];
                if (s.st_value == address && ELF64_ST_TYPE(s.st_info) == STT_FUNC && s.st_shndx != SHN_UNDEF)
                    return std::string(NameOf(s));
            }
        }
        return "";
    }

    // Of every symbol of a function that the file defines.
    std::vector<Constant> Functions() {
        std::vector<Constant> found;
        if (!Open() || SectionOf(SHT_SYMTAB) == kNone || !ReadSymbols(SectionOf(SHT_SYMTAB))) return found;
        for (size_t i = 0; i < symbol_count_; ++i) {
            const Elf64_Sym& s = symbols_[i];
            if (ELF64_ST_TYPE(s.st_info) == STT_FUNC && s.st_shndx != SHN_UNDEF && s.st_size > 0)
                found.push_back({std::string(NameOf(s)), AddressOf(s), s.st_size});
        }
        return found;
    }

    std::optional<std::string> ContentOf(std::string_view section) {
        if (!Open() || header_->e_shstrndx >= header_->e_shnum) return std::nullopt;
        const Elf64_Shdr& names = sections_[header_->e_shstrndx];
        for (uint32_t i = 0; i < header_->e_shnum; ++i) {
            const Elf64_Shdr& s = sections_[i];
            const char *name = nullptr, *content = nullptr;
            if (s.sh_name >= names.sh_size || !View(names.sh_offset, names.sh_size, &name)) continue;
            if (name[names.sh_size - 1] != '\0' || section != name + s.sh_name) continue;
            if (View(s.sh_offset, s.sh_size, &content)) return std::string(content, s.sh_size);
        }
        return std::nullopt;
    }

    std::vector<Constant> Constants(const std::set<std::string>& names) {
        std::vector<Constant> found;
        if (!Open() || SectionOf(SHT_SYMTAB) == kNone || !ReadSymbols(SectionOf(SHT_SYMTAB))) return found;
        for (size_t i = 0; i < symbol_count_; ++i) {
            const Elf64_Sym& s = symbols_[i];
            if (ELF64_ST_TYPE(s.st_info) != STT_OBJECT || s.st_size == 0 || s.st_shndx >= header_->e_shnum) continue;
            if ((sections_[s.st_shndx].sh_flags & SHF_WRITE) && !IsConstant(s.st_value)) continue;
            for (const std::string& name : names) {
                if (HasName(NameOf(s), name)) found.push_back({name, s.st_value, s.st_size});
            }
        }
        return found;
    }

private:
    // Whether a symbol is of something of this name, in any scope: "(anonymous namespace)::kTable", "kernel()::kTable".
    static bool HasName(std::string_view mangled, const std::string& name) {
        if (mangled.find(name) == std::string_view::npos) return false;
        const std::string whole = Demangled(std::string(mangled).c_str());
        return whole == name || whole.ends_with("::" + name);
    }

    bool Open() {
        if (!View(0, 1, &header_) || std::memcmp(header_->e_ident, ELFMAG, SELFMAG) != 0 ||
            header_->e_ident[EI_CLASS] != ELFCLASS64 || header_->e_ident[EI_DATA] != ELFDATA2LSB ||
            !View(header_->e_shoff, header_->e_shnum, &sections_)) {
            return false;
        }
        LayOut();
        return true;
    }

    // Sections of an object file have no addresses yet, and all in it counts from their beginnings: they get some here.
    void LayOut() {
        begins_.clear();
        uint64_t next = 16;
        for (uint32_t i = 0; i < header_->e_shnum; ++i) {
            const Elf64_Shdr& s = sections_[i];
            const bool lies = header_->e_type == ET_REL && (s.sh_flags & SHF_ALLOC);
            begins_.push_back(lies ? next : s.sh_addr);
            if (lies) next += (s.sh_size + 31) / 16 * 16;
        }
    }
    uint64_t AddressOf(const Elf64_Sym& s) const {
        const bool counts = header_->e_type == ET_REL && s.st_shndx < header_->e_shnum;
        return s.st_value + (counts ? begins_[s.st_shndx] : 0);
    }

    template <class T>
    bool View(uint64_t offset, uint64_t count, const T** to) const {
        if (offset > bytes_.size() || count > (bytes_.size() - offset) / sizeof(T)) return false;
        *to = reinterpret_cast<const T*>(bytes_.data() + offset);
        return reinterpret_cast<uintptr_t>(*to) % alignof(T) == 0;
    }

    uint32_t SectionOf(uint32_t type) const {
        for (uint32_t i = 0; i < header_->e_shnum; ++i) {
            if (sections_[i].sh_type == type) return i;
        }
        return kNone;
    }

    bool ReadSymbols(uint32_t section) {
        const Elf64_Shdr& s = sections_[section];
        if (s.sh_link >= header_->e_shnum) return false;
        const Elf64_Shdr& names = sections_[s.sh_link];
        symbol_count_ = s.sh_size / sizeof(Elf64_Sym);
        return View(s.sh_offset, symbol_count_, &symbols_) && View(names.sh_offset, names.sh_size, &names_) &&
               names.sh_size > 0 && names_[names.sh_size - 1] == '\0' && (names_size_ = names.sh_size, true);
    }

    std::string_view NameOf(const Elf64_Sym& s) const { return s.st_name < names_size_ ? names_ + s.st_name : ""; }

    // An imported function's number.
    uint32_t Import(size_t symbol) {
        const Elf64_Sym& s = symbols_[symbol];
        if (s.st_shndx != SHN_UNDEF || s.st_name == 0) return kNone;
        const std::string_view name = NameOf(s);
        const auto [it, is_new] = numbers_.try_emplace(name.substr(0, name.find('@')), graph_.imports_.size());
        if (is_new) graph_.imports_.emplace_back(it->first);
        return it->second;
    }

    // Memory that relocations alone write: constants with addresses in them.
    bool IsConstant(uint64_t address) const {
        const Elf64_Phdr* segments = nullptr;
        if (!View(header_->e_phoff, header_->e_phnum, &segments)) return false;
        for (uint32_t i = 0; i < header_->e_phnum; ++i) {
            const Elf64_Phdr& p = segments[i];
            if (p.p_type == PT_GNU_RELRO && address >= p.p_vaddr && address - p.p_vaddr < p.p_memsz) return true;
        }
        return false;
    }

    // Its number, if code may write the object.
    uint32_t AddVariable(const Elf64_Sym& s) {
        const bool local = ELF64_ST_TYPE(s.st_info) == STT_TLS;
        if (s.st_shndx >= header_->e_shnum || !(sections_[s.st_shndx].sh_flags & SHF_WRITE)) return kNone;
        if (!local && (ELF64_ST_TYPE(s.st_info) != STT_OBJECT || IsConstant(s.st_value))) return kNone;
        graph_.variables_.push_back({std::string(NameOf(s)), s.st_size, local});
        return static_cast<uint32_t>(graph_.variables_.size() - 1);
    }

    void AddParts() {
        std::map<std::string_view, uint64_t> functions;
        for (size_t i = 0; i < symbol_count_; ++i) {
            const Elf64_Sym& s = symbols_[i];
            const auto type = ELF64_ST_TYPE(s.st_info);
            if (type == STT_TLS && s.st_shndx != SHN_UNDEF) {
                // Its value is an offset, no address.
                locals_.try_emplace(s.st_value, static_cast<uint32_t>(graph_.parts_.size()));
                graph_.parts_.push_back({0, 0, {}, {}, AddVariable(s)});
                continue;
            }
            const bool holds = type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT;
            if (!holds || s.st_shndx == SHN_UNDEF || s.st_size == 0) continue;
            const uint64_t begin = AddressOf(s);
            if (type == STT_FUNC) functions.emplace(NameOf(s), begin);
            const auto [it, is_new] = graph_.by_begin_.try_emplace(begin, static_cast<uint32_t>(graph_.parts_.size()));
            if (is_new) {
                graph_.parts_.push_back({begin, begin + s.st_size, {}, {}, AddVariable(s)});
            } else {
                Part& known = graph_.parts_[it->second];
                known.end = std::max(known.end, begin + s.st_size);
            }
        }
        for (uint32_t i = 0; i < header_->e_shnum; ++i) {
            const Elf64_Shdr& s = sections_[i];
            if (!(s.sh_flags & SHF_ALLOC) || (s.sh_flags & SHF_TLS)) continue;
            graph_.sections_.push_back(static_cast<uint32_t>(graph_.parts_.size()));
            graph_.parts_.push_back({begins_[i], begins_[i] + s.sh_size, {}, {}, kNone});
        }
        // Jump tables lead from a function into what the compiler split off it.
        for (const auto& [name, address] : functions) {
            const size_t cold = name.rfind(".cold");
            const auto hot = cold == std::string_view::npos ? functions.end() : functions.find(name.substr(0, cold));
            if (hot != functions.end()) {
                graph_.parts_[graph_.by_begin_[hot->second]].parts.push_back(graph_.by_begin_[address]);
            }
        }
    }

    // False when the linker kept none of code.
    bool ReadRelocations(uint32_t symbol_table) {
        for (uint32_t i = 0; i < header_->e_shnum; ++i) {
            const Elf64_Shdr& s = sections_[i];
            if (s.sh_type != SHT_RELA || s.sh_link != symbol_table || s.sh_info >= header_->e_shnum) continue;
            const Elf64_Shdr& target = sections_[s.sh_info];
            const Elf64_Rela* relocations = nullptr;
            const uint64_t count = s.sh_size / sizeof(Elf64_Rela);
            if (!(target.sh_flags & SHF_ALLOC) || !View(s.sh_offset, count, &relocations)) continue;
            graph_.precise_ = graph_.precise_ || (target.sh_flags & SHF_EXECINSTR);
            // Read-only data of position-independent code holds no pointers: these are jump tables and unwind tables.
            if (!(target.sh_flags & (SHF_EXECINSTR | SHF_WRITE))) continue;
            const uint64_t counted_from = header_->e_type == ET_REL ? begins_[s.sh_info] : 0;
            for (uint64_t r = 0; r < count; ++r) Add(relocations[r], counted_from);
        }
        return graph_.precise_;
    }

    void Add(const Elf64_Rela& r, uint64_t counted_from) {
        const uint64_t symbol = ELF64_R_SYM(r.r_info);
        const uint32_t from = graph_.PartAt(counted_from + r.r_offset);
        if (from == kNone || symbol == 0 || symbol >= symbol_count_) return;
        const Elf64_Sym& s = symbols_[symbol];
        if (s.st_shndx == SHN_UNDEF) {
            if (const uint32_t import = Import(symbol); import != kNone) {
                graph_.parts_[from].imports.push_back(import);
            }
            return;
        }
        if (ELF64_ST_TYPE(s.st_info) == STT_TLS) {
            if (const auto it = locals_.find(s.st_value); it != locals_.end())
                graph_.parts_[from].parts.push_back(it->second);
            return;
        }
        uint64_t address = AddressOf(s);
        if (ELF64_ST_TYPE(s.st_info) == STT_SECTION) {
            const auto type = static_cast<uint32_t>(ELF64_R_TYPE(r.r_info));
            address += static_cast<uint64_t>(r.r_addend) + Bias(header_->e_machine, type);
        }
        const uint32_t to = graph_.PartAt(address);
        if (to != kNone && to != from) graph_.parts_[from].parts.push_back(to);
    }

    const std::string bytes_;
    const Elf64_Ehdr* header_ = nullptr;
    const Elf64_Shdr* sections_ = nullptr;
    const Elf64_Sym* symbols_ = nullptr;
    std::vector<uint64_t> begins_;  // addresses of the sections
    const char* names_ = nullptr;
    uint64_t symbol_count_ = 0, names_size_ = 0;
    std::map<std::string_view, uint32_t> numbers_;
    std::map<uint64_t, uint32_t> locals_;  // parts of thread_local variables, by their offset
    CodeGraph graph_;
};

namespace {

std::string Bytes(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream content;
    content << in.rdbuf();
    return std::move(content).str();
}

}  // namespace

std::optional<CodeGraph> CodeGraph::Read(const std::string& path) { return Reader(Bytes(path)).Run(); }
std::string CodeGraph::FunctionAt(const std::string& path, uint64_t address) {
    return Reader(Bytes(path)).FunctionAt(address);
}
std::vector<CodeGraph::Constant> CodeGraph::FunctionsIn(const std::string& path) {
    return Reader(Bytes(path)).Functions();
}
std::optional<std::string> CodeGraph::ContentOf(const std::string& path, std::string_view section) {
    return Reader(Bytes(path)).ContentOf(section);
}
std::vector<CodeGraph::Constant> CodeGraph::ConstantsIn(const std::string& path, const std::set<std::string>& names) {
    return Reader(Bytes(path)).Constants(names);
}

uint32_t CodeGraph::PartAt(uint64_t address) const {
    const auto after = by_begin_.upper_bound(address);
    if (after != by_begin_.begin()) {
        const uint32_t part = std::prev(after)->second;
        if (address < parts_[part].end) return part;
    }
    for (const uint32_t part : sections_) {
        if (parts_[part].begin <= address && address < parts_[part].end) return part;
    }
    return kNone;
}

template <class Visit>
void CodeGraph::Walk(uint64_t address, const Visit& visit_part) const {
    std::vector<bool> seen(parts_.size());
    std::vector<uint32_t> open;
    const auto visit = [&](uint32_t part) {
        if (part == kNone || seen[part]) return;
        seen[part] = true;
        open.push_back(part);
    };
    visit(PartAt(address));
    while (!open.empty()) {
        const Part& part = parts_[open.back()];
        open.pop_back();
        visit_part(part);
        for (const uint32_t next : part.parts) visit(next);
    }
}

std::set<std::string> CodeGraph::ReachedFrom(uint64_t address) const {
    if (!precise_) return {imports_.begin(), imports_.end()};
    std::set<std::string> reached;
    Walk(address, [&](const Part& part) {
        for (const uint32_t import : part.imports) reached.insert(imports_[import]);
    });
    return reached;
}

std::vector<CodeGraph::Variable> CodeGraph::VariablesFrom(uint64_t address) const {
    std::vector<Variable> reached;
    if (!precise_) return reached;
    Walk(address, [&](const Part& part) {
        if (part.variable != kNone) reached.push_back(variables_[part.variable]);
    });
    std::ranges::sort(reached, [](const Variable& a, const Variable& b) { return a.name < b.name; });
    return reached;
}

}  // namespace sfumato::runtime
