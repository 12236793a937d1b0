// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/npy.h"
#include "fuzz/reader.h"

namespace credence::fuzz {

/// Any bytes as an NPY array, which survives being written and read again, and as an NPZ archive.
bool read_npy_files(Bytes input)
{
    bool accepted = attempt([&] {
        const NumberArray array   = read_npy(*open_memory("a", input));
        const std::string written = npy_bytes(array);
        const auto* first         = reinterpret_cast<const std::uint8_t*>(written.data());
        const NumberArray again   = read_npy(*open_memory("b", std::span(first, written.size())));
        holds(npy_bytes(again) == written, "an array is the same after it was written and read");   // NaN too
    });
    accepted |= attempt([&] {
        const NpzFile file("a", input);
        for (const std::string& name : file.names())
            file.read(name);
    });
    return accepted;
}

}   // namespace credence::fuzz
