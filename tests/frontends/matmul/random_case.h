// SPDX-License-Identifier: Apache-2.0
// A product drawn from a number: what lies where, who computes which piece, and every byte of the result, worked out
// element by element from adv.md 2.2, 2.8 and 2.9.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "lib/matmul_intf.h"
#include "sfumato/launch.h"
#include "sfumato/tiling/cube_planner.h"

namespace sfumato::matmul_test {

using namespace AscendC;

// How a matrix is stored: rows and columns of storage, a matrix after the other.
struct Stored {
    DataType type;
    bool nz = false, transposed = false;
    int64_t rows = 0, pitch = 0;        // ND: elements from row to row
    int64_t c0 = 1;                     // NZ: columns of a fractal
    int64_t batch = 0, batches = 1;     // elements from a matrix to the next
    uint64_t count = 0;                 // elements in all
    std::vector<double> values;         // as the type holds them
    std::vector<uint8_t> bytes;
    // Of the matrix as the product means it.
    uint64_t At(int64_t row, int64_t column, int64_t b = 0) const;
};

struct RandomCase {
    enum class How : uint8_t { kAll, kLoop, kAsync };
    enum class Quant : uint8_t { kNone, kScalar, kVector };

    explicit RandomCase(uint64_t number);
    // Base sizes, depths, steps and the order of blocks differ from variant to variant: none may change a byte (adv.md 3.5).
    TCubeTiling Tiling(uint64_t variant) const;
    // The bytes C must hold after the launch.
    std::vector<uint8_t> Want() const;
    std::string Text() const;
    const char* chip() const { return coupled ? "Ascend310P3" : "Ascend910B1"; }
    int32_t cores() const { return pieces_m * pieces_n * parts_k; }
    // The tiling's types.
    tiling::CubeTypes Types() const;

    uint64_t number;
    DataType in, out, bias_type;
    bool has_bias = false, whole_numbers = false, relu = false, mdl = false, one_bias = false;
    CubeFormat format_a = CubeFormat::ND, format_b = CubeFormat::ND, format_c = CubeFormat::ND;
    LayoutMode layout = LayoutMode::NONE;
    int32_t batch_a = 1, batch_b = 1;  // of a core
    int32_t axis_n = 1, axis_g = 1, axis_b = 1;
    int32_t m, n, k;  // of all cores together; of a batch
    int32_t org_m, org_n, org_ka, org_kb, org_kc = 0;
    int32_t single_m, single_n, single_k;
    int32_t pieces_m = 1, pieces_n = 1, parts_k = 1;
    bool coupled = false;  // on Ascend310P, whose cores have both units
    CoreChoice core = CoreChoice::kCube;
    bool direct = false;  // MatmulImpl
    How how = How::kAll;
    Quant quant = Quant::kNone;
    uint8_t atomic = 0;
    Stored a, b, c, bias;
    std::vector<uint64_t> words;

private:
    using Random = std::mt19937_64;
    void DrawTypes(Random& random);
    void DrawForms(Random& random);
    void DrawBatches(Random& random);
    void DrawSizes(Random& random);
    void DrawMatrices(Random& random);
    int32_t UnitM() const;
    int32_t UnitN() const;
    bool integers() const { return in == DataType::kInt8 || in == DataType::kInt4; }
    double Accumulated(int64_t row, int64_t column, int64_t first_k, int64_t end_k, int64_t batch, bool add_bias) const;
    double Converted(double accumulator, int64_t column) const;
};

// An element of the type in memory, and what it holds.
double Put(std::vector<uint8_t>& bytes, DataType type, uint64_t index, double value);

}  // namespace sfumato::matmul_test
