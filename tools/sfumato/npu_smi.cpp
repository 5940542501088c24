// SPDX-License-Identifier: Apache-2.0
// `sfumato npu-smi info`: the one device that programs see, in the tables that scripts read.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "findings.h"
#include "options.h"
#include "output.h"
#include "sfumato/environment.h"
#include "system/memory.h"

namespace sfumato::command {
namespace {

// "910B1": the product without its first word.
std::string DeviceName() {
    const char* set = std::getenv("SFUMATO_CHIP");
    const std::string asked = set && *set ? set : "Ascend910B1";
    const ChipInfo chip = ChipOf(asked);
    const std::string product = asked == chip.name ? chip.products.front().name : asked;
    return product.starts_with("Ascend") ? product.substr(6) : product;
}

// This machine's, which is what the device's memory is of.
uint64_t MemoryMegabytes() { return system::TotalMemory() >> 20; }

std::string Overview() {
    const std::string rule = fmt::format("+{:-<27}+{:-<15}+{:-<52}+\n", "", "", "");
    const std::string double_rule = fmt::format("+{:=<27}+{:=<15}+{:=<52}+\n", "", "", "");
    const auto row = [](const std::string& a, const std::string& b, const std::string& c) {
        return fmt::format("| {:<26}| {:<14}| {:<51}|\n", a, b, c);
    };
    const auto last = [](const std::string& a, const std::string& b, const std::string& c) {
        return fmt::format("{:<12}{:<18}{}", a, b, c);
    };
    return fmt::format("+{:-<96}+\n| {:<95}|\n", "", "npu-smi of Sfumato " + Version() + ": a simulated device") +
           rule + row("NPU   Name", "Health", last("Power(W)", "Temp(C)", "Hugepages-Usage(page)")) +
           row("Chip", "Bus-Id", last("AICore(%)", "Memory-Usage(MB)", "HBM-Usage(MB)")) + double_rule +
           row(fmt::format("0     {}", DeviceName()), "OK", last("0.0", "0", "0    / 0")) +
           row("0", "0000:00:00.0", last("0", "0    / 0", fmt::format("0    / {}", MemoryMegabytes()))) + double_rule +
           rule + row("NPU     Chip", "Process id", "Process name             Process memory(MB)") + double_rule +
           fmt::format("| {:<95}|\n", "No running processes found in NPU 0") + double_rule;
}

std::string Pairs(const std::vector<std::pair<std::string, std::string>>& pairs) {
    std::string text;
    for (const auto& [key, value] : pairs) text += fmt::format("\t{:<31}: {}\n", key, value);
    return text;
}

std::string Answer(const std::vector<std::string>& words) {
    constexpr const char* kLegal = "legal: info, info -l, info -m, info -t board|common|memory|usages -i 0 [-c 0]";
    if (!words.empty() && (words[0] == "-h" || words[0] == "--help"))
        return fmt::format("usage: npu-smi info [...]\n  -h, --help  this text; {}\n", kLegal);
    if (words.empty() || words[0] != "info")
        throw Error(words.empty()
                        ? fmt::format("a word is missing; {}", kLegal)
                        : fmt::format("'{}' is not supported: there is no board to set; {}", words[0], kLegal));
    std::string type, option;
    for (size_t i = 1; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "-l" || word == "-m") {
            option = word;
        } else if ((word == "-t" || word == "-i" || word == "-c") && i + 1 < words.size()) {
            const std::string& value = words[++i];
            if (word == "-t") type = value;
            if (word != "-t" && value != "0")
                throw Error(fmt::format("{} {}: there is one device, number 0", word, value));
        } else {
            throw Error(fmt::format("'{}' is not supported; {}", word, kLegal));
        }
    }
    const std::string name = DeviceName();
    if (option == "-l") return Pairs({{"Total Count", "1"}, {"NPU ID", "0"}, {"Chip Count", "1"}});
    if (option == "-m")
        return fmt::format("\t{:<31}{:<31}{:<31}{}\n\t{:<31}{:<31}{:<31}Ascend {}\n", "NPU ID", "Chip ID",
                           "Chip Logic ID", "Chip Name", 0, 0, 0, name);
    if (type.empty()) return Overview();
    if (type == "board" || type == "common")
        return Pairs(
            {{"NPU ID", "0"}, {"Chip ID", "0"}, {"Chip Type", "Ascend"}, {"Chip Name", name}, {"Chip Count", "1"}});
    if (type == "memory" || type == "usages")
        return Pairs({{"NPU ID", "0"},
                      {"Chip ID", "0"},
                      {"HBM Capacity(MB)", fmt::to_string(MemoryMegabytes())},
                      {"HBM Usage Rate(%)", "0"},
                      {"Aicore Usage Rate(%)", "0"}});
    throw Error(fmt::format("-t {} is not supported: there is no board to measure; {}", type, kLegal));
}

}  // namespace

int RunNpuSmi(int count, char** arguments) {
    try {
        PrintOut(Answer({arguments, arguments + count}));
        return kOk;
    } catch (const std::exception& error) {
        PrintError(fmt::format("npu-smi: error: {}\n", error.what()));
        return 1;
    }
}

}  // namespace sfumato::command
