// SPDX-License-Identifier: Apache-2.0
// `sfumato explain`: its options, and what it writes.
#include "explain/explain.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "findings.h"
#include "options.h"
#include "output.h"

namespace sfumato::command {
namespace {

constexpr const char* kExplainExamples =
    "Examples:\n"
    "  sfumato explain load3d\n"
    "  sfumato explain load3d --h 6 --w 5 --c 32 --stride 2x1 --pad 1,0,1,0 --type int8_t --svg out.svg\n"
    "  sfumato explain load3d --v1 --filter 2x2 --mode 1 --jump 4\n"
    "  sfumato explain load2d --repeat 4 --src-stride 2 --dst-gap 1 --transpose\n"
    "  sfumato explain nd2nz --n 20 --d 40 --type half\n"
    "  sfumato explain fractal --shape 32x32 --layout Zn\n";

constexpr const char* kExplainExitCodes =
    "Exit codes: 0 the picture is drawn; 2 the command line or the file is wrong; 4 the instruction refuses the "
    "parameters\n(no file is written); 6 the text could not be written to standard output.\n";

// Numbers between separators, such as 3x3; throws CLI::ValidationError.
template <size_t n>
std::array<int32_t, n> Numbers(const std::string& option, const std::string& text, char separator, int32_t least,
                               int32_t most) {
    std::array<int32_t, n> numbers;
    size_t at = 0;
    for (size_t i = 0; i < n; ++i) {
        const size_t end = i + 1 < n ? text.find(separator, at) : text.size();
        const std::string part = end == std::string::npos ? "" : text.substr(at, end - at);
        if (!CLI::detail::lexical_cast(part, numbers[i]) || numbers[i] < least || numbers[i] > most) {
            throw CLI::ValidationError(
                option, fmt::format("'{}' is not legal; legal: {} numbers from {} to {}, with '{}' between", text, n,
                                    least, most, separator));
        }
        at = end + 1;
    }
    return numbers;
}

// The options of one topic.
class Topic {
public:
    Topic(CLI::App& explain, const char* name, const char* what) : app_(*explain.add_subcommand(name, what)) {
        app_.footer("\n" + std::string(kExplainExitCodes));
    }

