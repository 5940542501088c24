// SPDX-License-Identifier: Apache-2.0
// The vendor's calls by their signatures: a table of src/frontends/ascendc/calls becomes a header of
// sfumato/ascendc/calls. The README beside the tables says how one is written.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato::tablegen {

// One call of a table, its placeholders replaced.
struct SurfaceCall {
    int line = 0;
    std::vector<std::string> comment;
    std::string result, name, condition;  // condition: of the template, what `requires` says
    std::vector<std::string> head;        // parameters of the template
    // Operands; behind the first semicolon what a form with repeats takes besides, behind the second what all take.
    std::vector<std::string> operands, strides, last;
    std::string
        form;  // "", "count", "repeat", "both", "config"; "struct": operands are its constructors, body its fields
    bool declared = false;  // its body, if it has one, is the definition in the library
    bool where = true;
    std::vector<std::string> body;
};

struct SurfaceTable {
    std::string title;
    std::vector<std::string> includes;
    struct Part {
        std::string space;  // the namespace; empty: none
        std::vector<SurfaceCall> calls;
    };
    std::vector<Part> parts;
};

// A table that is wrong; the words begin with the file and the line.
struct SurfaceError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Reads a table. file: its name, for messages. Throws SurfaceError.
SurfaceTable ReadSurface(std::string_view text, std::string_view file);

// Whether text[at] opens or closes a list of a template: a < behind a word, a > that no operator ends in.
bool OpensList(std::string_view text, size_t at);
bool ClosesList(std::string_view text, size_t at);

// The items of a list, which commas outside of brackets part, without spaces around them.
std::vector<std::string> SplitList(std::string_view list, char separator = ',');

// The text of a struct of a table.
std::string SurfaceStruct(const SurfaceCall& call);

// `text` in lines of at most 118 columns; what is broken off stands 8 deeper than `indent`.
std::string SurfaceLines(std::string text, size_t indent);

// The text of the header that a table is, and of the definitions that a source of the library includes.
std::string SurfaceHeader(std::string_view text, std::string_view file);
std::string SurfaceDefinitions(std::string_view text, std::string_view file);

}  // namespace sfumato::tablegen
