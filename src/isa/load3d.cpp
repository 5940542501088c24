// SPDX-License-Identifier: Apache-2.0
// Loads of images (cube.md 3.4, 3.5): of the source, the pixels inside the image that groups, taps and windows touch.
#include "isa/parts.h"

namespace sfumato::isa {
namespace {

struct Hull {
    uint64_t begin = ~uint64_t{0}, end = 0;
    bool empty() const { return begin >= end; }
    void Add(uint64_t from, uint64_t to) {
        begin = std::min(begin, from);
        end = std::max(end, to);
    }
};

// L1 addresses at or past the boundary continue at 0.
Span SourceSpan(const Operand& o, const Hull& hull, uint32_t boundary) {
    if (hull.empty()) return {o.offset, o.offset};
    const Span span{o.offset + hull.begin, o.offset + hull.end};
    return boundary != 0 && span.end > boundary ? Span{0, boundary} : span;
}

// Load3Dv1: the windows lie in rows; the first one may start anywhere, the others start at -left (cube.md 3.4).
class Windows {
public:
    explicit Windows(const Load3Dv1& s) : s_(s), first_(InRow(s.left_top_w)), other_(InRow(-int64_t{s.map.left})) {
        for (int64_t i = 0, row = 0, column = 0; i < kCached; ++i, ++column) {
            if (column == (row == 0 ? first_ : other_)) ++row, column = 0;
            cached_[static_cast<size_t>(i)] = Corner(row, column);
        }
    }

    // Pixel of a tap of window `i`; -1 outside the image.
    int64_t Pixel(int64_t i, int64_t kh, int64_t kw) const {
        const Place corner = i < kCached  ? cached_[static_cast<size_t>(i)]
                             : i < first_ ? Corner(0, i)
                                          : Corner((i - first_) / other_ + 1, (i - first_) % other_);
        const int64_t h = corner.h + kh * s_.filter.dilation_h, w = corner.w + kw * s_.filter.dilation_w;
        const bool inside = h >= 0 && h < s_.map.height && w >= 0 && w < s_.map.width;
        return inside ? h * s_.map.width + w : -1;
    }

private:
    struct Place {
        int64_t h, w;
    };
    static constexpr int64_t kCached = kFractalRows;  // the windows of one fractal

    Place Corner(int64_t row, int64_t column) const {
        const int64_t left = row == 0 ? s_.left_top_w : -int64_t{s_.map.left};
        return {s_.left_top_h + row * s_.filter.stride_h, left + column * s_.filter.stride_w};
    }

    // Windows from column w to the end of their row; the first is there even if it does not fit.
    int64_t InRow(int64_t w) const {
        const int64_t extent = int64_t{s_.filter.width - 1} * s_.filter.dilation_w + 1;
        const int64_t room = int64_t{s_.map.width} + s_.map.right - extent - w;
        return room < 0 || s_.filter.stride_w == 0 ? 1 : room / s_.filter.stride_w + 1;
    }

    const Load3Dv1& s_;
    int64_t first_, other_;
    std::array<Place, kCached> cached_;
};

// Output pixels whose tap lies inside the image, along one axis: [first, last] of [0, outputs).
struct Outputs {
    int64_t first, last;
    Outputs(int64_t extent, int64_t pad, int64_t tap, int64_t stride, int64_t outputs)
        : first(pad > tap ? (pad - tap + stride - 1) / stride : 0),
          last(extent - 1 + pad < tap ? -1 : std::min((extent - 1 + pad - tap) / stride, outputs - 1)) {}
};

// One window [m_begin, m_end) x [k_begin, k_end) of the matrix of Load3Dv2.
class Window {
public:
    Window(const Load3Dv2& s, const ImageMatrix& image, DataType type, uint64_t m_begin, uint64_t k_begin)
        : s_(s),
          c0_(C0Of(type)),
          type_(type),
          out_width_(static_cast<int64_t>(image.out_width)),
          out_height_(static_cast<int64_t>(image.rows / image.out_width)),
          m_begin_(m_begin),
          m_end_(std::min(m_begin + s.m_extension, image.rows)),
          k_begin_(k_begin),
          k_end_(std::min(k_begin + s.k_extension, image.columns)) {}

