// SPDX-License-Identifier: Apache-2.0
#include "support/golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

namespace sfumato {
namespace {

// SFUMATO_TESTS is the folder tests/. A path of the compiler may be relative to the build.
std::string TestFile(const std::string& path) {
    const size_t at = path.rfind("tests/");
    return at == std::string::npos ? "" : SFUMATO_TESTS "/" + path.substr(at + std::strlen("tests/"));
}

bool Rewrites() { return std::getenv("SFUMATO_REWRITE") != nullptr; }

}  // namespace

const std::vector<std::string>& LinesOf(const std::string& path) {
    static std::map<std::string, std::vector<std::string>> files;
    const auto [at, fresh] = files.try_emplace(path);
    if (fresh) {
        std::ifstream in(TestFile(path));
        for (std::string line; std::getline(in, line);) {
            line.erase(0, line.find_first_not_of(' '));
            at->second.push_back(line);
        }
    }
    return at->second;
}

std::string StableText(const Report& report) {
    std::string text = report.Text();
    for (const char* suffix : {".cpp:", ".h:"}) {
        for (size_t at = 0; (at = text.find(suffix, at)) != std::string::npos;) {
            const size_t digits = at + std::strlen(suffix);
            const size_t end = std::min(text.find_first_not_of("0123456789", digits), text.size());
            const size_t path = text.find_last_of(" (", at) + 1;
            const auto& lines = LinesOf(text.substr(path, digits - 1 - path));
            const size_t line = end == digits ? 0 : std::stoul(text.substr(digits, end - digits));
            at = digits;
            if (line == 0 || line > lines.size()) continue;
            const std::string words = "«" + lines[line - 1] + "»";
            text.replace(path, end - path, words);
            at = path + words.size();
        }
    }
    return text;
}

std::string StableText(const std::vector<Report>& reports) {
    std::string text;
    for (const Report& report : reports) text += StableText(report) + "\n";
    return text;
}

void ExpectFile(const std::string& path, const std::string& text) {
    if (Rewrites()) {
        std::ofstream(path) << text;
        return;
    }
    std::ifstream in(path);
    std::ostringstream have;
    have << in.rdbuf();
    EXPECT_EQ(have.str(), text) << path << ": SFUMATO_REWRITE=1 writes it anew";
}

std::string Pinned(const std::string& name, const std::string& text) {
    std::string pinned;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        pinned += (line.starts_with(' ') ? "" : name + ": ") + line + "\n";
    return pinned.empty() ? "\n" : pinned;
}

void ExpectText(const std::string& source, const std::string& name, const std::string& text) {
    const std::filesystem::path test = TestFile(source);
    ASSERT_FALSE(test.empty()) << name << ": " << source << " is no file of tests/";
    const std::filesystem::path path = test.parent_path() / "reports" / test.stem().concat(".txt");
    std::vector<std::pair<std::string, std::string>> sections;  // name, what is pinned under it
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        const std::string of = line.substr(0, line.find(": "));
        if (sections.empty() || (!line.starts_with(' ') && of != sections.back().first)) sections.emplace_back(of, "");
        sections.back().second += line + "\n";
    }
    in.close();
    auto section = std::find_if(sections.begin(), sections.end(), [&](const auto& s) { return s.first == name; });
    if (section == sections.end()) section = sections.emplace(section, name, "");
    const std::string pinned = Pinned(name, text);
    if (!Rewrites()) {
        EXPECT_EQ(section->second, pinned) << path << ": SFUMATO_REWRITE=1 writes it anew";
        return;
    }
    section->second = pinned;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream out(path);
    for (const auto& [title, words] : sections) out << words;
}

void ExpectReports(const std::string& source, const std::string& name, const std::vector<Report>& reports) {
    ExpectText(source, name, StableText(reports));
}

std::string NameOfTest() {
    static std::map<std::string, int> asked;
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    const int times = ++asked[name];
    return times == 1 ? name : name + " " + std::to_string(times);
}

}  // namespace sfumato
