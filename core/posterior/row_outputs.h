// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simplex/logit_gaussian.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace credence {

/// Draws of the outputs of numbered rows that stand somewhere already, so that no weights are needed to know them. Its members may be called from many threads.
class RowOutputs {
public:
    enum class Kind { probabilities, logits, log_probabilities };

    virtual ~RowOutputs() = default;

    virtual int n_draws() const        = 0;   ///< S >= 1
    virtual std::size_t n_rows() const = 0;   ///< N >= 1, at most `most_rows`
    virtual int n_classes() const      = 0;   ///< K >= 2
    virtual Kind exact_kind() const = 0;   ///< probabilities or log_probabilities: the one whose reading costs no digit

    /// The first `n_draws` draws of some rows, in double. Probabilities of logits are their softmax. Logits of probabilities are ln max(p, 1e-12), so that they have moments;
    /// log probabilities have no such floor: ln 0 is −inf.
    /// @param rows  below n_rows(), quickest where they follow one another
    /// @param out   [n_draws × rows.size() × K]
    /// @return      false if `stop` was requested
    /// @throws Error that names file, draw and row for numbers that are none of this kind
    virtual bool read(Kind kind, std::span<const std::uint32_t> rows, int n_draws, std::span<double> out,
                      const std::stop_token& stop) const = 0;

    /// Are the distributions of the logits themselves known, not draws of them alone?
    virtual bool has_gaussians() const { return false; }
    /// That of one row; empty if it is not known. @throws Error as read
    virtual std::optional<LogitGaussian> gaussian(std::uint32_t /*row*/) const { return {}; }

    static constexpr std::size_t most_rows = std::size_t{1} << 24;   ///< float32 holds every whole number up to here
};

/// The rows that inputs name: of such outputs an input is the number of its row.
/// @param inputs  [n]
/// @throws Error  "Outputs from elsewhere are known of rows 0 to 99 alone, but 0.5 was asked for."
std::vector<std::uint32_t> rows_named(std::span<const float> inputs, const RowOutputs& outputs);

}   // namespace credence
