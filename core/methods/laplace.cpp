// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/progress.h"
#include "laplace/fit_curvature.h"
#include "methods/chain_settings.h"
#include "methods/trained.h"
#include "runs/archive_parts.h"
#include "runs/laplace_fit.h"
#include "study/field_makers.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace credence {

using namespace method_parts;

namespace {

using field_makers::choice;
using field_makers::Option;
using field_makers::plain;
const std::vector<Option<CurvatureStructure>> structures = {
    {CurvatureStructure::diagonal,
     {"diagonal", "Diagonal",
      "Each weight by itself: cheap at any size, but overconfident, since it ignores weights that compensate for each "
      "other."}},
    {CurvatureStructure::kronecker,
     {"kronecker", "Kronecker-factored",
      "Two small matrices per layer, for the correlations of its inputs and of its outputs. The choice for most "
      "networks."}},
    {CurvatureStructure::full,
     {"full", "Full",
      "All pairs of weights: the reference, for networks with a few thousand weights or the last layer."}},
};

const std::vector<Option<CurvatureLayers>> curved_layers = {
    {CurvatureLayers::all, {"all", "All layers", "All weights are uncertain."}},
    {CurvatureLayers::last,
     {"last", "Last layer",
      "Only the last layer is uncertain; the others are fixed features. Cheap, and often nearly as good."}},
};

const std::vector<Option<CurvatureKind>> curvatures = {
    {CurvatureKind::ggn,
     {"ggn", "Gauss–Newton", "Σ JᵀΛJ with the likelihood's curvature Λ: positive semidefinite. The default."}},
    {CurvatureKind::hessian,
     {"hessian", "Exact Hessian",
      "Includes the second derivatives of the network. Equal to Gauss–Newton for the last layer, and on the diagonal "
      "of networks with ReLU and pooling; otherwise for small networks."}},
};

const std::vector<Option<KroneckerForm>> forms = {
    {KroneckerForm::joint,
     {"joint", "B ⊗ A + λI", "λ is added to the product; the bias is treated as one more input. The default."}},
    {KroneckerForm::split, {"split", "B ⊗ A + λI, biases apart", "The biases have a separate block, B + λI."}},
    {KroneckerForm::square_root,
     {"square_root", "(B/√N + √λI) ⊗ (√N A + √λI)", "√λ is added to each factor, to reproduce Hobbhahn 2020, (3.8)."}},
};

const std::vector<Option<PrecisionFrom>> precisions = {
    {PrecisionFrom::hand, {"hand", "By hand", "The value below, or the slider of the Laplace panel."}},
    {PrecisionFrom::evidence,
     {"evidence", "Maximum of the evidence",
      "The λ that makes the data most probable; needs no validation data (MacKay 1992)."}},
    {PrecisionFrom::confidence,
     {"confidence", "Target confidence",
      "The λ at which the mean confidence on the training data equals the value below."}},
    {PrecisionFrom::confidence_below,
     {"confidence_below_map", "Confidence below the point estimate's",
      "The λ at which the mean confidence on the training data is a given percentage (default 5) below that of the "
      "point estimate; found separately for each run and seed (Hobbhahn 2020)."}},
};

const std::vector<Option<LaplacePredictive>> predictives = {
    {LaplacePredictive::linearised,
     {"linearised", "Linearised network",
      "f(x; θ_MAP) + J(x)(θ − θ_MAP): the model that the curvature and the evidence belong to. The choice for most "
      "networks."}},
    {LaplacePredictive::weights,
     {"weights", "Weight samples",
      "The original network at every sample. If the Gaussian is wide, samples no longer fit the data and predictions "
      "are uncertain everywhere."}},
};

/// Which part of the curvature is used, and for which weights.
void add_covariance(std::vector<Field>& all)
{
    all.push_back(choice(
        {.path  = "posterior.laplace_structure",
         .label = "Structure of Σ",
         .help =
             "Which entries of the curvature are used: the posterior is N(θ_MAP, Σ) with Σ⁻¹ = curvature + λI. "
             "Diagonal: one number per weight. Kronecker: B ⊗ A per layer, A the mean of ããᵀ over its inputs, B the "
             "sum of the curvature of the loss in its outputs. Full: the whole matrix. Source: Hobbhahn 2020, "
             "(3.1)–(3.9); Ritter et al. 2018."},
        [](auto& s) -> auto& { return s.posterior.laplace.curvature.structure; }, structures));
    all.push_back(plain(
        {.path  = "posterior.laplace_rank",
         .label = "Directions kept",
         .help =
             "Number of directions of largest curvature to use; in all others the posterior is as wide as the prior. 0 "
             "uses the full matrix. For networks whose full matrix is too large: the largest eigenvalues are found "
             "from products of the curvature with vectors, with two passes over the training data each and a few times "
             "as many products as directions, and the matrix is never stored. For an exact Hessian, directions of "
             "negative curvature are dropped. Source: Pearlmutter 1994.",
         .min      = 0,
         .max      = most_directions,
         .advanced = true,
         .applies = [](const Study& s) { return s.posterior.laplace.curvature.structure == CurvatureStructure::full; }},
        [](auto& s) -> auto& { return s.posterior.laplace.curvature.rank; }));
    all.push_back(choice(
        {.path  = "posterior.laplace_layers",
         .label = "Uncertain layers",
         .help =
             "The layers whose weights are uncertain; all others stay at their MAP values. With the last layer alone, "
             "the Gaussian over logits is exact for the linearised network, since logits are linear in its weights "
             "(Hobbhahn 2020, (3.7)–(3.9))."},
        [](auto& s) -> auto& { return s.posterior.laplace.curvature.layers; }, curved_layers));
}

/// The prior precision, set by hand or found from the training data.
void add_prior_precision(std::vector<Field>& all)
{
    all.push_back(choice(
        {.path  = "posterior.laplace_precision_from",
         .label = "Prior precision λ from",
         .help =
             "λ = 1/σ₀² of the prior N(0, σ₀²) that is added to the curvature: a small λ gives a wide posterior. "
             "Changing λ needs no new curvature, so you can still move it after training. Evidence: maximises ln "
             "p(D|λ) ≈ −nll − ½λ‖θ‖² + ½P ln λ − ½ ln det(curvature + λI). Confidence: chosen so that the mean of max "
             "p̄ over the training data meets the target, either a value or a percentage below that of the point "
             "estimate. The evidence is that of the linearised network. Weight samples in the original network often "
             "no longer fit the data at its maximum and need a larger λ."},
        [](auto& s) -> auto& { return s.posterior.laplace.precision_from; }, precisions));
    all.push_back(plain(
        {.path  = "posterior.laplace_precision",
         .label = "Prior precision λ",
         .help = "λ = 1/σ₀², added to every eigenvalue of the curvature of the summed loss over N examples. The weight "
                 "decay used to train the point estimate is also a precision: λ = N · weight decay, since the decay is "
                 "added to the mean loss. The two agree if λ has that value; a larger λ makes the posterior narrower.",
         .min     = smallest_precision,
         .max     = largest_precision,
         .applies = [](const Study& s) { return s.posterior.laplace.precision_from == PrecisionFrom::hand; }},
        [](auto& s) -> auto& { return s.posterior.laplace.precision; }));
    all.push_back(plain(
        {.path  = "posterior.laplace_confidence",
         .label = "Target confidence",
         .help =
             "Mean of max p̄ over the training data that λ is chosen to meet. If no λ reaches the target, the nearest "
             "one is used and the run reports it. If the target should depend on the network, from seed to seed, "
             "choose the confidence below the point estimate's.",
         .min      = 0,
         .max      = 1,
         .min_open = true,
         .max_open = true,
         .applies  = [](const Study& s) { return s.posterior.laplace.precision_from == PrecisionFrom::confidence; }},
        [](auto& s) -> auto& { return s.posterior.laplace.confidence; }));
    all.push_back(plain(
        {.path  = "posterior.laplace_confidence_below",
         .label = "Confidence below by",
         .unit  = "%",
         .help =
             "Percentage by which the mean of max p̄ over the training data (at most 500 rows, 50 samples) should be "
             "below that of the point estimate: with 5 and a point estimate of 0.99, the target is 0.9405. λ is found "
             "for each run, so every seed is matched separately. If no λ reaches the target, the nearest one is used "
             "and the run reports it. Source: Hobbhahn 2020, appendix D, with about 5 %.",
         .min      = 0,
         .max      = 100,
         .min_open = true,
         .max_open = true,
         .applies =
             [](const Study& s) { return s.posterior.laplace.precision_from == PrecisionFrom::confidence_below; }},
        [](auto& s) -> auto& { return s.posterior.laplace.confidence_below; }));
}

/// How samples become predictions, and which curvature and form are used.
void add_predictive_and_curvature(std::vector<Field>& all)
{
    all.push_back(choice(
        {.path  = "posterior.laplace_predictive",
         .label = "Predict with",
         .help =
             "How samples θ of the Gaussian become predictions. Linearised network: f(x; θ_MAP) + J(x)(θ − θ_MAP), J "
             "the Jacobian of the outputs in the weights; its outputs are exactly N(f(x; θ_MAP), JΣ_θJᵀ), and one "
             "sample is one function of x. Weight samples: f(x; θ), the original network. The Gauss–Newton curvature "
             "is that of the linearised network, so samples in the original network underfit as soon as Σ is wide. "
             "Both are equal for the last layer. Needs no new training and no new curvature. Source: Immer, Korzepa "
             "and Bauer 2021."},
        [](auto& s) -> auto& { return s.posterior.laplace.predictive; }, predictives));
    all.push_back(choice(
        {.path  = "posterior.laplace_curvature",
         .label = "Curvature",
         .help =
             "Gauss–Newton: Σ_n J_nᵀ(diag p_n − p_n p_nᵀ)J_n over all training data, positive semidefinite everywhere. "
             "The exact Hessian adds the second derivatives of the network; before the training has converged it has "
             "negative eigenvalues. Diagonal: with ReLU and pooling the network is piecewise linear in each single "
             "weight, so both diagonals are identical, at any size and with convolutions; with tanh and other smooth "
             "activations the Hessian is computed, also with convolutions, for at most 4,000 weights. Full: "
             "networks of at most 2,000 weights. Hobbhahn uses the exact Hessian and its diagonal for his toy and "
             "image problems; \"full\" is Gauss–Newton here unless you change this setting. Source: Hobbhahn 2020, "
             "(3.4), 5.1 and 5.2.",
         .advanced = true},
        [](auto& s) -> auto& { return s.posterior.laplace.curvature.kind; }, curvatures));
    all.push_back(choice(
        {.path  = "posterior.laplace_form",
         .label = "λ and Kronecker factors",
         .help =
             "How the prior precision is combined with the two factors of a layer. Adding it to the product gives "
             "exactly the prior N(0, 1/λ); the product of sums adds a little more, √λ (B ⊗ I/√N + √N I ⊗ A). Source: "
             "Hobbhahn 2020, (3.8).",
         .advanced = true,
         .applies =
             [](const Study& s) { return s.posterior.laplace.curvature.structure == CurvatureStructure::kronecker; }},
        [](auto& s) -> auto& { return s.posterior.laplace.curvature.form; }, forms));
}

std::vector<Field> laplace_fields()
{
    std::vector<Field> all;
    add_covariance(all);
    add_prior_precision(all);
    add_predictive_and_curvature(all);
    return all;
}

/// Runs the last phase: computes the curvature at the trained weights.
void fit_curvature_of(const Experiment& experiment, Training& run, std::stop_token stop, TrainingControl* control,
                      const TrainingEvents& events)
{
    auto& report = run.report;
    if (!report.last || report.stop == StopReason::not_finite)
        return;
    if (report.stop == StopReason::cancelled) {
        report.message += " The curvature was not fitted; the result is the point estimate.";
        return;
    }
    Stopwatch watch;   // pauses do not count
    const auto notify = [&](double share, std::optional<double> seconds_left) {
        if (events.progress)
            events.progress({.step             = report.steps,
                             .steps            = report.steps,
                             .epoch            = report.last->point.epoch,
                             .steps_per_second = 0,
                             .seconds_left     = seconds_left,
                             .curvature        = share});
        if (control && control->paused()) {
            const Stopwatch pause;
            control->wait_for_permission(stop);
            watch.forget(pause);
        }
    };
    LaplaceFit fit;
    try {
        notify(0, {});
        fit = fit_laplace(experiment, *report.last, experiment.study.posterior.laplace, stop, notify);
    } catch (const Error& error) {
        report.message += std::string(" The curvature was not fitted: ") + error.what();
        return;
    }
    report.seconds += watch.seconds();
    if (!fit.snapshot) {
        report.stop    = StopReason::cancelled;
        report.message = "Cancelled while fitting the curvature; the result is the point estimate.";
        return;
    }
    report.last = fit.snapshot;
    report.message += " Laplace approximation: " + laplace_words(*laplace_of(*fit.snapshot)) + '.'
                      + (fit.confidence ? " " + words_of(*fit.confidence) + '.' : "")
                      + (fit.note.empty() ? "" : " " + fit.note);
    if (!run.history.empty() && run.history.back().step == fit.snapshot->point.step)
        run.history.back() = fit.snapshot->point;
    if (events.recorded)
        events.recorded(fit.snapshot);
    if (events.snapshot)
        events.snapshot(fit.snapshot);
}

Training fit_from_estimate(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                           const TrainingEvents& events)
{
    auto run = trained(experiment, stop, control, events);
    fit_curvature_of(experiment, run, stop, control, events);
    return run;
}

std::string laplace_caption(const RunSnapshot& snapshot)
{
    const auto fitted = snapshot.snapshot ? laplace_of(*snapshot.snapshot) : nullptr;
    return fitted ? " (" + laplace_words(*fitted)
                        + (snapshot.experiment->model.linearised_at_prediction ? ", linearised network" : "") + ")"
                  : " (point estimate, before the curvature is fitted)";
}

// The archive stores the curvature and λ; θ_MAP are the posterior's own numbers.
bool write_curvature(const Posterior& last, nlohmann::json& about, std::string& numbers)
{
    const auto* fitted = laplace_of(last);
    if (!fitted)
        return false;
    about              = curvature_head(fitted->curvature()->data());
    about["precision"] = fitted->precision();
    numbers            = curvature_numbers(fitted->curvature()->data());
    return true;
}

std::shared_ptr<const Posterior> read_curvature(const Posterior& last, const nlohmann::json& about,
                                                const std::function<std::string(std::size_t most)>& numbers)
{
    auto head        = curvature_head_from(about, last.layout());
    const auto bytes = numbers(head.bytes());
    auto curvature   = std::make_shared<const Curvature>(curvature_from(std::move(head), bytes));
    return std::make_shared<LaplaceGaussian<float>>(std::move(curvature), about.at("precision").get<double>());
}

/// Adds the fitted quantities; if λ was chosen by confidence, also the target and the confidence
/// reached.
void add_results(const Experiment& experiment, const Posterior& last, nlohmann::ordered_json& results)
{
    const auto* fitted = laplace_of(last);
    if (!fitted)
        return;
    const auto& curvature = *fitted->curvature();
    Study study;
    study.posterior.laplace.curvature = curvature.options();
    nlohmann::ordered_json json{{"structure", name_of(study, "posterior.laplace_structure")},
                                {"layers", name_of(study, "posterior.laplace_layers")},
                                {"curvature", name_of(study, "posterior.laplace_curvature")}};
    if (curvature.options().structure == CurvatureStructure::kronecker)
        json["form"] = name_of(study, "posterior.laplace_form");
    if (curvature.options().structure == CurvatureStructure::full)
        json["directions"] = curvature.data().eigenvalues.size();
    const double evidence    = curvature.log_evidence(fitted->precision());
    json["precision"]        = fitted->precision();
    json["precision_from"]   = name_of(experiment.study, "posterior.laplace_precision_from");
    const LaplaceOptions& by = experiment.study.posterior.laplace;
    if (matches_confidence(by.precision_from) && experiment.task() == Task::classification) {
        if (const auto reached = compared_confidence(experiment, fitted->with_precision(fitted->precision()))) {
            json["map_confidence"]           = reached->map;
            json["mean_confidence"]          = reached->reached;
            json["confidence_percent_below"] = reached->percent_below();
        }
        if (by.precision_from == PrecisionFrom::confidence_below)
            json["wanted_percent_below"] = by.confidence_below;
        else
            json["wanted_confidence"] = by.confidence;
    }
    json["log_evidence"] = std::isfinite(evidence) ? nlohmann::ordered_json(evidence) : nullptr;
    if (keeps_largest(curvature.options(), curvature.covered()))
        json["log_evidence_note"] = "Only the largest directions of the curvature are used, so this evidence and its "
                                    "maximum are biased: do not compare it across numbers of directions or with other "
                                    "structures.";
    json["uncertain_weights"] = curvature.covered();
    json["nll"]               = curvature.nll();
    results["laplace"]        = std::move(json);
}

std::optional<Error> laplace_refusal(const Experiment& experiment)
{
    try {
        check_laplace(experiment, experiment.study.posterior.laplace);
    } catch (const Error& error) {
        return error;
    }
    return {};
}

}   // namespace

