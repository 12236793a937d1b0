// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"
#include "posterior/variational_family.h"
#include "study/fields.h"
#include "training/langevin.h"
#include "training/run_plan.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

struct Experiment;
struct RunSnapshot;
struct Training;

/// A usual setting of a method, as typed.
struct UsualSetting {
    std::string path, value;
};

/// Additional data that an archive stores for the final posterior of a run, if the posterior's
/// numbers (`Posterior::numbers`) are not sufficient: a part "NAME" of JSON and a part
/// "NAME_numbers" of bytes.
struct SavedPart {
    std::string name;
    /// @return  false: there is nothing to store
    std::function<bool(const Posterior& last, nlohmann::json& about, std::string& numbers)> write;
    /// @param last     the posterior made from its numbers alone
    /// @param numbers  reads at most this many bytes
    /// @throws Error   if they do not match
    std::function<std::shared_ptr<const Posterior>(const Posterior& last, const nlohmann::json& about,
                                                   const std::function<std::string(std::size_t most)>& numbers)>
        read;
};

/// How a method continues when rows arrive one by one, such as the observations of an agent: by
/// training without a fixed end.
struct OnlineTraining {
    int nets = 1;                                ///< trained in parallel from different starts; each is one sample
    std::optional<LangevinOptions> langevin{};   ///< replaces the optimiser: a chain whose states are its draws
    std::vector<UsualSetting> usual{};   ///< settings that suit the first few rows, if they differ from Method::usual
};

/// The properties of a method's final posterior.
struct PosteriorTraits {
    NoiseIn noise      = NoiseIn::weights;
    bool is_sample_set = false;   ///< states of chains, members of an ensemble: a SampleSet
};

/// How the Study's prior enters the training.
enum class PriorUse {
    weight_decay,   ///< not at all: weight decay replaces the prior
    kl,             ///< through the KL divergence from it
    sampled,        ///< through its density: chains sample from the posterior under this prior
};

/// The requirements and capabilities of a method's training.
struct TrainingTraits {
    /// The noise of each step; unless it is nothing, dropout layers are also random at prediction.
    NoiseIn noise          = NoiseIn::weights;
    PriorUse prior         = PriorUse::weight_decay;
    bool own_steps         = false;   ///< has its own update rule instead of an optimiser
    bool own_schedule      = false;   ///< also has its own learning rate schedule
    bool moves_by_gradient = false;   ///< its own steps are proportional to the gradient, so the learning rate suits
                                      ///< one scale of the loss
    /// Uses all rows at each step and has its own number of steps: no minibatches, learning rate,
    /// training steps
    bool sees_all_rows      = false;
    bool has_correlation    = false;   ///< learns γ, whose gradient has the factor κ
    bool accepts_new_points = false;   ///< is a single training whose rows can change (DataSpec::changes); it continues
                                       ///< with the new rows
    /// Has a last phase that fits the spread of the weights after training, and can be repeated for
    /// the trained weights
    bool fits_curvature = false;
};

/// Groups of methods, in the order in which the window shows them.
enum class MethodGroup { variational, sampling, post_hoc, baselines };
inline constexpr MethodGroup method_groups[] = {MethodGroup::variational, MethodGroup::sampling, MethodGroup::post_hoc,
                                                MethodGroup::baselines};
const char* title_of(MethodGroup group);

/// A posterior method, with everything that the program knows of it. Each method has its own file
/// in methods/ and one entry in methods/list.cmake. Window, command line, captions and archive use
/// this list and contain no method names.
struct Method {
    std::string id;      ///< in JSON: "mean_field"
    std::string title;   ///< "Mean field (Bayes by Backprop)"
    std::string hint;    ///< one line on when to choose it
    MethodGroup group          = {};
    std::string cost           = {};      ///< of a run, in words: "about 2 × a point estimate"
    std::string source         = {};      ///< "Blundell et al. 2015", see docs/references.md
    std::string short_title    = {};      ///< in names of studies; empty: the title without its part in brackets
    std::string axis_title     = {};      ///< axis label; empty: the title without its part in brackets
    bool is_named_for_a_person = false;   ///< the title keeps its capital letter inside a sentence

