// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz/reader.h"
#include "outputs/bridge_of_file.h"

#include <cmath>

namespace credence::fuzz {

/// Any bytes as an .npz of Gaussians over logits: an accepted file has Dirichlets and lists, the
/// same in blocks as row by row.
bool read_logits(Bytes input)
{
    return attempt([&] {
        const auto file = LogitsFile::open("a.npz", input);
        if (file->n_rows() > 64 || file->n_classes() > 64)
            return;   // slow, not interesting
        const auto totals = bridge_of_file(file, {});
        holds(totals && totals->n == file->n_rows() && std::isfinite(totals->mean_length),
              "every row has a list of finite length");
        LogitsReader reader(file);
        for (std::size_t i = file->n_rows(); i-- > 0;)
            holds(reader.row(i).n_classes() == file->n_classes(), "every row has all classes");
    });
}

}   // namespace credence::fuzz
