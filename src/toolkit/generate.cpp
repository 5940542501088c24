// SPDX-License-Identifier: Apache-2.0
// Texts of operators from their definitions.
#include "toolkit/generate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include "jit/source_file.h"
#include "soc/chip.h"
#include "toolkit/aclnn_source.h"
#include "toolkit/operator_texts.h"

namespace sfumato::toolkit {
namespace fs = std::filesystem;
namespace {

// What the project includes from beside it is not packed, and found where it is.
std::string OutsideFolders(const op::Project& project) {
    std::string flags;
    const std::string own = fs::absolute(project.folder).lexically_normal().string();
    for (const std::string& dir : project.include_dirs) {
        const std::string path = fs::absolute(dir).lexically_normal().string();
        if (!path.starts_with(own)) flags += " -I" + path;
    }
    return flags;
}

std::string FileOf(const std::string& op) { return "aclnn_" + op::SnakeName(op); }

}  // namespace

std::string ProductOf(const std::string& unit) {
    const char* set = std::getenv("SFUMATO_CHIP");
    std::vector<std::string> products;
    if (set && *set) products.emplace_back(set);
    for (const soc::Chip& family : soc::Families()) {
        products.push_back(soc::FindChip(family.name).product);
        for (const soc::Product& p : family.products) products.push_back(p.name);
    }
    for (const std::string& product : products) {
        const soc::Chip& chip = soc::FindChip(product);
        if (chip.ascendc && op::ConfigWord(product) == unit) return chip.product;
    }
    return "";
}

std::string KnownUnits() {
    std::set<std::string> units;
    for (const soc::Chip& c : soc::Families()) {
        for (const soc::Product& p : c.products) {
            if (c.ascendc) units.insert(op::ConfigWord(p.name));
        }
    }
    return fmt::format("{}", fmt::join(units, ", "));
}

void CompileKernels(const std::string& folder, const std::string& op, const std::string& chip,
                    const ChosenOptions& chosen, std::optional<size_t> column) {
    op::LoadOptions load;
    load.folder = folder;
    load.chip = chip;
    load.op = op;
    load.strict = false;
    std::istringstream flags(chosen.flags);
    for (std::string flag; flags >> flag;) load.flags.push_back(flag);
    const auto loaded = op::Operator::Load(load);
    // Which keys there are only the tiling knows.
    if (loaded->origin().key_decides) return;
    for (size_t c = 0; c < loaded->definition().columns; ++c) {
        if (column && c != *column) continue;
        op::Call call;
        call.chip = loaded->chip();
        call.column = c;
        loaded->CompileKernel(call, {});
    }
}

void Generator::Add(const op::Project& project, const op::HostLibrary& library, const std::vector<std::string>& names,
                    const std::vector<KernelOptions>& options, const std::vector<std::string>& chips) {
    const PackedProject packed = Pack(project.folder);
    for (const std::string& name : names) {
        std::vector<std::string> candidates = chips, units = library.Units(name);
        for (const std::string& unit : units) candidates.push_back(ProductOf(unit));
        const auto runs = [&](const std::string& chip) { return !chip.empty() && library.HasUnit(name, chip); };
        const auto chip = std::ranges::find_if(candidates, runs);
        if (chip == candidates.end() && !units.empty()) {
            notes_ += fmt::format("note: {} is left out: its AddConfig names {}; legal: {}\n", name,
                                  fmt::join(units, ", "), KnownUnits());
            continue;
        }
        // Without any AddConfig this says so.
        const op::Definition definition =
            library.DefinitionFor(name, chip == candidates.end() ? ProductOf("ascend910b") : *chip, false);
        const ChosenOptions chosen = Choose(options, name, op::ConfigWord(*chip));
        for (const std::string& word : chosen.ignored)
            notes_ += fmt::format("note: {}: the option {} means nothing here\n", name, word);
        const std::string first = library.HasUnit(name, soc::kDefaultChip) ? soc::kDefaultChip : *chip;
        const AclnnText text =
            WriteAclnn(definition, first, packed, chosen.flags + OutsideFolders(project), chosen.auto_sync);
        jit::WriteText(folder_ / (FileOf(name) + ".h"), text.header);
        jit::WriteText(folder_ / (FileOf(name) + ".cpp"), text.source);
        operators_.push_back(name);
        definitions_.push_back(definition);
        AddUnits(library, name, definition);
    }
}

// Also of units that nothing here runs: what reads the files wants one for each.
void Generator::AddUnits(const op::HostLibrary& library, const std::string& name, const op::Definition& any) {
    for (const std::string& unit : library.Units(name)) {
        const std::string product = ProductOf(unit);
        infos_[unit] += InfoText(product.empty() ? any : library.DefinitionFor(name, product, false));
    }
}

void Generator::Finish() {
    for (const auto& [unit, text] : infos_) jit::WriteText(folder_ / fmt::format("aic-{}-ops-info.ini", unit), text);
    jit::WriteText(folder_ / "op_proto.h", PrototypeHeader(definitions_));
    jit::WriteText(folder_ / "op_proto.cc", PrototypeSource());
}

std::vector<fs::path> Generator::Files(const char* suffix) const {
    std::vector<fs::path> files;
    for (const std::string& name : operators_) files.push_back(folder_ / (FileOf(name) + suffix));
    return files;
}

}  // namespace sfumato::toolkit
