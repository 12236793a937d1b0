// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz/reader.h"
#include "outputs/outputs_file.h"

#include <cmath>
#include <numeric>

namespace credence::fuzz {

/// Any bytes as an .npz of outputs: an accepted file has probabilities that add up to 1, the same
/// row by row as all at once, and Gaussians of as many classes.
bool read_outputs(Bytes input)
{
    return attempt([&] {
        const auto file = open_outputs("a.npz", input);
        const auto N = file.rows->n_rows(), K = static_cast<std::size_t>(file.rows->n_classes());
        if (N > 64 || K > 64 || file.rows->n_draws() > 256)
            return;   // slow, not interesting
        const auto S = static_cast<std::size_t>(file.rows->n_draws());
        std::vector<std::uint32_t> rows(N);
        std::iota(rows.begin(), rows.end(), 0U);
        std::vector<double> all(S * N * K), one(S * K);
        file.rows->read(RowOutputs::Kind::probabilities, rows, static_cast<int>(S), all, {});
        for (std::size_t i = 0; i < N; ++i) {
            if (file.rows->has_gaussians())
                holds(file.rows->gaussian(rows[i]).value().mu().size() == K, "a Gaussian has all classes");
            file.rows->read(RowOutputs::Kind::probabilities, std::span(rows).subspan(i, 1), static_cast<int>(S), one,
                            {});
            for (std::size_t s = 0; s < S; ++s) {
                double sum = 0;
                for (std::size_t k = 0; k < K; ++k) {
                    holds(one[s * K + k] == all[(s * N + i) * K + k], "a row is the same alone as among others");
                    sum += one[s * K + k];
                }
                holds(std::fabs(sum - 1) < 2e-3, "probabilities add up to 1");
            }
        }
        holds(file.part.labels.empty() || file.part.labels.size() == N, "every row has a label, or none has");
    });
}

}   // namespace credence::fuzz
