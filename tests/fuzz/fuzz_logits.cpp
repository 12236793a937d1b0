// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "outputs/bridge_of_file.h"

#include <cmath>
#include <cstdlib>

using namespace credence;

/// Any bytes as an .npz of Gaussians over logits: what is accepted has Dirichlets and lists, block by block as row by row.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    try {
        const auto file = LogitsFile::open("a.npz", std::span(data, size));
        if (file->n_rows() > 64 || file->n_classes() > 64)
            return 0;   // slow, not interesting
        const auto totals = bridge_of_file(file, {});
        if (!totals || totals->n != file->n_rows() || !std::isfinite(totals->mean_length))
            std::abort();
        LogitsReader reader(file);
        for (std::size_t i = file->n_rows(); i-- > 0;)
            if (reader.row(i).n_classes() != file->n_classes())
                std::abort();
    } catch (const Error&) {}
    return 0;
}
