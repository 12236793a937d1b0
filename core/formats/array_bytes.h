// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/number_array.h"
#include "formats/byte_source.h"

#include <bit>
#include <span>

namespace credence {

// Shared by the readers of IDX and NPY.

/// Product of `shape` times `size_of_number`. @throws Error if it does not fit 2^62
std::uint64_t byte_count(const std::string& file, const std::vector<std::size_t>& shape, std::size_t size_of_number);

/// The source must be exactly header + body bytes long; the check allocates nothing. Leaves the
/// source at the body.
/// @throws Error "a.idx: found 20 bytes, expected 16 of header and 784000000000 of numbers
/// (1000000000 × 28 × 28)."
void require_length(ByteSource& source, std::uint64_t header, std::uint64_t body,
                    const std::vector<std::size_t>& shape);

/// Reads `n` numbers of the type held by `values`, in the given byte order.
void read_numbers(ByteSource& source, std::size_t n, std::endian order, NumberArray::Values& values);

}   // namespace credence
