// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outputs/logits_file.h"
#include "posterior/row_outputs.h"

#include <mutex>

namespace credence {

/// Samples of the logits from the Gaussians of a file, z_s = μ + L ξ_s with L Lᵀ = Σ, and of
/// softmax(z_s). Sample s of row i is a pure function of (seed, s, i).
class GaussianOutputs final : public RowOutputs {
public:
    explicit GaussianOutputs(std::shared_ptr<const LogitsFile> file, int n_draws = 200, std::uint64_t seed = 1);

    int n_draws() const override { return n_draws_; }
    std::size_t n_rows() const override { return file_->n_rows(); }
    int n_classes() const override { return file_->n_classes(); }
    Kind exact_kind() const override { return Kind::log_probabilities; }
    bool read(Kind kind, std::span<const std::uint32_t> rows, int n_draws, std::span<double> out,
              const std::stop_token& stop) const override;
    bool has_gaussians() const override { return true; }
    std::optional<LogitGaussian> gaussian(std::uint32_t row) const override;

private:
    std::shared_ptr<const LogitsFile> file_;
    int n_draws_;
    std::uint64_t seed_;
    mutable std::mutex mutex_;
    mutable LogitsReader reader_;
};

}   // namespace credence
