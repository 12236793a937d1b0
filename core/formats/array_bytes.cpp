// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/array_bytes.h"

#include "foundation/error.h"

#include <algorithm>
#include <type_traits>

namespace credence {

std::uint64_t byte_count(const std::string& file, const std::vector<std::size_t>& shape, std::size_t size_of_number)
{
    if (std::find(shape.begin(), shape.end(), 0u) != shape.end())
        return 0;
    constexpr std::uint64_t most = std::uint64_t{1} << 62;
    std::uint64_t bytes          = size_of_number;
    for (const std::size_t n : shape) {
        if (n > most / bytes)
            throw Error(file + ": announces " + shape_text(shape)
                        + " numbers, expected no more than the file "
                          "contains.");
        bytes *= n;
    }
    return bytes;
}

void require_length(ByteSource& source, std::uint64_t header, std::uint64_t body, const std::vector<std::size_t>& shape)
{
    const std::uint64_t found = source.length(header + body);
    if (found != header + body)
        throw Error(source.name() + ": found "
                    + (found > header + body ? "more than " + std::to_string(header + body) : std::to_string(found))
                    + " bytes, expected " + std::to_string(header) + " of header and " + std::to_string(body)
                    + " of numbers (" + shape_text(shape) + ").");
    source.rewind();
    std::vector<std::uint8_t> passed_over(static_cast<std::size_t>(header));
    read_exactly(source, passed_over, "the header");
}

void read_numbers(ByteSource& source, std::size_t n, std::endian order, NumberArray::Values& values)
{
    std::visit(
        [&](auto& v) {
        using Number = typename std::decay_t<decltype(v)>::value_type;
        v.resize(n);
        const std::span bytes(reinterpret_cast<std::uint8_t*>(v.data()), n * sizeof(Number));
        read_exactly(source, bytes, "its numbers");
        if (order != std::endian::native && sizeof(Number) > 1)
            for (std::size_t i = 0; i < n; ++i)
                std::ranges::reverse(bytes.subspan(i * sizeof(Number), sizeof(Number)));
        },
        values);
}

}   // namespace credence
