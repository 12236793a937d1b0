// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/ood.h"

#include "foundation/error.h"
#include "prediction/scores.h"

#include <numeric>

namespace credence {

namespace {

double mean(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// AUROC with uncertainty as the score: lower uncertainty is a higher score.
double auroc_of_doubt(const std::vector<double>& in, const std::vector<double>& out)
{
    return auroc(out, in);   // P(uncertainty of OOD > uncertainty of ID): the same as with both signs reversed
}

}   // namespace

OutOfDistribution out_of_distribution(const ClassPredictions& in, const ClassPredictions& out)
{
    if (in.n_inputs == 0 || out.n_inputs == 0)
        throw Error("Out of distribution: found " + std::to_string(in.n_inputs) + " inputs of the data and "
                    + std::to_string(out.n_inputs) + " OOD inputs, expected some of both.");
    if (in.n_classes != out.n_classes)
        throw Error("Out of distribution: predictions of " + std::to_string(in.n_classes) + " and of "
                    + std::to_string(out.n_classes) + " classes do not come from the same network.");
    return {.n_in                 = in.n_inputs,
            .n_out                = out.n_inputs,
            .mmc_in               = mean_max_confidence(in),
            .mmc_out              = mean_max_confidence(out),
            .mean_entropy_in      = mean(in.entropy),
            .mean_entropy_out     = mean(out.entropy),
            .mean_information_in  = mean(in.mutual_information),
            .mean_information_out = mean(out.mutual_information),
            .auroc_confidence     = auroc(confidence_scores(in), confidence_scores(out)),
            .auroc_entropy        = auroc_of_doubt(in.entropy, out.entropy),
            .auroc_information    = auroc_of_doubt(in.mutual_information, out.mutual_information)};
}

}   // namespace credence
