// SPDX-License-Identifier: Apache-2.0
// Memory that Linux gives: addresses before there is memory, pages at two addresses, and how large pages are.
#pragma once

#include <cstdint>
#include <vector>

namespace sfumato::system {

// All four: `bytes` of new addresses at the start of a page, none of which counts against the machine's memory until
// it is touched; munmap gives them back. nullptr with errno where there are none. That nobody may touch before
// mprotect, or before something else is mapped there.
void* ReserveAddresses(uint64_t bytes);
// At `at`, where nothing is mapped: else nullptr.
void* ReserveAddressesAt(uintptr_t at, uint64_t bytes);
// Zeros, which a forked process gets as they are then.
void* ReserveZeros(uint64_t bytes);
// Zeros that ShowAlsoAt can show; a forked process has nothing there.
void* ReserveShowable(uint64_t bytes);

// From here on the pages of ReserveShowable are also seen at `there`, instead of what was mapped there. For handlers of
// signals, too. false with errno: nothing has changed.
bool ShowAlsoAt(void* pages, uint64_t bytes, void* there);

// A file without a name, of `bytes` that are all `byte`, which no started program inherits; close(2) gives it back. -1
// with errno.
int FileFilledWith(uint8_t byte, uint64_t bytes);
// From here on the first `bytes` of the file are seen at `there`, instead of what was mapped there. What is written
// stays here, and only that counts against the machine's memory. false with errno.
bool ShowFileAt(int file, uint64_t bytes, void* there);

// Wishes for whole pages; that they are not granted changes nothing but time and room.
void WishHugePages(void* pages, uint64_t bytes);
void WishSmallPages(void* pages, uint64_t bytes);

// Whether bytes from `address` on can be read, or written, without a signal. false where nothing tells.
bool CanTouch(uintptr_t address, uint64_t bytes, bool write);

// Of each page that [address, address + bytes) touches, whether it holds something: pages that nobody touched since
// they were reserved do not. Empty where nothing tells.
std::vector<bool> PagesInUse(uintptr_t address, uint64_t bytes);

// Bytes of the machine, and those that nobody uses now; 0 where nothing tells.
uint64_t TotalMemory();
uint64_t FreeMemory();

}  // namespace sfumato::system
