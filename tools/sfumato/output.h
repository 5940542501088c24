// SPDX-License-Identifier: Apache-2.0
// What the command writes: its files, and the two standard streams.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sfumato::command {

// Where a file named on the command line is written. A regular file is replaced as a whole, behind the symbolic links
// that lead to it, also when it does not exist yet; a device, a FIFO or an open descriptor is written where it is.
struct OutputTarget {
    std::string path;            // as given
    std::filesystem::path real;  // what is replaced; empty: written where it is

    bool replaced() const { return !real.empty(); }
    // The path to write to: beside the real one, so that the rename cannot cross file systems, or the given one.
    std::string Writable(int owner) const;
    // After the last byte: puts what `owner` wrote in place. Throws Error.
    void Commit(int owner) const;
    // Removes what `owner` wrote and did not put in place.
    void Discard(int owner) const;
};

// Throws Error for a directory and for links that lead nowhere but in circles.
OutputTarget ResolveOutput(const std::string& path);

// Writes a whole file. Throws Error.
void WriteFile(const std::string& path, std::string_view text);

// Before everything else. A closed standard stream stays closed: no file opened later can take its number.
void ReserveStreams();
// A stream nobody reads, or a full disk, is a failed write and no signal.
void IgnoreWriteSignals();
// Standard output and error. What cannot be written is lost; Finished says so.
void PrintOut(std::string_view text);
void PrintError(std::string_view text);
// A report that could not be written elsewhere.
void ReportLost();
// The exit code, kUnwritten instead of kOk when something was lost.
int Finished(int code);

}  // namespace sfumato::command
