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
#include <vector>

namespace credence {

struct Experiment;
struct RunMoment;
struct Training;

/// A setting that goes with a method, as typed.
struct UsualSetting {
    std::string path, value;
};

/// What an archive keeps of the posterior at the end of a run, where the numbers that make it up (`Posterior::numbers`) do not say all: a part "NAME" of JSON
/// and one "NAME_numbers" of bytes.
struct KeptPart {
    std::string name;
    /// @return  false: there is nothing to keep
    std::function<bool(const Posterior& last, nlohmann::json& about, std::string& numbers)> write;
    /// @param last     what its numbers alone make of it
    /// @param numbers  reads at most so many bytes
    /// @throws Error   if they do not fit together
    std::function<std::shared_ptr<const Posterior>(const Posterior& last, const nlohmann::json& about,
                                                   const std::function<std::string(std::size_t most)>& numbers)>
        read;
};

/// How a method goes on when rows come one by one, as those that an agent gathers: by trainings that never end.
struct OnlineTraining {
    int nets = 1;   ///< trained side by side, each from a start of its own; a draw is one of them
    std::optional<LangevinOptions>
        langevin{};   ///< moves the parameters in place of the optimiser: a chain, whose states are its draws
    std::vector<UsualSetting> usual{};   ///< what suits the first few rows, where it differs from Method::usual
};

/// A way to a posterior: everything the program knows of it. Each stands in a file of its own in methods/, and once in the list there, methods/list.cmake; window, command line,
/// captions and archive read this list and know no method by name.
struct Method {
    std::string id;                       ///< in JSON: "mean_field"
    std::string title;                    ///< "Mean field (Bayes by Backprop)"
    std::string hint;                     ///< one line on when to pick it
    std::string short_title    = {};      ///< in names of studies; empty: the title without what it says in brackets
    std::string axis_title     = {};      ///< below a box among many; empty: the title without what it says in brackets
    bool is_named_for_a_person = false;   ///< its title keeps its capital letter inside a sentence

    /// Its settings in the group "posterior", with ranges, defaults and help. One that several methods have stands in each of their lists.
    std::vector<Field> fields = {};
    /// What goes with it where the data of `study` are those at hand; settings that it does not name stand at the default of a Study.
    std::function<std::vector<UsualSetting>(const Study& study)> usual;

    NoiseIn noise          = NoiseIn::weights;   ///< of the posterior that it ends with
    NoiseIn training_noise = NoiseIn::
        weights;   ///< of each step of the training; dropout layers draw at prediction, too, unless it is nothing
    bool has_kl           = false;   ///< is trained against a prior, with a KL; else weight decay is its prior
    bool has_prior        = false;   ///< samples under the prior of the Study, without a KL: no weight decay
    bool has_own_steps    = false;   ///< moves the weights by a rule of its own: no optimiser
    bool has_own_schedule = false;   ///< and at a learning rate that it changes itself
    bool moves_by_gradient =
        false;   ///< by a rule of its own whose steps are as long as the gradient: its rate is right for one scale of the loss
    bool sees_all_rows =
        false;   ///< at each of its steps, of which it has a number of its own: no minibatches, rates, steps of a training
    bool ends_with_draws = false;   ///< its posterior is a SampleSet: states of chains, members of an ensemble
    bool has_correlation = false;   ///< learns γ, whose gradient has the factor κ
    bool takes_new_points =
        false;   ///< is one training whose rows may change on the way (DataSpec::changes): it goes on with those of now
    bool fits_curvature =
        false;   ///< has a last phase after the training, which gives the weights their spread, and can be had anew for the trained weights
    std::vector<std::string> block_lists = {};   ///< settings that are lists with a number for each block of the net

    /// The net that is trained, from the one that the Study names; empty: that one.
    std::function<Architecture(const Architecture& plain, const Study& study)> architecture = {};
    /// Are draws read by the net linearised at their mean? Empty: no.
    std::function<bool(const Study& study)> linearised_at_prediction = {};
    /// Where the training begins. @param means  starting weights
    std::function<std::unique_ptr<VariationalFamily<float>>(
        const ParameterLayout& layout, const PosteriorOptions& options, std::span<const float> means)>
        start;
    /// What can be known before any training to be refused, of a Study that is in range. Empty: nothing.
    std::function<std::optional<Error>(const Experiment& experiment)> refuses = {};
    /// Steps of the whole run, where that is more than one training. Empty: training.steps.
    std::function<long(const Study& study)> steps = {};
    /// Of a method that keeps draws on the way: when. Empty: it keeps none.
    std::function<RunPlan(const Study& study)> plan = {};
    /// From the start to the posterior: report.last. Runs in the threads of the enclosing Threads::run.
    std::function<Training(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                           const TrainingEvents& events)>
        fit;
    /// How it learns from rows that come one by one. Empty: it cannot, since it sees all rows at each step, or is one training from its beginning to its end.
    std::function<OnlineTraining(const Study& study)> online = {};
    /// Is there a prior of the Study in it?
    bool under_prior() const { return has_kl || has_prior; }
    /// Can the parameters of that prior be learned, too? Not by chains, whose noise would move them as well.
    bool can_learn_prior() const { return has_kl && !has_own_steps; }

    /// What captions say after the title: " at rate 0.2". Empty: the prior, if it has one.
    std::function<std::string(const RunMoment& moment)> caption = {};
    std::optional<KeptPart> kept                                = {};   ///< empty: the numbers of the posterior say all
    /// What it adds to results.json, under its own keys. Empty: nothing.
    std::function<void(const Experiment& experiment, const Posterior& last, nlohmann::ordered_json& results)> results =
        {};
};

/// All methods, in the order of the list in the window.
const std::vector<Method>& methods();
const Method& method(const std::string& id);   ///< @throws Error (field "posterior.family") that names those there are
inline const Method& method_of(const Study& study) { return method(study.posterior.family); }
/// Are the parameters of the prior learned with those of the posterior?
inline bool learns_prior(const Study& study) { return study.prior.learned && method_of(study).can_learn_prior(); }
/// Steps of the whole run of a study.
inline long steps_of(const Study& study)
{
    const auto& of_method = method_of(study).steps;
    return of_method ? of_method(study) : study.training.steps;
}
/// The course of the run of a study; of one that keeps no draws on the way its steps and their rates, if they have any.
inline RunPlan plan_of(const Study& study)
{
    const Method& method = method_of(study);
    if (method.plan)
        return method.plan(study);
    RunPlan plan{.steps = study.training.steps};
    if (!method.has_own_schedule)
        plan.schedule = study.training.schedule;
    return plan;
}
/// Is there something to see in its step sizes before the run: do they change, or are draws kept on the way?
inline bool has_step_schedule(const Study& study)
{
    const Method& method = method_of(study);
    if (method.sees_all_rows)
        return false;
    return method.plan || method.has_own_schedule || study.training.schedule.kind != ScheduleKind::constant;
}

}   // namespace credence
