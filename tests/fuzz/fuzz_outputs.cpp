// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "outputs/outputs_file.h"

#include <cmath>
#include <cstdlib>
#include <vector>

using namespace credence;

/// Any bytes as an .npz of outputs: what is accepted has probabilities that add up to 1, the same row by row as all at once, and Gaussians of as many classes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    try {
        const auto file = open_outputs("a.npz", std::span(data, size));
        const auto N = file.rows->n_rows(), K = static_cast<std::size_t>(file.rows->n_classes());
        if (N > 64 || K > 64 || file.rows->n_draws() > 256)
            return 0;   // slow, not interesting
        const auto S = static_cast<std::size_t>(file.rows->n_draws());
        std::vector<std::uint32_t> rows(N);
        for (std::size_t i = 0; i < N; ++i)
            rows[i] = static_cast<std::uint32_t>(i);
        std::vector<float> all(S * N * K), one(S * K);
        file.rows->read(RowOutputs::Kind::probabilities, rows, static_cast<int>(S), all, {});
        for (std::size_t i = 0; i < N; ++i) {
            if (file.rows->has_gaussians() && file.rows->gaussian(rows[i]).value().mu().size() != K)
                std::abort();
            file.rows->read(RowOutputs::Kind::probabilities, std::span(rows).subspan(i, 1), static_cast<int>(S), one,
                            {});
            for (std::size_t s = 0; s < S; ++s) {
                double sum = 0;
                for (std::size_t k = 0; k < K; ++k) {
                    if (one[s * K + k] != all[(s * N + i) * K + k])
                        std::abort();
                    sum += static_cast<double>(one[s * K + k]);
                }
                if (!(std::fabs(sum - 1) < 2e-3))
                    std::abort();
            }
        }
        if (!file.part.labels.empty() && file.part.labels.size() != N)
            std::abort();
    } catch (const Error&) {}
    return 0;
}
