// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// What an Experiment knows of outputs that were made elsewhere. There is no net that could be asked: the inputs of such an experiment are the numbers of the rows,
/// those of the foreign file after its own, and its posterior (posterior/outputs_posterior.h) looks the outputs up. See docs/architecture.md, "Imported predictions".
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
        std::string note;   ///< what was changed on reading, as a sentence; or empty
    };
    Part own, other;       ///< other.n is 0 where there is no foreign file
    std::string numbers;   ///< "probabilities", "logits", "mean and variance"

    /// The bytes of the image that belongs to a row, counted through both files; empty: there is none of the size of the file's own.
    std::span<const std::uint8_t> image(std::size_t row) const;
};

}   // namespace credence