    // Addresses rise with the channel group: its first and its last group with a pixel inside the image decide.
    void AddTo(Hull* hull) const {
        if (m_begin_ >= m_end_ || k_begin_ >= k_end_) return;
        const uint64_t full = s_.channels / c0_, columns = Taps() * c0_;
        const uint64_t first = std::min(k_begin_ / columns, full), last = std::min((k_end_ - 1) / columns, full);
        uint64_t group = first;
        while (group <= last && !AddGroup(group, hull)) ++group;
        for (uint64_t g = last; g > group && !AddGroup(g, hull); --g) {
        }
    }

private:
    uint64_t Taps() const { return uint64_t{s_.filter.height} * s_.filter.width; }

    bool AddGroup(uint64_t group, Hull* hull) const {
        const uint64_t width = group < s_.channels / c0_ ? c0_ : s_.channels % c0_;  // channels of a pixel
        const uint64_t base = group * Taps() * c0_;
        const uint64_t first = (std::max(k_begin_, base) - base) / width;
        const uint64_t last = (std::min(k_end_, base + Taps() * width) - base - 1) / width;
        const uint64_t plane = group * s_.map.height * s_.map.width * c0_;
        bool found = false;
        for (uint64_t tap = first; tap <= last; ++tap) {
            uint64_t low, high;
            if (!Pixels(tap / s_.filter.width, tap % s_.filter.width, &low, &high)) continue;
            hull->Add(BytesOf(type_, plane + low * width), BytesOf(type_, plane + (high + 1) * width));
            found = true;
        }
        return found;
    }

    // First and last pixel inside the image that the rows of the window read for one tap.
    bool Pixels(uint64_t kh, uint64_t kw, uint64_t* low, uint64_t* high) const {
        const Filter& f = s_.filter;
        const int64_t down = static_cast<int64_t>(kh * f.dilation_h), right = static_cast<int64_t>(kw * f.dilation_w);
        const Outputs oh(s_.map.height, s_.map.top, down, f.stride_h, out_height_);
        const Outputs ow(s_.map.width, s_.map.left, right, f.stride_w, out_width_);
        if (oh.first > oh.last || ow.first > ow.last) return false;
        const int64_t begin = static_cast<int64_t>(m_begin_), end = static_cast<int64_t>(m_end_) - 1;
        int64_t h0 = begin / out_width_, w0 = begin % out_width_;
        if (w0 > ow.last) ++h0, w0 = ow.first;
        if (h0 < oh.first) h0 = oh.first, w0 = ow.first;
        w0 = std::max(w0, ow.first);
        int64_t h1 = end / out_width_, w1 = end % out_width_;
        if (w1 < ow.first) --h1, w1 = ow.last;
        if (h1 > oh.last) h1 = oh.last, w1 = ow.last;
        w1 = std::min(w1, ow.last);
        if (h0 > h1 || (h0 == h1 && w0 > w1)) return false;
        const auto pixel = [&](int64_t h, int64_t w) {
            return static_cast<uint64_t>((h * f.stride_h - s_.map.top + down) * s_.map.width + w * f.stride_w -
                                         s_.map.left + right);
        };
        *low = pixel(h0, w0);
        *high = pixel(h1, w1);
        return true;
    }

