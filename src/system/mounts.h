// SPDX-License-Identifier: Apache-2.0
// A view of the machine's files that this process, and those it starts or becomes, have alone. What does not work
// throws Error with what was asked for and the system's reason.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace sfumato::system {

// Throws Error ("what: the reason in errno") unless it is done.
void Must(bool done, const std::string& what);

// Runs it in a child process; what it throws, thrown here as Error.
void RunInChild(const std::function<void()>& work);

// From here on nobody else sees what is mounted below; what the machine mounts comes here, too. A process that may not
// gets a user namespace, with its own number, and of root with everybody's. After a failure it may be half done: try in
// a child first.
void SeparateMounts();

// All below of `from` is seen at `to` as well, which is there and of the same kind: folder or file.
void ShowAt(const std::filesystem::path& from, const std::filesystem::path& to);
// An empty folder in memory over this one.
void CoverByMemory(const std::filesystem::path& folder);
// What CoverByMemory mounted cannot be written to any more.
void MakeReadOnly(const std::filesystem::path& folder);

// Whether names in it are mounted as they are asked for, or nothing is known of it.
bool MountsWhenAsked(const std::filesystem::path& folder);

// Which of the machine's settings is behind a failure of SeparateMounts: "user.max_user_namespaces is 0"; empty: none.
std::string SettingAgainst();

// A folder as it is, whatever is laid over it later.
class OpenedFolder {
public:
    explicit OpenedFolder(const std::filesystem::path& path);
    ~OpenedFolder();
    OpenedFolder& operator=(OpenedFolder&&) = delete;
    std::filesystem::path path() const;

private:
    int number_;
};

}  // namespace sfumato::system
