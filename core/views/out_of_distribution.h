// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/density.h"
#include "prediction/scores.h"
#include "views/page_images.h"

#include <span>

namespace credence {

/// A network's uncertainty about in-distribution inputs compared with out-of-distribution (OOD)
/// inputs (Hobbhahn 2020, Table 5.1; the functional-BNN submission, Fig. 2).
struct OodFigure {
    OutOfDistribution numbers;
    std::string in_name, out_name;                    ///< "MNIST, test set", "Fashion-MNIST"
    Histogram in_entropy, out_entropy;                ///< the same bins over [0, ln K]
    std::vector<double> at, in_cdf, out_cdf;          ///< share of inputs with H(p̄) <= at
    ImageList::Row surest_ood, least_confident_own;   ///< images; can be empty
    std::vector<std::string> class_names;
};

/// Numbers and curves; the caller fills the rows of images.
OodFigure ood_figure(const ClassPredictions& in, const ClassPredictions& out, std::string in_name,
                     std::string out_name);
Chart to_chart(const OodFigure& figure);

/// Returns the mean of the numbers and of the distribution functions of runs that were evaluated on
/// the same inputs; no images. At least one.
OodFigure mean_of_uncertainties(std::span<const OodFigure> figures);

/// The uncertainty of several networks about the same OOD inputs: their distribution functions in
/// one panel, together with those of the in-distribution inputs (the functional-BNN submission,
/// Fig. 2). @param names  of the networks
Chart overlay_of_uncertainties(std::span<const OodFigure> figures, std::span<const std::string> names);

}   // namespace credence
