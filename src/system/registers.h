// SPDX-License-Identifier: Apache-2.0
// Registers of a thread that a signal stopped.
#pragma once

namespace sfumato::system {

// Both: `context` is what a handler of signals gets third; nullptr on machines that are not known.
const void* InstructionOf(const void* context);
const void* StackPointerOf(const void* context);

}  // namespace sfumato::system
