// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/number_array.h"

#include <type_traits>

namespace credence {

std::size_t NumberArray::size() const
{
    return std::visit([](const auto& v) { return v.size(); }, values);
}

double NumberArray::at(std::size_t i) const
{
    return std::visit([i](const auto& v) { return static_cast<double>(v[i]); }, values);
}

bool NumberArray::integer() const
{
    return std::visit([](const auto& v) { return std::is_integral_v<typename std::decay_t<decltype(v)>::value_type>; },
                      values);
}

const char* type_name(const NumberArray::Values& values)
{
    constexpr const char* names[] = {"uint8", "int8",   "uint16", "int16",   "uint32",
                                     "int32", "uint64", "int64",  "float32", "float64"};
    return names[values.index()];
}

std::string shape_text(const std::vector<std::size_t>& shape)
{
    if (shape.empty())
        return "a single number";
    std::string text = std::to_string(shape[0]);
    for (std::size_t d = 1; d < shape.size(); ++d)
        text += " × " + std::to_string(shape[d]);
    return text;
}

}   // namespace credence
