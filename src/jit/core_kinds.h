// SPDX-License-Identifier: Apache-2.0
// Kinds of core in a source: code that the compiler must see once for each kind, and the qualifiers of functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "jit/tokenizer.h"
#include "soc/chip.h"

namespace sfumato::jit {

// Numbered as AscendC::CoreType. kBoth: code that asks at run time which core it is on.
enum class CodeFor : uint8_t { kBoth, kCube, kVector };

// True where only a compiler can answer which kind of core it is: __DAV_C220_CUBE__ and its relatives anywhere,
// g_coreType and ASCEND_IS_AIC in a constant expression. Comments and literals do not count.
bool ChoosesByKind(std::string_view source);
// True where any of these names stands, so that code which did not compile may do so for one kind of core.
bool MentionsKind(std::string_view source);

// What a compiler defines besides ChipMacros: __DAV_C220_CUBE__ and __DAV_CUBE__ for cube cores, and the number of the
// kind. For kBoth nothing on chips with separate cores; coupled cores are always MIX.
std::vector<std::string> KindMacros(const soc::Chip& chip, CodeFor kind);

// "cube cores", for messages.
std::string_view Name(CodeFor kind);

// The qualifiers __vector__, __cube__, __mix__(a, b) and a __schedmode__ that is not 0 or 1, among the tokens of a
// declaration, as one text with one blank after commas and between them; empty when there is none.
std::string ReadQualifiers(const std::vector<Token>& tokens, size_t begin, size_t end);

}  // namespace sfumato::jit
