// SPDX-License-Identifier: Apache-2.0
// `sfumato toolkit`: links at the places where programs look for the vendor's toolkit.
#include "sfumato/toolkit.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>

#include "findings.h"
#include "options.h"
#include "output.h"
#include "shown.h"

namespace sfumato::command {
namespace {

// $HOME/Ascend is the place of an installation by a user, and root's is for all.
std::vector<std::string> Places() {
    std::vector<std::string> places;
    if (geteuid() == 0) places.emplace_back(kPlace);
    if (const char* home = std::getenv("HOME"); home && *home) places.push_back(std::string(home) + "/Ascend");
    if (places.empty()) throw Error("HOME is not set, so nothing says where: `sfumato toolkit link FOLDER` does");
    return places;
}

bool LinkAt(const std::string& place) {
    std::error_code ignored;
    if (std::filesystem::equivalent(place, toolkit::LinkFolder(), ignored)) {
        SayError(fmt::format("{} is shown by `sfumato env`, so links would be made elsewhere: do it outside", place));
        return false;
    }
    try {
        const toolkit::Linked linked = toolkit::Link(place);
        PrintOut(fmt::format("linked {} to {}\n", place, toolkit::Folder()));
        for (const std::string& left : linked.left) PrintOut(fmt::format("left {}: it is not ours\n", left));
        return true;
    } catch (const Error& error) {
        SayError(error.what());
        return false;
    }
}

bool UnlinkAt(const std::string& place) {
    try {
        const size_t count = toolkit::Unlink(place);
        PrintOut(count == 0 ? fmt::format("nothing at {} is ours\n", place)
                            : fmt::format("took {} links away from {}\n", count, place));
        return true;
    } catch (const Error& error) {
        SayError(error.what());
        return false;
    }
}

}  // namespace

void AddToolkitOptions(CLI::App& toolkit, ToolkitOptions& o) {
    toolkit.add_option("action", o.action, "link: make links to the toolkit folder; unlink: take them away")
        ->check(CLI::IsMember({"link", "unlink"}))
        ->required();
    toolkit
        .add_option("folder", o.folder,
                    "where to make the links; default: $HOME/Ascend, and for root /usr/local/Ascend, too")
        ->type_name("FOLDER");
    toolkit.footer(
        "For builds that name such a folder where `sfumato env -- COMMAND` cannot show it: in containers that refuse\n"
        "namespaces, and below $HOME. Only links that Sfumato made are replaced or taken away.");
}

int RunToolkit(const ToolkitOptions& o) {
    try {
        bool done = true;
        for (const std::string& place : o.folder.empty() ? Places() : std::vector{o.folder})
            done &= o.action == "link" ? LinkAt(std::filesystem::absolute(place)) : UnlinkAt(place);
        if (o.action == "link" && o.folder.empty() && geteuid() != 0)
            PrintOut(fmt::format("left {}: that is for root, with `sudo {} toolkit link`\n", kPlace, Self().string()));
        return done ? kOk : kFault;
    } catch (const KernelError& error) {
        PrintError(std::string(error.what()) + "\n");
        return kFault;
    }
}

}  // namespace sfumato::command
