// SPDX-License-Identifier: Apache-2.0
// What one of g++ and clang refuses and the other takes: a source that the compiler did not take is given to the other.
#pragma once

#include <optional>
#include <string>

#include "jit/compiler.h"

namespace sfumato::jit {

// Of the other kind than the one that said `messages`; none where $SFUMATO_CXX names a compiler, none of the versions
// that the headers ask for is there, or the first error is one for both, such as a name that nobody declares.
std::optional<Compiler> OtherCompiler(const Compiler& compiler, const std::string& messages);

// "k.cpp: compiled with clang++, since g++ refuses it: k.cpp:4:15: error: ...", for who asks why.
std::string TakenByOther(const std::string& source, const Compiler& other, const Compiler& compiler,
                         const std::string& messages);

// Which compiler takes a source that both failed on, or that there was no other for, or that this one is too old; ""
// where nothing is known.
std::string NeedsOther(const Compiler& compiler, const std::string& messages);

}  // namespace sfumato::jit
