// SPDX-License-Identifier: Apache-2.0
// Finding, reading and refusing the records of boards.
#include "soc/board_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "sfumato/report.h"
#include "soc/sha256.h"

namespace sfumato::soc {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int kFormat = 1;
constexpr size_t kTableBytes = 65536 * 2;
constexpr const char* kAgain = "import the record again (docs/last-bits.md)";

constexpr std::pair<const char*, isa::Opcode> kFunctions[] = {{"Exp", isa::Opcode::vexp},
                                                              {"Ln", isa::Opcode::vln},
                                                              {"Sqrt", isa::Opcode::vsqrt},
                                                              {"Rsqrt", isa::Opcode::vrsqrt},
                                                              {"Reciprocal", isa::Opcode::vrec}};

}  // namespace

fs::path RecordsFolder() {
    const auto set = [](const char* name) -> std::optional<fs::path> {
        const char* value = std::getenv(name);
        return value && *value ? std::optional<fs::path>(value) : std::nullopt;
    };
    if (const auto own = set("SFUMATO_RECORDS")) return *own;
    if (const auto data = set("XDG_DATA_HOME")) return *data / "sfumato/records";
    return set("HOME").value_or("/") / ".local/share/sfumato/records";
}

namespace {

// "there are Ascend910B2, Ascend310P3".
std::string Known(const fs::path& records) {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(records, error)) {
        if (fs::exists(entry.path() / "numerics.json", error)) names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names.empty() ? "there is none" : fmt::format("there are {}", fmt::join(names, ", "));
}

std::optional<std::string> Bytes(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    if (!file || !(bytes << file.rdbuf())) return std::nullopt;
    return std::move(bytes).str();
}

// One record while it is read.
class Reader {
public:
    Reader(fs::path folder, std::string text) : folder_(std::move(folder)), text_(std::move(text)) {}

    std::shared_ptr<const BoardRecord> Read() {
        record_.file = File();
        Json json;
        try {
            json = Json::parse(text_);
        } catch (const Json::exception&) {
            Refuse("no JSON");
        }
        if (!json.is_object()) Refuse("no object of JSON");
        const int format =
            json.contains("format") && json["format"].is_number_integer() ? json["format"].get<int>() : 0;
        if (format != kFormat) {
            throw Error(fmt::format("numerics: {}: its format is {}; this version of Sfumato reads {}; {}", File(),
                                    json.contains("format") ? json["format"].dump() : "missing", kFormat,
                                    format > kFormat ? "take a newer one" : kAgain));
        }
        record_.soc = Text(json, "soc");
        if (record_.soc != folder_.filename()) {
            Refuse(fmt::format("it is of the soc '{}' and lies in the folder of '{}'", record_.soc,
                               folder_.filename().string()));
        }
        record_.probes = Text(json, "probes");
        record_.contributor = json.contains("contributor") ? Text(json, "contributor") : "";
        ReadSettings(Object(json, "settings"));
        const Json& hashes = Object(json, "hashes");
        for (const auto& [name, types] : Object(json, "tables").items()) ReadTable(name, types, hashes);
        return std::make_shared<const BoardRecord>(std::move(record_));
    }

private:
    std::string File() const { return (folder_ / "numerics.json").string(); }
    [[noreturn]] void Refuse(const std::string& what) const {
        throw Error(fmt::format("numerics: {}: {}; {}", File(), what, kAgain));
    }
    std::string Text(const Json& json, const char* name) const {
        if (!json.contains(name) || !json[name].is_string()) Refuse(fmt::format("'{}' must be a text", name));
        return json[name].get<std::string>();
    }
    const Json& Object(const Json& json, const char* name) const {
        if (!json.contains(name) || !json[name].is_object()) Refuse(fmt::format("'{}' must be an object", name));
        return json[name];
    }