/// Trains a point estimate and then fits the Gaussian given by the curvature of the loss there
/// (Hobbhahn 2020; MacKay 1992). Predicts with the linearised network. Images: without dropout,
/// since the curvature belongs to the network that predicts.
Method laplace_method()
{
    return {.id    = "laplace",
            .title = "Laplace approximation",
            .hint  = "Trains an ordinary network, then fits a Gaussian to the curvature: uncertainty added afterwards.",
            .group = MethodGroup::post_hoc,
            .cost  = "a point estimate and some passes over the data",
            .source                = "MacKay 1992; Hobbhahn 2020",
            .axis_title            = "Laplace",
            .is_named_for_a_person = true,
            .fields                = laplace_fields(),
            .usual                 = [](const Study& study) -> std::vector<UsualSetting> {
                const UsualSetting linearised{"posterior.laplace_predictive", "linearised"};
                if (is_images(study.data.source))
                    return with(image_optimiser(), {{"training.l2", "0.0005"}, linearised});
                // With a few hundred points, weight decay 0.001 is λ = N · decay of order 0.1, so
                // the estimate is a posterior mode.
                return {{"training.l2", "0.001"}, {"training.learning_rate", "0.01"}, linearised};
            },
            .training = {.noise = NoiseIn::nothing, .fits_curvature = true},
            .linearised_at_prediction =
                [](const Study& study) { return study.posterior.laplace.predictive == LaplacePredictive::linearised; },
            .start      = begins_with_point,
            .refuses    = laplace_refusal,
            .fit        = fit_from_estimate,
            .caption    = laplace_caption,
            .saved_part = SavedPart{"curvature", write_curvature, read_curvature},
            .results    = add_results};
}

}   // namespace credence
