// SPDX-License-Identifier: Apache-2.0
// pipe(2), socketpair(2) and rename(2) with what Linux adds to POSIX.
#include "system/files.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>

namespace sfumato::system {

bool Pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0; }

bool SocketPair(int ends[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0; }

bool HoldsDescriptors(const std::filesystem::path& folder) { return folder.string().starts_with("/proc/"); }

bool RenameToNew(const std::filesystem::path& from, const std::filesystem::path& to) {
    return renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0;
}

}  // namespace sfumato::system
