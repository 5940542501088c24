// SPDX-License-Identifier: Apache-2.0
// Appends content, names and headers of the sections (System V ABI): what the file has stays where it is.
#include "jit/add_section.h"

#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "jit/source_file.h"
#include "sfumato/report.h"

namespace sfumato::jit {
namespace fs = std::filesystem;

void AddSection(const std::string& path, std::string_view name, std::string_view content) {
    std::string bytes = ReadText(path).value_or("");
    const auto refuse = [&](const char* what) { throw Error(fmt::format("{}: {}", path, what)); };
    Elf64_Ehdr header{};
    if (bytes.size() < sizeof header) refuse("it is no ELF file");
    std::memcpy(&header, bytes.data(), sizeof header);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB) {
        refuse("it is no 64-bit little-endian ELF file");
    }
    const size_t count = header.e_shnum, table = count * sizeof(Elf64_Shdr);
    // Files with more sections count them elsewhere.
    if (count == 0 || count + 1 >= SHN_LORESERVE || header.e_shstrndx >= count || header.e_shoff > bytes.size() ||
        bytes.size() - header.e_shoff < table) {
        refuse("its table of sections cannot take one more");
    }
    std::vector<Elf64_Shdr> sections(count);
    std::memcpy(sections.data(), bytes.data() + header.e_shoff, table);
    Elf64_Shdr& names = sections[header.e_shstrndx];
    if (names.sh_offset > bytes.size() || bytes.size() - names.sh_offset < names.sh_size)
        refuse("the names of its sections lie outside of it");

    Elf64_Shdr added{};
    added.sh_name = static_cast<Elf64_Word>(names.sh_size);
    added.sh_type = SHT_PROGBITS;
    added.sh_addralign = 1;
    added.sh_offset = bytes.size();
    added.sh_size = content.size();
    bytes += content;
    const std::string all_names = bytes.substr(names.sh_offset, names.sh_size) + std::string(name) + '\0';
    names.sh_offset = bytes.size();
    names.sh_size = all_names.size();
    bytes += all_names;
    bytes.resize((bytes.size() + 7) / 8 * 8);
    sections.push_back(added);
    header.e_shoff = bytes.size();
    header.e_shnum = static_cast<Elf64_Half>(sections.size());
    bytes.append(reinterpret_cast<const char*>(sections.data()), sections.size() * sizeof(Elf64_Shdr));
    std::memcpy(bytes.data(), &header, sizeof header);

    const std::string made = path + ".sfumato";
    std::error_code error;
    std::ofstream out(made, std::ios::binary);
    out << bytes;
    if (!out.flush()) {
        fs::remove(made, error);
        refuse("it cannot be written again");
    }
    out.close();
    fs::permissions(made, fs::status(path).permissions(), error);
    fs::rename(made, path, error);
    if (error) refuse("it cannot be exchanged");
}

}  // namespace sfumato::jit
