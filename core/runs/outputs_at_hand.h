// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// Imported predictions of an Experiment. There is no network: the inputs of such an experiment are
/// row numbers, with those of the OOD file after its own, and its posterior
/// (posterior/outputs_posterior.h) looks the outputs up. See docs/architecture.md, "Imported predictions".
struct OutputsAtHand {
    /// The rows of one file.
    struct Part {
        std::string name;                         ///< of the file
        std::size_t n = 0;                        ///< rows
        std::vector<int> labels;                  ///< [n], or empty
        std::vector<std::string> class_names;     ///< [K]
        std::shared_ptr<const ImageSet> images;   ///< [n], or null
        std::vector<double> inputs;               ///< [n × n_inputs], original units, or empty
        std::size_t n_inputs = 0;
        std::string note;   ///< a sentence about changes made on reading; may be empty
    };
    Part own, other;       ///< other.n is 0 without an OOD file
    std::string numbers;   ///< "probabilities", "logits", "mean and variance"

    /// Returns the bytes of the image of a row, numbered through both files; empty: no image of the
    /// size used by the file.
    std::span<const std::uint8_t> image(std::size_t row) const;
};

}   // namespace credence
