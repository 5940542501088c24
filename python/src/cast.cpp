// SPDX-License-Identifier: Apache-2.0
// Whole-array conversions and products for Python.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "module.h"
#include "numeric/convert.h"
#include "data_types.h"
#include "launch_options.h"
#include "sfumato/environment.h"
#include "sfumato/launch.h"
#include "sfumato/launch_option.h"

namespace nb = nanobind;

namespace sfumato::python {

namespace {

using InputBytes = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using OutputBytes = nb::ndarray<uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using InputFloats = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using OutputFloats = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Options that do not change from one piece of an array to the next.
struct Caster {
    CastOptions options;
    DataType src_type, dst_type;

    // Whether the policy limited a result that a board would not have, though nobody asked for it.
    bool Run(InputBytes src, OutputBytes dst, uint64_t n) const {
        // int4 arrays hold one element a byte.
        const auto bytes = [n](DataType t) { return n * std::max(BitsOf(t), 8u) / 8; };
        if (src.size() != bytes(src_type) || dst.size() != bytes(dst_type)) throw Error("internal: wrong piece size");
        nb::gil_scoped_release release;
        const bool limited = CastArray(options, src_type, src.data(), dst_type, dst.data(), n);
        return limited && !options.overflow && ChipOf(options.chip).board_overflow == Overflow::kInfNan;
    }
};

}  // namespace

void BindCast(nb::module_& m) {
    nb::class_<Caster>(m, "Caster")
        .def("__init__",
             [](Caster* self, const std::string& chip, const std::string& src, const std::string& dst,
                const std::string& round_mode, const std::optional<std::string>& overflow,
                const std::string& cast_round, int deq_kind, double deq_scale, const std::vector<uint64_t>& deq_words) {
                 new (self) Caster{};
                 self->options.chip = chip;
                 self->options.round_mode = round_mode;
                 LaunchOptions words;
                 SetOption(words, kPython, "overflow", nb::cast(overflow));
                 SetOption(words, kPython, "cast_round", nb::cast(cast_round));
                 self->options.overflow = words.overflow;
                 self->options.cast_round_ties = words.cast_round_ties;
                 self->options.deq_kind = deq_kind;
                 self->options.deq_scale = deq_scale;
                 std::copy_n(deq_words.begin(), std::min<size_t>(deq_words.size(), 16), self->options.deq_words);
                 self->src_type = DataTypeOf(src);
                 self->dst_type = DataTypeOf(dst);
             })
        .def("run", &Caster::Run);

    m.def("ways_to_add", [](const std::string& type) { return WaysToAdd(DataTypeOf(type)); });
    m.def("multiply_arrays", [](const std::string& way, const std::string& type, InputFloats a, InputFloats b,
                                OutputFloats c, uint64_t k_of_call, bool saturate) {
        const ProductOfArrays product{way,       DataTypeOf(type), a.shape(0), b.shape(1), a.shape(1),
                                      k_of_call, a.data(),         b.data(),   c.data(),   saturate};
        const nb::gil_scoped_release release;
        MultiplyArrays(product);
    });

    m.def("deq_word", [](double scale, int64_t offset, bool is_signed) {
        uint64_t word = 0;
        if (offset < -256 || offset > 255) {
            throw Error("deqscale: the offset " + std::to_string(offset) + " is outside [-256, 255]");
        }
        if (!numeric::PackDeqWord(scale, offset, is_signed, &word)) {
            throw Error("deqscale: the scale " + std::to_string(scale) +
                        " is outside the 1-8-10 format (finite, magnitude below 2^128)");
        }
        return word;
    });
}

}  // namespace sfumato::python
