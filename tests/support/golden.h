// SPDX-License-Identifier: Apache-2.0
// Reports written down in text files beside the tests. SFUMATO_REWRITE=1 in the environment writes them anew: read what
// changed before it is committed.
#pragma once

#include <string>
#include <vector>

#include "sfumato/report.h"

namespace sfumato {

// The lines of a file of tests/, without their indentation; none of another file.
const std::vector<std::string>& LinesOf(const std::string& path);

// The text of the report; each place in a source as the words of that line, which do not change when lines move:
// «Add(z, x, y, 64);».
std::string StableText(const Report& report);
std::string StableText(const std::vector<Report>& reports);

void ExpectFile(const std::string& path, const std::string& text);

// Texts of reports as files have them: "name: " and the sentence, then a line for each field.
std::string Pinned(const std::string& name, const std::string& text);

// So it stands in reports/, in the file with the name of `source`, the path of a test's file.
void ExpectText(const std::string& source, const std::string& name, const std::string& text);
void ExpectReports(const std::string& source, const std::string& name, const std::vector<Report>& reports);

// The name of the running test; when it is asked for again, with a number behind it.
std::string NameOfTest();

}  // namespace sfumato
