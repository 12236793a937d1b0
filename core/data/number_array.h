// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace credence {

/// Numbers of one type in C order (last index fastest): the contents of IDX and NPY files.
struct NumberArray {
    using Values =
        std::variant<std::vector<std::uint8_t>, std::vector<std::int8_t>, std::vector<std::uint16_t>,
                     std::vector<std::int16_t>, std::vector<std::uint32_t>, std::vector<std::int32_t>,
                     std::vector<std::uint64_t>, std::vector<std::int64_t>, std::vector<float>, std::vector<double>>;

    std::vector<std::size_t> shape;   ///< empty: a single number
    Values values;                    ///< [product of shape]

    std::size_t size() const;
    double at(std::size_t i) const;   ///< number i in C order; 64-bit integers above 2^53 are rounded
    bool integer() const;
    bool operator==(const NumberArray&) const = default;
};

/// "int16", the NumPy name.
const char* type_name(const NumberArray::Values& values);
/// "10000 × 28 × 28"; "a single number" for none.
std::string shape_text(const std::vector<std::size_t>& shape);

}   // namespace credence