    void ReadSettings(const Json& settings) {
        const std::pair<const char*, std::optional<std::string>*> known[] = {
            {"mmad-order", &record_.mmad_order}, {"estimate", &record_.estimate}, {"div", &record_.div}};
        for (const auto& [name, value] : settings.items()) {
            const auto* setting = std::ranges::find_if(known, [&](const auto& k) { return name == k.first; });
            if (setting == std::end(known))
                Refuse(fmt::format("the setting '{}' is unknown; legal are mmad-order, estimate and div", name));
            *setting->second = Text(settings, setting->first);
        }
    }

    void ReadTable(const std::string& name, const Json& types, const Json& hashes) {
        const auto* function = std::ranges::find_if(kFunctions, [&](const auto& f) { return name == f.first; });
        if (function == std::end(kFunctions)) {
            Refuse(fmt::format("the table of '{}' is of no function; legal are Exp, Ln, Sqrt, Rsqrt and Reciprocal",
                               name));
        }
        if (!types.is_object() || types.size() != 1 || !types.contains("half") || !types["half"].is_string())
            Refuse(fmt::format("the table of {} must be {{\"half\": FILE}}", name));
        const auto file = types["half"].get<std::string>();
        if (file.empty() || file.find('/') != std::string::npos)
            Refuse(fmt::format("the table of {} is '{}', no file beside it", name, file));
        const std::optional<std::string> bytes = Bytes(folder_ / file);
        if (!bytes) Refuse(fmt::format("the table {} cannot be read", file));
        if (bytes->size() != kTableBytes) {
            Refuse(fmt::format("the table {} has {} bytes; the results of all halves are {}", file, bytes->size(),
                               kTableBytes));
        }
        if (!hashes.contains(file) || !hashes[file].is_string()) Refuse(fmt::format("'hashes' lacks {}", file));
        if (hashes[file].get<std::string>() != Sha256(*bytes))
            Refuse(fmt::format("the table {} is not the one that was imported: its SHA-256 is another", file));
        std::vector<uint16_t>& table = record_.half[function->second];
        table.resize(kTableBytes / 2);
        for (size_t i = 0; i < table.size(); ++i) {
            table[i] = static_cast<uint16_t>(static_cast<uint8_t>((*bytes)[2 * i]) |
                                             static_cast<uint8_t>((*bytes)[2 * i + 1]) << 8);
        }
    }

    const fs::path folder_;
    const std::string text_;
    BoardRecord record_;
};

}  // namespace

std::shared_ptr<const BoardRecord> FindBoardRecord(const std::string& numerics) {
    if (numerics.empty()) return nullptr;
    const fs::path records = RecordsFolder();
    constexpr std::string_view kBoard = "board:";
    const std::string soc = numerics.starts_with(kBoard) ? numerics.substr(kBoard.size()) : "";
    if (soc.empty() || soc.find('/') != std::string::npos || soc[0] == '.') {
        throw Error(fmt::format("numerics: '{}' names no record; legal is board:SOC, of the records in {}: {}",
                                numerics, records.string(), Known(records)));
    }
    const fs::path folder = records / soc;
    std::optional<std::string> text = Bytes(folder / "numerics.json");
    if (!text) {
        throw Error(fmt::format(
            "numerics: no record of {} lies in {}; {}; `sfumato record` makes one on a board, and its `import` puts it "
            "there (docs/last-bits.md)",
            soc, records.string(), Known(records)));
    }
    // The text has the hashes of the tables.
    static std::mutex mutex;
    static std::map<std::string, std::pair<std::string, std::shared_ptr<const BoardRecord>>> read;
    const std::lock_guard lock(mutex);
    auto& [of_text, record] = read[folder.string()];
    if (!record || of_text != *text) {
        record = Reader(folder, *text).Read();
        of_text = std::move(*text);
    }
    return record;
}

void CheckFamily(const BoardRecord& record, const Chip& chip) {
    const Chip& recorded = FindChip(record.soc);
    if (recorded.name == chip.name) return;
    throw Error(
        fmt::format("numerics: the record of {} is of the family {}; this launch is for {}; legal is a record of a "
                    "product of {}",
                    record.soc, recorded.name, chip.product, chip.name));
}

}  // namespace sfumato::soc