    const Load3Dv2& s_;
    uint64_t c0_;
    DataType type_;
    int64_t out_width_, out_height_;
    uint64_t m_begin_, m_end_, k_begin_, k_end_;
};

// How far the destination of Load3Dv2 reaches. The iterations of SetLoadDataRepeat make one larger matrix.
uint64_t DestinationBytes(const Record& r, const Load3Dv2& s) {
    const DataType type = r.dst().type;
    const uint64_t c0 = C0Of(type), more = s.repeats - uint64_t{1};
    const bool along_k = s.repeat_mode == 1;
    const uint64_t rows = s.m_extension + (along_k ? 0 : more * RoundUpTo(s.m_extension, kFractalRows));
    const uint64_t columns = s.k_extension + (along_k ? more * RoundUpTo(s.k_extension, c0) : 0);
    if (r.dst().memory == Memory::kL0B) return CeilDiv(rows, c0) * CeilDiv(columns, kFractalRows) * kFractalBytes;
    if (!s.transpose) return CeilDiv(rows, kFractalRows) * CeilDiv(columns, c0) * kFractalBytes;
    const uint64_t bytes = CeilDiv(columns, kFractalRows) * CeilDiv(RoundUpTo(rows, kFractalRows), c0) * kFractalBytes;
    // Rows past kExtension of the last fractal are not written in 32-bit data.
    return BitsOf(type) == 32 ? bytes - (RoundUpTo(columns, kFractalRows) - columns) * kBlockBytes : bytes;
}

// A pixel of an image in L1, whose addresses continue at 0 at the boundary.
void AddCircular(const Operand& o, uint64_t from_start, uint64_t bytes, uint64_t boundary, Runs& runs) {
    uint64_t at = o.offset + from_start;
    if (boundary == 0) return runs.AddAt(at, bytes);
    at %= boundary;
    const uint64_t first = std::min(bytes, boundary - at);
    runs.AddAt(at, first);
    runs.AddAt(0, bytes - first);
}

bool IsInside(int64_t h, int64_t w, const FeatureMap& map) {
    return h >= 0 && h < map.height && w >= 0 && w < map.width;
}

void PrintImage(Out out, const FeatureMap& map, const Filter& f) {
    fmt::format_to(out, " map={}x{} pad={},{},{},{} filter={}x{} stride={},{} dilation={},{}", map.height, map.width,
                   map.left, map.right, map.top, map.bottom, f.height, f.width, f.stride_h, f.stride_w, f.dilation_h,
                   f.dilation_w);
}

// What both Load3D forms print last.
template <class Load>
void PrintL1(Out out, const Load& s) {
    if (s.pad_value) fmt::format_to(out, " padvalue={:#x}", s.pad_value);
    if (s.boundary) fmt::format_to(out, " boundary={}", s.boundary);
}

}  // namespace

ImageMatrix MatrixOf(const Load3Dv2& s) {
    const auto outputs = [](int64_t extent, int64_t taps, int64_t dilation, int64_t stride) {
        const int64_t room = extent - (taps - 1) * dilation - 1;
        return room < 0 || stride == 0 || taps == 0 ? uint64_t{0} : static_cast<uint64_t>(room / stride + 1);
    };
    const FeatureMap& map = s.map;
    const Filter& f = s.filter;
    const uint64_t height = outputs(int64_t{map.height} + map.top + map.bottom, f.height, f.dilation_h, f.stride_h);
    const uint64_t width = outputs(int64_t{map.width} + map.left + map.right, f.width, f.dilation_w, f.stride_w);
    return {width, height * width, uint64_t{f.height} * f.width * s.channels};
}

Span SpanIn(const Record& r, const Load3Dv1& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    if (s.repeats == 0 || s.filter.width == 0 || s.filter.height == 0) return {o.offset, o.offset};
    if (operand == 0) return {o.offset, o.offset + ((s.repeats - uint64_t{1}) * s.jump_stride + 1) * kFractalBytes};
    const uint64_t c0 = C0Of(o.type), taps = uint64_t{s.filter.height} * s.filter.width;
    const uint64_t channels = !s.small_channels ? c0 : BitsOf(o.type) == 8 ? 8 : 4;
    const uint64_t first =
        ((s.small_channels ? 0 : uint64_t{s.c1_index}) * s.filter.height + s.fetch_h) * s.filter.width + s.fetch_w;
    const uint64_t count = (s.repeat_mode == 1 ? 1 : s.repeats) * (c0 / channels);
    const int64_t rows = int64_t{kFractalRows} * (s.repeat_mode == 1 ? s.repeats : 1);
    const Windows windows(s);
    Hull hull;
    // True: the tap reads a pixel. The pixels of one tap rise from window to window.
    const auto add = [&](uint64_t tap) {
        const uint64_t c1 = tap / taps;
        if (s.small_channels && c1 > 0) return false;
        const int64_t in_filter = static_cast<int64_t>(tap - c1 * taps);
        const int64_t kh = in_filter / s.filter.width, kw = in_filter - kh * s.filter.width;
        int64_t low = 0, high = rows - 1;
        while (low < rows && windows.Pixel(low, kh, kw) < 0) ++low;
        if (low == rows) return false;
        while (windows.Pixel(high, kh, kw) < 0) --high;
        const auto byte = [&](int64_t pixel) {
            return BytesOf(o.type, (c1 * s.map.height * s.map.width + static_cast<uint64_t>(pixel)) * channels);
        };
        hull.Add(byte(windows.Pixel(low, kh, kw)), byte(windows.Pixel(high, kh, kw) + 1));
        return true;
    };
    // Addresses rise with c1: the first and the last c1 with a pixel decide.
    uint64_t tap = first, last = first + count - 1;
    for (uint64_t c1 = tap / taps; tap <= last && (tap / taps == c1 || hull.empty()); ++tap) {
        add(tap);
        if (hull.empty()) c1 = (tap + 1) / taps;
    }
    bool found = false;
    for (uint64_t c1 = last / taps; last >= tap && (last / taps == c1 || !found); --last) {
        found |= add(last);
        if (!found) c1 = (last - 1) / taps;
    }
    return SourceSpan(o, hull, s.boundary);
}

void RunsIn(const Record& r, const Load3Dv1& s, int operand, const uint8_t*, Runs& runs) {
    const Filter& f = s.filter;
    if (f.width == 0 || f.height == 0) return;
    if (operand == 0) {
        for (uint64_t i = 0; i < s.repeats; ++i) runs.Add(i * s.jump_stride * kFractalBytes, kFractalBytes);
        return;
    }
    const Operand& o = r.src0();
    const uint64_t c0 = C0Of(o.type), channels = !s.small_channels ? c0 : BitsOf(o.type) == 8 ? 8 : 4;
    const uint64_t taps = uint64_t{f.height} * f.width, per_repeat = c0 / channels;
    const uint64_t first = ((s.small_channels ? 0 : uint64_t{s.c1_index}) * f.height + s.fetch_h) * f.width + s.fetch_w;
    int64_t h = s.left_top_h, w = s.left_top_w;
    for (uint64_t repeat = 0; repeat < s.repeats; ++repeat) {
        if (s.repeat_mode == 0) h = s.left_top_h, w = s.left_top_w;
        for (uint64_t row = 0; row < kFractalRows; ++row) {
            for (uint64_t t = 0; t < per_repeat; ++t) {
                const uint64_t tap = first + t + (s.repeat_mode == 0 ? repeat * per_repeat : 0), c1 = tap / taps;
                const int64_t ih = h + static_cast<int64_t>(tap % taps / f.width * f.dilation_h);
                const int64_t iw = w + static_cast<int64_t>(tap % f.width * f.dilation_w);
                if (!IsInside(ih, iw, s.map) || (s.small_channels && c1 > 0)) continue;
                const uint64_t pixel =
                    (c1 * s.map.height + static_cast<uint64_t>(ih)) * s.map.width + static_cast<uint64_t>(iw);
                AddCircular(o, BytesOf(o.type, pixel * channels), BytesOf(o.type, channels), s.boundary, runs);
            }
            w += f.stride_w;
            if (w + int64_t{f.width - 1} * f.dilation_w + 1 > int64_t{s.map.width} + s.map.right) {
                w = -int64_t{s.map.left};
                h += f.stride_h;
            }
        }
    }
}

void PrintIn(Out out, const Record&, const Load3Dv1& s) {
    PrintImage(out, s.map, s.filter);
    fmt::format_to(out, " c1={} fetch={},{} lefttop={},{} repeat={} mode={} jump={}{}", s.c1_index, s.fetch_h,
                   s.fetch_w, s.left_top_h, s.left_top_w, s.repeats, s.repeat_mode, s.jump_stride,
                   s.small_channels ? " csize" : "");
    PrintL1(out, s);
}

Span SpanIn(const Record& r, const Load3Dv2& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    const ImageMatrix image = MatrixOf(s);
    if (s.repeats == 0 || s.k_extension == 0 || s.m_extension == 0 || image.rows == 0 || image.columns == 0) {
        return {o.offset, o.offset};
    }
    if (operand == 0) return {o.offset, o.offset + DestinationBytes(r, s)};
    Hull hull;
    const uint64_t step = s.repeat_mode == 1 ? C0Of(o.type) : kFractalRows;
    for (uint64_t i = 0; i < s.repeats; ++i) {
        const uint64_t moved = i * s.repeat_stride * step;
        Window(s, image, o.type, s.m_start + (s.repeat_mode == 1 ? 0 : moved),
               s.k_start + (s.repeat_mode == 1 ? moved : 0))
            .AddTo(&hull);
    }
    return SourceSpan(o, hull, s.boundary);
}

void RunsIn(const Record& r, const Load3Dv2& s, int operand, const uint8_t*, Runs& runs) {
    const ImageMatrix image = MatrixOf(s);
    const Operand& o = OperandOf(r, operand);
    if (s.repeats == 0 || s.k_extension == 0 || s.m_extension == 0 || image.rows == 0 || image.columns == 0) return;
    const uint64_t c0 = C0Of(o.type);
    if (operand == 0) {
        const Span all = SpanIn(r, s, 0);
        const uint64_t more = s.repeat_mode == 1 ? s.repeats - uint64_t{1} : 0;
        const uint64_t columns = s.k_extension + more * RoundUpTo(s.k_extension, c0);
        const uint64_t unwritten = (RoundUpTo(columns, kFractalRows) - columns) * kBlockBytes;
        const bool partial = s.transpose && r.dst().memory != Memory::kL0B && BitsOf(o.type) == 32 && unwritten != 0;
        if (!partial) return runs.Add(0, all.end - all.begin);
        // Rows past kExtension of the last row of fractals are not written in 32-bit data.
        const uint64_t bytes = all.end - all.begin + unwritten, fractals = bytes / kFractalBytes;
        const uint64_t across = fractals / CeilDiv(columns, kFractalRows);
        for (uint64_t i = 0; i < fractals; ++i) {
            runs.Add(i * kFractalBytes, kFractalBytes - (i + across >= fractals ? unwritten : 0));
        }
        return;
    }
    const Filter& f = s.filter;
    const uint64_t full = s.channels / c0, taps = uint64_t{f.height} * f.width;
    for (uint64_t i = 0; i < s.repeats; ++i) {
        const uint64_t moved = i * s.repeat_stride;
        const uint64_t m0 = s.m_start + (s.repeat_mode == 1 ? 0 : moved * kFractalRows);
        const uint64_t k0 = s.k_start + (s.repeat_mode == 1 ? moved * c0 : 0);
        const uint64_t k_end = std::min(k0 + s.k_extension, image.columns);
        for (uint64_t m = m0; m < std::min(m0 + s.m_extension, image.rows); ++m) {
            for (uint64_t k = k0, next; k < k_end; k = next) {
                // The channels of one tap of one group.
                const uint64_t group = std::min(k / (taps * c0), full), width = group < full ? c0 : s.channels % c0;
                const uint64_t in_group = k - group * taps * c0, tap = in_group / width, channel = in_group % width;
                next = std::min(k_end, k - channel + width);
                const int64_t h = static_cast<int64_t>(m / image.out_width * f.stride_h + tap / f.width * f.dilation_h);
                const int64_t w = static_cast<int64_t>(m % image.out_width * f.stride_w + tap % f.width * f.dilation_w);
                const int64_t ih = h - s.map.top, iw = w - s.map.left;
                if (!IsInside(ih, iw, s.map)) continue;
                const uint64_t pixel = static_cast<uint64_t>(ih) * s.map.width + static_cast<uint64_t>(iw);
                const uint64_t element = group * s.map.height * s.map.width * c0 + pixel * width + channel;
                AddCircular(o, BytesOf(o.type, element), BytesOf(o.type, next - k), s.boundary, runs);
            }
        }
    }
}

void PrintIn(Out out, const Record&, const Load3Dv2& s) {
    PrintImage(out, s.map, s.filter);
    fmt::format_to(out, " channels={} m={}+{} k={}+{}{}", s.channels, s.m_start, s.m_extension, s.k_start,
                   s.k_extension, s.transpose ? " transpose" : "");
    if (s.repeats != 1) {
        fmt::format_to(out, " repeat={} mode={} repeatstride={}", s.repeats, s.repeat_mode, s.repeat_stride);
    }
    PrintL1(out, s);
}

}  // namespace sfumato::isa
