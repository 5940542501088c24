// SPDX-License-Identifier: Apache-2.0
// `sfumato explain`: pictures of which source element lands where.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "explain/picture.h"
#include "sfumato/data_type.h"
#include "sfumato/launch.h"

namespace CLI {
class App;
}

namespace sfumato::command {

struct Pair {
    uint32_t h, w;
};

struct ExplainLoad3d {
    uint32_t h = 4, w = 4, c = 16;
    Pair filter = {3, 3}, stride = {1, 1}, dilation = {1, 1};
    std::array<uint32_t, 4> pad = {1, 1, 1, 1};  // left, right, top, bottom
    std::string to = "A2";
    bool v1 = false;
    // Load3Dv2
    uint32_t m_start = 0, k_start = 0;
    std::optional<uint32_t> m_extension, k_extension;  // default: the rest of the matrix
    bool transpose = false;
    // Load3Dv1
    uint32_t c1_index = 0, repeat_mode = 0, jump_stride = 1;
    Pair fetch = {0, 0};
    std::optional<std::array<int32_t, 2>> left_top;  // h, w; default: the corner of the padding
    std::optional<uint32_t> repeats;                 // default: all taps, or all windows
};

struct ExplainLoad2d {
    uint32_t start = 0, repeats = 4, src_stride = 1, dst_gap = 0;
    bool transpose = false, decrement = false;
    std::string from = "L1", to = "A2";
};

struct ExplainNd2Nz {
    uint32_t nd = 1, n = 16, d = 40;
    std::optional<uint32_t> src_d, src_nd_stride, dst_c0_stride, dst_nd_stride;
    uint32_t dst_n_stride = 1;
};

struct ExplainFractal {
    Pair shape = {16, 16};
    std::string layout = "Zz";
};

struct ExplainOptions {
    std::string chip, svg, json;
    DataType type = DataType::kHalf;
    ExplainLoad3d load3d;
    ExplainLoad2d load2d;
    ExplainNd2Nz nd2nz;
    ExplainFractal fractal;
};

// A picture and what the instruction reported; the picture is valid when there is no fault.
struct Explained {
    Picture picture;
    LaunchResult result;
};
Explained DrawLoad3d(const ExplainOptions& options);
Explained DrawLoad2d(const ExplainOptions& options);
Explained DrawNd2Nz(const ExplainOptions& options);
Explained DrawFractal(const ExplainOptions& options);

// "name*factor" in a rule; the name alone where the factor is 1.
std::string Times(const char* name, uint64_t factor);

// The topics as subcommands of `explain`.
void AddExplainOptions(CLI::App& explain, ExplainOptions& options);
// Draws the topic that was parsed: text to standard output, SVG to its file. An exit code.
int Explain(const CLI::App& explain, const ExplainOptions& options);

}  // namespace sfumato::command