    /// Its settings in the group "posterior", with ranges, defaults and help. A setting that
    /// several methods share is in the list of each.
    std::vector<Field> fields = {};
    /// The usual settings for the data of `study`; other settings keep the default of a Study.
    std::function<std::vector<UsualSetting>(const Study& study)> usual;

    PosteriorTraits posterior            = {};
    TrainingTraits training              = {};
    std::vector<std::string> block_lists = {};   ///< settings that are lists with one number per block of the network

    /// The trained network, derived from that of the Study; empty: the same.
    std::function<Architecture(const Architecture& plain, const Study& study)> architecture = {};
    /// True if samples are evaluated with the network linearised at their mean. Empty: no.
    std::function<bool(const Study& study)> linearised_at_prediction = {};
    /// Creates the initial state of the training. @param means  initial weights
    std::function<std::unique_ptr<VariationalFamily<float>>(
        const ParameterLayout& layout, const PosteriorOptions& options, std::span<const float> means)>
        start;
    /// Refuses a valid Study before training if the method cannot run it. Empty: never.
    std::function<std::optional<Error>(const Experiment& experiment)> refuses = {};
    /// Number of steps of the whole run, if it is more than one training. Empty: training.steps.
    std::function<long(const Study& study)> steps = {};
    /// The plan of the stored draws. Empty: the method stores none.
    std::function<RunPlan(const Study& study)> plan = {};
    /// Runs from the initial state to the posterior, report.last. Runs in the threads of the
    /// enclosing Threads::run.
    std::function<Training(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                           const TrainingEvents& events)>
        fit;
    /// Describes how the method learns from rows that arrive one by one. Empty: it cannot, since it
    /// uses all rows at each step or is a single training with a fixed end.
    std::function<OnlineTraining(const Study& study)> online = {};
    bool has_kl() const { return training.prior == PriorUse::kl; }
    /// True if it uses the Study's prior.
    bool under_prior() const { return training.prior != PriorUse::weight_decay; }
    /// True if the parameters of that prior can be learned. Chains cannot, since their noise would
    /// change these parameters too.
    bool can_learn_prior() const { return has_kl() && !training.own_steps; }

    /// Text of captions after the title: " at rate 0.2". Empty: the prior, if it has one.
    std::function<std::string(const RunSnapshot& run)> caption = {};
    std::optional<SavedPart> saved_part = {};   ///< empty: the posterior's numbers are sufficient
    /// Adds keys to results.json. Empty: adds nothing.
    std::function<void(const Experiment& experiment, const Posterior& last, nlohmann::ordered_json& results)> results =
        {};
};

/// All methods, in the order shown in the window.
const std::vector<Method>& methods();
const Method& method(std::string_view id);   ///< @throws Error (field "posterior.family") that lists the ids
inline const Method& method_of(const Study& study) { return method(study.posterior.family); }
/// True if the parameters of the prior are learned together with those of the posterior.
inline bool learns_prior(const Study& study) { return study.prior.learned && method_of(study).can_learn_prior(); }
/// Steps of the whole run of a study.
inline long steps_of(const Study& study)
{
    const auto& of_method = method_of(study).steps;
    return of_method ? of_method(study) : study.training.steps;
}
/// Returns the plan of a study's run. For a method that stores no draws: its steps and learning
/// rates, if it has any.
inline RunPlan plan_of(const Study& study)
{
    const Method& method = method_of(study);
    if (method.plan)
        return method.plan(study);
    RunPlan plan{.steps = study.training.steps};
    if (!method.training.own_schedule)
        plan.schedule = study.training.schedule;
    return plan;
}
/// True if the step sizes of the run are worth showing before the run: they change, or draws are
/// stored.
inline bool has_step_schedule(const Study& study)
{
    const Method& method = method_of(study);
    if (method.training.sees_all_rows)
        return false;
    return method.plan || method.training.own_schedule || study.training.schedule.kind != ScheduleKind::constant;
}

}   // namespace credence
