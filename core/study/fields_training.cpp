// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/recalibration.h"
#include "study/field_makers.h"
#include "study/method.h"

// Settings of the groups training and prediction.
namespace credence::field_makers {
namespace {

bool has_kl(const Study& s) { return method_of(s).has_kl(); }
bool has_l2(const Study& s) { return !method_of(s).under_prior(); }
bool one_l2(const Study& s) { return has_l2(s) && s.training.layer_l2.empty(); }
bool has_optimizer(const Study& s) { return !method_of(s).training.own_steps; }
bool has_minibatches(const Study& s) { return !method_of(s).training.sees_all_rows; }
bool has_schedule(const Study& s) { return !method_of(s).training.own_schedule; }
bool closed_kl(const Study& s) { return has_kl(s) && s.training.complexity == Complexity::Kind::closed; }

template <OptimizerKind kind>
bool optimised_by(const Study& s)
{
    return has_optimizer(s) && s.training.optimizer.kind == kind;
}
template <ScheduleKind kind>
bool scheduled_as(const Study& s)
{
    return has_schedule(s) && s.training.schedule.kind == kind;
}

const std::vector<Option<KlWeighting>> weightings = {
    {KlWeighting::constant,
     {"constant", "Constant ν",
      "To reproduce Posch and Steinbrener: the same small number at every step; theory gives 1/N."}},
    {KlWeighting::uniform,
     {"uniform", "Uniform 1/M", "The ELBO for any amount of data: the default (Blundell et al. 2015, (8))."}},
    {KlWeighting::geometric,
     {"geometric", "Geometric 2^(M−i)/(2^M − 1)",
      "The first minibatches of an epoch follow the prior, the rest the data (Blundell et al. 2015, (9))."}},
};

const std::vector<Option<Complexity::Kind>> complexities = {
    {Complexity::Kind::closed,
     {"closed", "Closed form", "Less noise in the gradient: the default for Gaussian priors."}},
    {Complexity::Kind::sampled,
     {"sampled", "Sampled",
      "ln q(w) − ln p(w) at the sample: for any prior, needed for the scale mixture (Blundell et al. 2015, (2))."}},
};

const std::vector<Option<OptimizerKind>> optimizers = {
    {OptimizerKind::adam, {"adam", "Adam", "Scales the step of each parameter separately: the safe default."}},
    {OptimizerKind::momentum,
     {"momentum", "Momentum", "v ← βv + ηg, θ ← θ − v: used in the papers, needs a tuned learning rate."}},
    {OptimizerKind::sgd, {"sgd", "SGD", "θ ← θ − ηg: the basic rule, for comparison."}},
};

const std::vector<Option<ScheduleKind>> schedules = {
    {ScheduleKind::constant, {"constant", "Constant", "η at every step: suits short runs with Adam."}},
    {ScheduleKind::inverse,
     {"inverse", "Inverse decay", "η(1 + γi)^−p: Caffe's rule, 0.01(1 + 10⁻⁴ i)^−0.75 in the papers."}},
    {ScheduleKind::step, {"step", "Step", "Multiplies η by a factor at regular intervals: for losses that level off."}},
    {ScheduleKind::cosine,
     {"cosine", "Cosine", "Decays smoothly to 0 at the last step: the least noisy end of a run."}},
};

const std::vector<Option<RecalibrationKind>> recalibrations = {
    {RecalibrationKind::none, {"none", "None", "The posterior predictive distribution, unchanged."}},
    {RecalibrationKind::temperature,
     {"temperature", "Temperature", "Classes: divides the logits by one number T. The usual first choice.",
      Task::classification}},
    {RecalibrationKind::vector,
     {"vector", "Vector scaling", "Classes: a scale and a bias per class; needs many calibration rows.",
      Task::classification}},
    {RecalibrationKind::sigma,
     {"sigma", "σ scaling", "Numeric targets: multiplies the predictive standard deviation by one number c.",
      Task::regression}},
    {RecalibrationKind::cdf,
     {"cdf", "Empirical CDF", "Numeric targets: σ scaling, then levels become observed frequencies; for skewed noise.",
      Task::regression}},
};

void add_run_length(std::vector<Field>& fields)
{
    fields.push_back(plain(
        {.path  = "training.steps",
         .label = "Steps",
         .unit  = "steps",
         .help =
             "Optimiser steps, not epochs: with N training points and minibatches of m, one epoch is N/m steps. "
             "Spreads settle later than means, so Bayesian families need more steps than an ordinary network. Typical "
             "for toy problems: 2,000 to 20,000.",
         .min     = 1,
         .max     = 1e9,
         .applies = has_minibatches},
        [](auto& s) -> auto& { return s.training.steps; }));
    fields.push_back(plain(
        {.path  = "training.batch_size",
         .label = "Minibatch m",
         .unit  = "examples",
         .help =
             "Examples per step, at most the size of the training set. Small batches are cheap but noisy; large ones "
             "are smooth but expensive. Typical: 32 to 128.",
         .min     = 1,
         .max     = 1e6,
         .applies = has_minibatches},
        [](auto& s) -> auto& { return s.training.batch_size; }));
    fields.push_back(plain(
        {.path  = "training.samples_per_step",
         .label = "Weight samples per step",
         .help =
             "Number of weight samples averaged in each step. More samples give less noisy gradients of the spreads at "
             "proportional cost; Blundell et al. 2015 try 1, 2, 5 and 10.",
         .min     = 1,
         .max     = 10,
         .applies = [](const Study& s) { return method_of(s).training.noise != NoiseIn::nothing; }},
        [](auto& s) -> auto& { return s.training.samples_per_step; }));
    fields.push_back(plain(
        {.path  = "training.max_seconds",
         .label = "Time limit",
         .unit  = "s",
         .help =
             "Stops after this much wall time, pauses excluded; 0 means no limit. A run that ends at the time limit is "
             "not reproducible bit for bit; limit the steps instead.",
         .min      = 0,
         .max      = 1e7,
         .advanced = true},
        [](auto& s) -> auto& { return s.training.max_seconds; }));
    fields.push_back(plain(
        {.path     = "training.patience",
         .label    = "Patience",
         .unit     = "steps",
         .help     = "Stops after this many steps without a lower smoothed data loss; 0 disables the rule.",
         .min      = 0,
         .max      = 1e9,
         .advanced = true,
         .applies  = has_minibatches},
        [](auto& s) -> auto& { return s.training.patience; }));
}

void add_kl(std::vector<Field>& fields)
{
    fields.push_back(choice(
        {.path  = "training.kl_weighting",
         .label = "KL weighting",
         .help =
             "Weight of the KL relative to the mean minibatch loss. Uniform: β = 1/M for each of M minibatches of m "
             "points, so that kl_weight 1 is the ELBO (Blundell et al. 2015, (8)); a smaller last minibatch is "
             "weighted by its size. Geometric: β_i = 2^{M−i}/(2^M − 1) ((9) there). Constant: ν itself (Posch and "
             "Pilz; Steinbrener et al.).",
         .applies = has_kl},
        [](auto& s) -> auto& { return s.training.kl_weighting; }, weightings));
    fields.push_back(plain(
        {.path  = "training.kl_weight",
         .label = "KL weight",
         .help =
             "Uniform and geometric weighting: a factor on β; 1 is the ELBO itself and 0.1 a tempered posterior that "
             "fits more closely. Constant weighting: ν, for which theory gives 1/N and the papers use 1/(100 N) on "
             "MNIST and 1/(10 N) on CIFAR-10. 0 leaves the KL out.",
         .min     = 0,
         .max     = 1e6,
         .applies = has_kl},
        [](auto& s) -> auto& { return s.training.kl_weight; }));
    fields.push_back(choice(
        {.path  = "training.complexity",
         .label = "KL computed",
         .help =
             "The closed form of KL(q‖p) exists for Gaussian priors. The sampled one, ln q(w) − ln p(w) at the weight "
             "sample of the step, works for every prior (Blundell et al. 2015, (2)).",
         .advanced = true,
         .applies  = has_kl},
        [](auto& s) -> auto& { return s.training.complexity; }, complexities));
    fields.push_back(plain(
        {.path  = "training.kl_gradient_limit",
         .label = "Limit of the KL gradient",
         .help =
             "Each derivative of the KL, by means, δ and γ, is clipped to ± this number before it is weighted; 0 means "
             "no limit. It limits −1/m when a mean is close to 0. Steinbrener et al. 2020, section 3.2, state 1000 for "
             "their PyTorch implementation, which is that of sections 4.2 and 4.3; their LeNets (4.1) are trained in "
             "Caffe. Their sentence can be read in three ways: it limits every derivative before weighting, as here; "
             "only those of the additional parameters δ; or the weighted derivatives, which 1000 would hardly ever "
             "limit.",
         .min      = 0,
         .max      = 1e12,
         .advanced = true,
         .applies  = closed_kl},
        [](auto& s) -> auto& { return s.training.kl_gradient_limit; }));
    fields.push_back(plain(
        {.path     = "training.kappa",
         .label    = "κ of the ρ gradient",
         .help     = "Multiplies the gradient of γ, and thus the speed at which ρ changes (Posch and Pilz: 50). Adam "
                     "cancels it; it matters for SGD and momentum.",
         .min      = 0,
         .max      = 1e6,
         .advanced = true,
         .applies  = [](const Study& s) { return method_of(s).training.has_correlation; }},
        [](auto& s) -> auto& { return s.training.kappa; }));
}

void add_weight_decay(std::vector<Field>& fields)
{
    fields.push_back(plain(
        {.path  = "training.l2",
         .label = "Weight decay λ",
         .help =
             "Adds λw to the gradient of the mean loss: the maximum a posteriori estimate under N(0, 1/(λN)), N the "
             "number of training examples. Typical: 0 to 0.001 (5·10⁻⁴ in Posch and Pilz). For the Laplace "
             "approximation this is a precision of λN, separate from the prior precision under Posterior, which is "
             "added after training.",
         .min     = 0,
         .max     = 1000,
         .applies = one_l2},
        [](auto& s) -> auto& { return s.training.l2; }));
    fields.push_back(plain(
        {.path  = "training.layer_l2",
         .label = "Weight decay per layer",
         .help =
             "One λ per layer, for its weights and biases, instead of the value above; a shorter list repeats its last "
             "number. Empty: the value above for all layers. Posch and Pilz give the CIFAR-10 network 0.004 on its "
             "convolutions and 1 on its dense layer: 0.004, 0.004, 0.004, 1.",
         .min      = 0,
         .max      = 1000,
         .advanced = true,
         .applies  = has_l2},
        [](auto& s) -> auto& { return s.training.layer_l2; }));
}

void add_error_curves(std::vector<Field>& fields)
{
    fields.push_back(plain(
        {.path  = "training.error_images",
         .label = "Error curves: rows",
         .unit  = "rows",
         .help  = "Number of test rows, and of training rows, used for the error curves during training, evenly spaced "
                  "over each set. 0: all test rows, and as many training rows. By default 1,000 rows × 8 samples "
                  "(resolution 0.1 %), lowered for images to 500 × 2, and to fewer recorded steps if they would take "
                  "more than a fifth of the training time. If you enter other numbers, they are used at each of the "
                  "200 recorded steps. Posch and Pilz and Steinbrener et al. use all images with one sample: 0 here "
                  "and 1 below, with a resolution of 0.01 % on MNIST. Final scores always use all rows.",
         .min   = 0,
         .max   = 1e9,
         .advanced = true},
        [](auto& s) -> auto& { return s.training.error_images; }));
    fields.push_back(plain(
        {.path  = "training.error_draws",
         .label = "Error curves: samples",
         .help =
             "Weight samples for the error curves during training. Posch and Pilz and Steinbrener et al. use one in "
             "their figures; more samples give curves closer to the final scores, at proportional cost. A network "
             "without weight noise needs one.",
         .min      = 1,
         .max      = 1000,
         .advanced = true,
         .applies  = [](const Study& s) { return method_of(s).posterior.noise != NoiseIn::nothing; }},
        [](auto& s) -> auto& { return s.training.error_draws; }));
}

void add_learning_rates(std::vector<Field>& fields)
{
    fields.push_back(plain(
        {.path  = "training.learning_rate",
         .label = "Learning rate η",
         .help =
             "Step size. Adam: 0.001 to 0.01; momentum and SGD: 0.001 to 0.1. If it is too large, the loss jumps or "
             "becomes NaN (the run then stops and reports where); if it is too small, the network learns nothing.",
         .min      = 0,
         .max      = 1000,
         .min_open = true,
         .applies  = has_minibatches},
        [](auto& s) -> auto& { return s.training.schedule.learning_rate; }));
    fields.push_back(plain(
        {.path     = "training.bias_rate",
         .label    = "Rate of biases",
         .help     = "Multiplies the learning rate of the biases, or of their means; the spreads of the biases use the "
                     "unscaled rate. Caffe's recipe for LeNet uses 2, and so do the presets for Posch and Steinbrener, "
                     "whose papers do not state it. 1 uses the same rate for all parameters; 0 keeps the biases at "
                     "their initial values.",
         .min      = 0,
         .max      = 1000,
         .advanced = true,
         .applies  = has_minibatches},
        [](auto& s) -> auto& { return s.training.bias_rate; }));
}

void add_optimizer(std::vector<Field>& fields)
{
    fields.push_back(choice(
        {.path    = "training.optimizer",
         .label   = "Optimiser",
         .help    = "How a gradient becomes a step (Adam: Kingma and Ba 2015, bias-corrected).",
         .applies = has_optimizer},
        [](auto& s) -> auto& { return s.training.optimizer.kind; }, optimizers));
    fields.push_back(plain(
        {.path     = "training.momentum",
         .label    = "Momentum β",
         .help     = "v ← βv + ηg, θ ← θ − v, in Caffe's form, with the rate inside v. Typical: 0.9.",
         .min      = 0,
         .max      = 1,
         .max_open = true,
         .applies  = optimised_by<OptimizerKind::momentum>},
        [](auto& s) -> auto& { return s.training.optimizer.momentum; }));
    fields.push_back(plain(
        {.path     = "training.beta1",
         .label    = "Adam β₁",
         .help     = "Memory of the mean gradient (Kingma and Ba 2015). Typical: 0.9.",
         .min      = 0,
         .max      = 1,
         .max_open = true,
         .advanced = true,
         .applies  = optimised_by<OptimizerKind::adam>},
        [](auto& s) -> auto& { return s.training.optimizer.beta1; }));
    fields.push_back(plain(
        {.path     = "training.beta2",
         .label    = "Adam β₂",
         .help     = "Memory of the squared gradient (Kingma and Ba 2015). Typical: 0.999.",
         .min      = 0,
         .max      = 1,
         .max_open = true,
         .advanced = true,
         .applies  = optimised_by<OptimizerKind::adam>},
        [](auto& s) -> auto& { return s.training.optimizer.beta2; }));
    fields.push_back(plain(
        {.path     = "training.epsilon",
         .label    = "Adam ε",
         .help     = "Added to the root of the squared gradient to avoid division by 0. Typical: 10⁻⁸.",
         .min      = 0,
         .max      = 1,
         .min_open = true,
         .advanced = true,
         .applies  = optimised_by<OptimizerKind::adam>},
        [](auto& s) -> auto& { return s.training.optimizer.epsilon; }));
}

void add_schedule(std::vector<Field>& fields)
{
    fields.push_back(choice(
        {.path     = "training.schedule",
         .label    = "Schedule",
         .help     = "How the learning rate changes with step i.",
         .advanced = true,
         .applies  = has_schedule},
        [](auto& s) -> auto& { return s.training.schedule.kind; }, schedules));
    fields.push_back(plain(
        {.path     = "training.gamma",
         .label    = "Decay γ",
         .unit     = "1/steps",
         .help     = "Inverse decay η(1 + γi)^−p. Typical: 10⁻⁴.",
         .min      = 0,
         .max      = 1000,
         .advanced = true,
         .applies  = scheduled_as<ScheduleKind::inverse>},
        [](auto& s) -> auto& { return s.training.schedule.gamma; }));
    fields.push_back(plain(
        {.path     = "training.power",
         .label    = "Decay power p",
         .help     = "Inverse decay η(1 + γi)^−p. Typical: 0.75.",
         .min      = 0,
         .max      = 100,
         .advanced = true,
         .applies  = scheduled_as<ScheduleKind::inverse>},
        [](auto& s) -> auto& { return s.training.schedule.power; }));
    fields.push_back(plain(
        {.path     = "training.factor",
         .label    = "Step factor",
         .help     = "Step schedule: η · factor^⌊i / every⌋. Typical: 0.1 to 0.5.",
         .min      = 0,
         .max      = 1,
         .min_open = true,
         .advanced = true,
         .applies  = scheduled_as<ScheduleKind::step>},
        [](auto& s) -> auto& { return s.training.schedule.factor; }));
    fields.push_back(plain(
        {.path     = "training.every",
         .label    = "Step every",
         .unit     = "steps",
         .help     = "Step schedule: number of steps between two changes of the learning rate.",
         .min      = 1,
         .max      = 1e9,
         .advanced = true,
         .applies  = scheduled_as<ScheduleKind::step>},
        [](auto& s) -> auto& { return s.training.schedule.every; }));
}

void add_prediction(std::vector<Field>& fields)
{
    fields.push_back(plain(
        {.path  = "prediction.samples",
         .label = "Prediction samples S",
         .help = "Weight samples per prediction, p̄ = (1/S) Σ p_s. The Monte Carlo error of p̄ falls as 1/√S; 200 as "
                 "in Posch and Pilz is smooth enough for maps and 95 % intervals. A point estimate needs only one.",
         .min = 1,
         .max = 100000},
        [](auto& s) -> auto& { return s.prediction.samples; }));
    fields.push_back(plain(
        {.path  = "prediction.level",
         .label = "Credible level α",
         .help = "Share of the samples inside a credible interval, between the (1 − α)/2 and (1 + α)/2 quantiles. A "
                 "prediction is certain if (i) the interval of its class overlaps no other, or (ii) p̄ ≥ α. Typical: "
                 "0.95 or 0.99.",
         .min  = 0,
         .max  = 1,
         .min_open = true,
         .max_open = true},
        [](auto& s) -> auto& { return s.prediction.level; }));
    fields.push_back(choice(
        {.path  = "prediction.recalibration",
         .label = "Recalibration",
         .help =
             "Corrects overconfident or underconfident predictions with a few parameters, which minimise the NLL of "
             "the calibration rows (split.calibration_fraction; for images, the validation images). All views, scores "
             "and saved predictions use the corrected predictions; weights, logits and attacks are not affected. "
             "Sources: Guo et al. 2017 (temperature, vector), Laves et al. 2021 (σ), Kuleshov et al. 2018 (empirical "
             "CDF).",
         .written_if_changed = true,
         .caution =
             [](const Study& s) {
        return s.prediction.recalibration == RecalibrationKind::vector
                   ? std::string("Vector scaling fits two numbers per class: use at least 50 calibration "
                                 "rows per class.")
                   : std::string();
         }},
        [](auto& s) -> auto& { return s.prediction.recalibration; }, recalibrations));
    fields.push_back(plain(
        {.path    = "prediction.other_data",
         .label   = "Other data",
         .help    = "Images that the network was not trained on, for the out-of-distribution view: stroke-letters, "
                    "stroke-digits, the name of an installed data set (notmnist, fashion-mnist) or a path. Empty uses "
                    "a default: letters for stroke digits, Fashion-MNIST or notMNIST for MNIST if they are installed.",
         .applies = [](const Study& s) { return is_images(s.data.source); }},
        [](auto& s) -> auto& { return s.prediction.other_data; }));
    fields.push_back(plain(
        {.path  = "prediction.points",
         .label = "Points",
         .help =
             "A table with the input columns only. Predictions at its rows are written to "
             "data/posterior_at_points.csv, with mean, standard deviation and quantiles of the samples, and for chains "
             "with the Monte Carlo error, effective sample sizes and R̂. Empty: none. A relative path starts from the "
             "folder of the Study's file.",
         .advanced = true,
         .applies  = [](const Study& s) { return !is_images(s.data.source); }},
        [](auto& s) -> auto& { return s.prediction.points; }));
}

}   // namespace

void add_training_fields(std::vector<Field>& fields)
{
    add_run_length(fields);
    add_kl(fields);
    add_weight_decay(fields);
    add_error_curves(fields);
    add_learning_rates(fields);
    add_optimizer(fields);
    add_schedule(fields);
    add_prediction(fields);
    add_conformal_fields(fields);
}

}   // namespace credence::field_makers