    void Common(ExplainOptions& o, bool chip) {
        if (chip) {
            app_.add_option("--chip", o.chip, "chip family or product (default Ascend910B; with --v1 Ascend310P)")
                ->type_name("NAME");
        }
        app_.add_option_function<std::string>(
                "--type",
                [&o, chip](const std::string& text) {
                    for (int i = 0; i < kDataTypeCount; ++i) {
                        const DataType t = static_cast<DataType>(i);
                        const uint32_t bits = BitsOf(t);
                        if (bits > 32 || (chip && bits == 4) || (text != CName(t) && text != NumpyName(t))) continue;
                        o.type = t;
                        return;
                    }
                    throw CLI::ValidationError("--type",
                                               fmt::format("'{}' is no element type of {} bits, such as half, "
                                                           "bfloat16_t, int8_t, uint8_t, float or int32_t",
                                                           text, chip ? "8, 16 or 32" : "4, 8, 16 or 32"));
                },
                "type of the elements")
            ->type_name("TYPE")
            ->default_str("half");
        app_.add_option("--svg", o.svg, "also write the picture to this file")->type_name("FILE");
        app_.add_option("--json", o.json, "also write the findings to this file, as JSON")->type_name("FILE");
    }
    CLI::Option* Number(const char* name, uint32_t& value, uint32_t least, uint32_t most, const char* what) {
        return app_.add_option(name, value, what)
            ->check(CLI::Range(least, most))
            ->type_name("N")
            ->capture_default_str();
    }
    CLI::Option* Number(const char* name, std::optional<uint32_t>& value, uint32_t least, uint32_t most,
                        const char* what) {
        return app_.add_option(name, value, what)->check(CLI::Range(least, most))->type_name("N");
    }
    CLI::Option* Size(const char* name, Pair& value, uint32_t most, const char* what) {
        return app_
            .add_option_function<std::string>(
                name,
                [&value, name, most](const std::string& text) {
                    const auto numbers = Numbers<2>(name, text, 'x', 0, static_cast<int32_t>(most));
                    value = {static_cast<uint32_t>(numbers[0]), static_cast<uint32_t>(numbers[1])};
                },
                what)
            ->type_name("HxW")
            ->default_str(fmt::format("{}x{}", value.h, value.w));
    }
    CLI::Option* Choice(const char* name, std::string& value, std::vector<std::string> legal, const char* what) {
        return app_.add_option(name, value, what)->check(CLI::IsMember(std::move(legal)))->capture_default_str();
    }
    CLI::App& app() { return app_; }

private:
    CLI::App& app_;
};

void AddLoad3d(CLI::App& explain, ExplainOptions& o) {
    ExplainLoad3d& p = o.load3d;
    Topic t(explain, "load3d", "LoadData of a feature map: which pixel lands in which row of the matrix");
    t.Common(o, true);
    t.Number("--h", p.h, 1, 65535, "height of the feature map (l1H)");
    t.Number("--w", p.w, 1, 65535, "width of the feature map (l1W)");
    t.Number("--c", p.c, 1, 65535, "channels; with --v1 rounded up to whole groups");
    t.Size("--filter", p.filter, 255, "taps of the filter");
    t.Size("--stride", p.stride, 255, "steps of the window");
    t.Size("--dilation", p.dilation, 255, "distance of the taps");
    t.app()
        .add_option_function<std::string>(
            "--pad",
            [&p](const std::string& text) {
                const auto numbers = Numbers<4>("--pad", text, ',', 0, 255);
                for (size_t i = 0; i < 4; ++i) p.pad[i] = static_cast<uint32_t>(numbers[i]);
            },
            "padding in pixels (padList)")
        ->type_name("LEFT,RIGHT,TOP,BOTTOM")
        ->default_str("1,1,1,1");
    t.Choice("--to", p.to, {"A2", "B2"}, "destination: L0A or L0B");
    CLI::Option* v1 = t.app().add_flag("--v1", p.v1, "Load3Dv1 instead of Load3Dv2");
    for (CLI::Option* only_v2 :
         {t.Number("--m-start", p.m_start, 0, 65535, "first row of the window (mStartPt)"),
          t.Number("--k-start", p.k_start, 0, 65535, "first column of the window (kStartPt)"),
          t.Number("--m-ext", p.m_extension, 1, 65535, "rows (mExtension; default: the rest)"),
          t.Number("--k-ext", p.k_extension, 1, 65535, "columns (kExtension; default: the rest)"),
          t.app().add_flag("--transpose", p.transpose, "transpose the matrix (enTranspose)")}) {
        only_v2->excludes(v1);
        only_v2->group("Load3Dv2");
    }
    CLI::Option* left_top =
        t.app()
            .add_option_function<std::string>(
                "--left-top",
                [&p](const std::string& text) { p.left_top = Numbers<2>("--left-top", text, ',', -32768, 32767); },
                "corner of the first window (default: that of the padding)")
            ->type_name("H,W");
    for (CLI::Option* only_v1 :
         {t.Number("--c1-index", p.c1_index, 0, 65535, "first group of channels (c1Index)"),
          t.Size("--fetch", p.fetch, 255, "first tap (fetchFilterH, fetchFilterW)"), left_top,
          t.Number("--mode", p.repeat_mode, 0, 255, "repeatMode: 0 along the taps, 1 along the windows"),
          t.Number("--repeat", p.repeats, 0, 255, "repeatTime (default: all taps, or all windows)"),
          t.Number("--jump", p.jump_stride, 0, 255, "fractals from repeat to repeat (jumpStride)")}) {
        only_v1->needs(v1);
        only_v1->group("Load3Dv1");
    }
}

void AddLoad2d(CLI::App& explain, ExplainOptions& o) {
    ExplainLoad2d& p = o.load2d;
    Topic t(explain, "load2d", "LoadData of fractals: which fractal lands where");
    t.Common(o, true);
    t.Number("--start", p.start, 0, 65535, "first fractal of the source (startIndex)");
    t.Number("--repeat", p.repeats, 0, 255, "fractals (repeatTimes)");
    t.Number("--src-stride", p.src_stride, 0, 65535, "fractals from start to start (srcStride)");
    t.Number("--dst-gap", p.dst_gap, 0, 65535, "fractals from end to start (dstGap)");
    t.app().add_flag("--transpose", p.transpose, "transpose each fractal (ifTranspose)");
    t.app().add_flag("--decrement", p.decrement, "falling source addresses (addrMode 1)");
    t.Choice("--from", p.from, {"GM", "L1"}, "memory of the source");
    t.Choice("--to", p.to, {"L1", "A2", "B2"}, "destination: L1, L0A or L0B");
}

void AddNd2Nz(CLI::App& explain, ExplainOptions& o) {
    ExplainNd2Nz& p = o.nd2nz;
    Topic t(explain, "nd2nz", "DataCopy of rows to fractals: which piece of a row lands where");
    t.Common(o, true);
    t.Number("--n", p.n, 1, 65535, "rows (nValue)");
    t.Number("--d", p.d, 1, 65535, "columns (dValue)");
    t.Number("--src-d", p.src_d, 1, 65535, "elements from row to row of the source (srcDValue; default: --d)");
    t.Number("--dst-c0-stride", p.dst_c0_stride, 0, 65535,
             "blocks of 32 bytes from column to column (dstNzC0Stride; default: whole fractals)");
    t.Number("--dst-n-stride", p.dst_n_stride, 0, 65535, "blocks of 32 bytes from row to row (dstNzNStride)");
    t.Number("--nd", p.nd, 1, 4095, "matrices (ndNum)");
    t.Number("--src-nd-stride", p.src_nd_stride, 0, 65535, "elements between matrices of the source (default: packed)");
    t.Number("--dst-nd-stride", p.dst_nd_stride, 0, 65535, "elements between matrices of L1 (default: packed)");
}

void AddFractal(CLI::App& explain, ExplainOptions& o) {
    Topic t(explain, "fractal", "A layout by itself: the place of each element of a matrix");
    t.Common(o, false);
    t.Size("--shape", o.fractal.shape, 256, "rows and columns of the matrix")->type_name("MxN");
    t.Choice(
        "--layout", o.fractal.layout, {"Zz", "Zn", "Nz", "Nn", "L0C"},
        "order of fractals (capital) and in a fractal: Z by rows, N by columns. A is Zz, B is Zn, L1 is Nz; L0C is "
        "Nz with 16 columns of any type");
}

}  // namespace

std::string Times(const char* name, uint64_t factor) { return factor == 1 ? name : fmt::format("{}*{}", name, factor); }

void AddExplainOptions(CLI::App& explain, ExplainOptions& options) {
    explain.require_subcommand(1);
    explain.footer(std::string("`sfumato explain TOPIC --help` lists the parameters of one.\n\n") + kExplainExamples +
                   "\n" + kExplainExitCodes);
    AddLoad3d(explain, options);
    AddLoad2d(explain, options);
    AddNd2Nz(explain, options);
    AddFractal(explain, options);
}

int Explain(const CLI::App& explain, const ExplainOptions& given) {
    ExplainOptions options = given;
    if (options.chip.empty()) options.chip = options.load3d.v1 ? "Ascend310P" : "Ascend910B";
    const std::string topic = explain.get_subcommands().at(0)->get_name();
    const auto draw = topic == "load3d"   ? DrawLoad3d
                      : topic == "load2d" ? DrawLoad2d
                      : topic == "nd2nz"  ? DrawNd2Nz
                                          : DrawFractal;
    if (topic == "fractal" && (options.fractal.shape.h == 0 || options.fractal.shape.w == 0)) {
        throw Error("--shape: a matrix has at least one row and one column");
    }
    const Explained explained = draw(options);
    if (options.json == "-") throw Error("--json -: the picture is on standard output; name a file");
    if (!explained.result.findings.empty() || !options.json.empty()) {
        RunOptions about;
        about.launch.chip = options.chip;
        if (!options.json.empty()) about.files.json = options.json;
        Findings findings(about);
        for (const Report& r : explained.result.findings) findings.Add(r);
        findings.Show(explained.result);
    }
    if (!explained.result.ok()) return kFault;
    if (!options.svg.empty()) WriteFile(options.svg, ToSvg(explained.picture));
    PrintOut(ToText(explained.picture));
    return kOk;
}

}  // namespace sfumato::command
