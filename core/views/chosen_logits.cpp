// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/chosen_logits.h"

#include "foundation/enum_names.h"
#include "foundation/error.h"
#include "posterior/outputs_posterior.h"
#include "prediction/linearised_logits.h"
#include "prediction/logit_samples.h"
#include "study/method.h"
#include "views/view_support.h"

#include <algorithm>

namespace credence {
namespace {

constexpr EnumNames<LogitsBy, 2> logits_methods{
    {{LogitsBy::linearisation, "linearisation"}, {LogitsBy::samples, "draws"}}};

}   // namespace

bool gives_logits(const RunSnapshot& run)
{
    if (run.experiment->task() != Task::classification)
        return false;
    return PosteriorPredictive(run.experiment->model, run.snapshot->posterior, 2, run.experiment->study.seed)
               .n_samples()
           == 2;   // 1 if all draws agree
}

std::string why_no_logits(const RunSnapshot& run)
{
    const std::string fact =
        "Every sample gives the same class probabilities, so their distribution is a single point. ";
    return fact
           + (method_of(run.experiment->study).training.fits_curvature
                  ? "This is the point estimate. It has no spread until its curvature is fitted, after the last step."
                  : "Train a family other than the point estimate.");
}

bool gives_linearised_logits(const RunSnapshot& run)
{
    return gives_logits(run) && run.snapshot->posterior->has_weight_noise()
           && run.snapshot->posterior->has_covariance();
}

std::string why_not_linearised(const RunSnapshot& run)
{
    if (const auto& outputs = run.experiment->outputs)
        return outputs->own.name
               + " contains predictions only; its weights are not available. Only samples can be used.";
    if (!run.snapshot->posterior->has_covariance())
        return "Some weights of this run are pruned. For this curvature the covariance of the remaining weights has "
               "no closed form, so only samples can be used.";
    return gives_logits(run)
               ? "The weights of this run have no covariance because its noise is in the activations. Only "
                 "samples can be used."
               : why_no_logits(run);
}

LogitsBy usual_logits_by(const RunSnapshot& run)
{
    return method_of(run.experiment->study).training.fits_curvature && gives_linearised_logits(run)
               ? LogitsBy::linearisation
               : LogitsBy::samples;
}

LogitsBy logits_by(const RunSnapshot& run, const ViewOptions& options)
{
    return options.logits_by.value_or(usual_logits_by(run));
}

const char* name(LogitsBy by) { return logits_methods.name_of(by); }

LogitsBy logits_by_named(const std::string& wanted)
{
    return logits_methods.value_of(wanted, "The method for the logits");
}

const RowOutputs* known_gaussians(const RunSnapshot& run)
{
    const auto* imported = outputs_of(*run.snapshot->posterior);
    return imported && imported->has_gaussians() ? imported : nullptr;
}

std::string bridge_text(const RunSnapshot& run, const ViewOptions& options)
{
    return std::string(known_gaussians(run)                                 ? " Logits: the Gaussians in the file"
                       : logits_by(run, options) == LogitsBy::linearisation ? " Logits by linearisation"
                                                                            : " Logits by sample moments")
           + "; Laplace Bridge: " + name(options.simplex.density.variant) + ".";
}

std::optional<LogitGaussian> chosen_logits(const RunSnapshot& run, const ViewOptions& options, LogitsBy by,
                                           std::stop_token stop)
{
    const auto& experiment = *run.experiment;
    if (experiment.task() != Task::classification)
        throw Error("A Gaussian over logits needs classes, but this run predicts a numeric target.");
    if (!gives_logits(run))
        throw Error(
            "posterior.family",
            "A Gaussian over logits needs weights that vary, but all samples of this posterior agree. Train a family "
            "other than the point estimate.");
    if (by == LogitsBy::linearisation && !gives_linearised_logits(run))
        throw Error("This run has no Gaussian over logits by linearisation. " + why_not_linearised(run));
    const auto input = view_support::chosen_input(run, options.input);
    if (by == LogitsBy::linearisation) {
        auto logits = linearised_logits(experiment.model, *run.snapshot->posterior, input.standardised, 1, stop);
        if (logits.empty())
            return {};
        return std::move(logits.front());
    }
    if (const auto* known = known_gaussians(run))
        return known->gaussian(rows_named(input.standardised, *known).front());
    const int samples = std::max(2, options.samples > 0 ? options.samples : experiment.study.prediction.samples);
    const auto draws  = sample_logits(view_support::model_of_weight_draws(experiment), *run.snapshot->posterior,
                                      input.standardised, 1, samples, experiment.study.seed, stop,
                                      view_support::draws_of_chosen(run, options));
    if (draws.n_samples == 0)
        return {};
    return logits_by_moments(draws, view_support::added_variance(experiment)).front();
}

}   // namespace credence
