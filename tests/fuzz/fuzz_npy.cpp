// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/npy.h"
#include "foundation/error.h"

#include <cstdlib>

using namespace credence;

/// Any bytes as an NPY array, which survives being written and read again, and as an NPZ archive.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::span bytes(data, size);
    try {
        const NumberArray array   = read_npy(*open_memory("a", bytes));
        const std::string written = npy_bytes(array);
        const auto* first         = reinterpret_cast<const std::uint8_t*>(written.data());
        const NumberArray again   = read_npy(*open_memory("b", std::span(first, written.size())));
        if (npy_bytes(again) != written)
            std::abort();   // by bytes: NaN is not equal to itself
    } catch (const Error&) {}
    try {
        const NpzFile file("a", bytes);
        for (const std::string& name : file.names())
            file.read(name);
    } catch (const Error&) {}
    return 0;
}
