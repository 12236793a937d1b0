// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/bandit_run.h"

#include "foundation/parallel.h"
#include "methods/chain_settings.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace credence {
namespace {

constexpr int actions            = 2;      // inputs after those of the context: leave, eat
constexpr int draws_of_a_step    = 4000;   // sample indices reserved for each interaction
constexpr std::size_t most_kept  = 100;    // states of each chain
constexpr std::size_t place_rows = 128;    // contexts that are evaluated at once

/// A table of the right shape without rows, to build the network for.
std::shared_ptr<const SplitData> shape_of_rewards(std::size_t n_inputs, double reward_scale)
{
    auto shape                 = std::make_shared<SplitData>();
    shape->training.task       = Task::regression;
    shape->training.n_features = n_inputs;
    shape->target_sd           = reward_scale;
    return shape;
}

TrainerOptions options_of_agent(const BanditStudy& study, const OnlineTraining& online, std::uint64_t seed)
{
    const Method& method   = method_of(study.learner);
    TrainerOptions options = study.learner.training;
    options.steps          = study.course.steps * study.course.updates;   // for schedules
    options.seed           = seed;
    options.langevin       = online.langevin;
    options.patience       = 0;
    options.max_seconds    = 0;
    if (method.training.prior == PriorUse::sampled) {   // a chain: (loss − ln p)/N per step
        options.kl_weighting     = KlWeighting::uniform;
        options.kl_weight        = 1;
        options.samples_per_step = 1;
    }
    return options;
}

}   // namespace

/// A network in training, and its latest states if they are posterior samples.
struct BanditLearner::Net {
    Trainer trainer;
    std::vector<float> states;   // [most_kept × weights], a ring
    std::size_t n_states = 0, newest = 0;

    Net(const Experiment& made, std::unique_ptr<VariationalFamily<float>> start, const TrainerOptions& options)
        : trainer(made.model, made.prior, std::move(start), options)
    {}

    void keep(std::span<const float> weights)
    {
        if (states.empty())
            states.resize(most_kept * weights.size());
        newest   = n_states == 0 ? 0 : (newest + 1) % most_kept;
        n_states = std::min(n_states + 1, most_kept);
        std::copy(weights.begin(), weights.end(),
                  states.begin() + static_cast<std::ptrdiff_t>(newest * weights.size()));
    }
    /// @param age  0: the newest one
    std::span<const float> state(std::size_t age, std::size_t n_weights) const
    {
        const std::size_t at = (newest + most_kept - age % n_states) % most_kept;
        return std::span(states).subspan(at * n_weights, n_weights);
    }
};

struct BanditLearner::Place {
    Network<float>::Workspace workspace;
    aligned_vector<float> rows;

    Place(const Network<float>& network, std::size_t most)
        : workspace(network, static_cast<int>(most)), rows(most * network.architecture().inputs)
    {}
};

BanditLearner::BanditLearner(const BanditStudy& study, std::size_t n_features, std::uint64_t seed)
    : seed_(seed), n_features_(n_features), n_inputs_(n_features + actions), updates_(study.course.updates),
      reward_scale_(study.course.reward_scale), capacity_(static_cast<std::size_t>(study.course.buffer)),
      inputs_(capacity_ * n_inputs_), targets_(capacity_)
{
    Study learner = study.learner;
    learner.seed  = seed;
    experiment_   = experiment_on(learner, shape_of_rewards(n_inputs_, reward_scale_));
    network_      = std::make_unique<Network<float>>(experiment_->model.architecture);

    const Method& method = method_of(learner);
    const auto online    = method.online(learner);
    const auto& layout   = network_->layout();
    for (int k = 0; k < online.nets; ++k) {
        const auto own   = method_parts::seed_of_chain(seed, k);
        const auto means = initial_weights(layout, learner.network.initialisation, own, learner.network.initial_sd);
        nets_.push_back(std::make_unique<Net>(*experiment_, method.start(layout, learner.posterior, means),
                                              options_of_agent(study, online, own)));
    }
    const auto& family = nets_.front()->trainer.posterior();
    states_are_draws_  = online.langevin && !family.has_weight_noise();
    draw_              = family.make_draw();
    keep_states();
    places_.push_back(std::make_unique<Place>(*network_, 1));   // for decisions
}

BanditLearner::~BanditLearner() = default;

void BanditLearner::keep_states()
{
    if (states_are_draws_)
        for (const auto& net : nets_)
            net->keep(net->trainer.posterior().means());
}

void BanditLearner::remember(std::span<const float> context, bool eaten, double reward)
{
    float* row = inputs_.data() + next_ * n_inputs_;
    std::copy(context.begin(), context.end(), row);
    row[n_features_]     = eaten ? 0.0f : 1.0f;
    row[n_features_ + 1] = eaten ? 1.0f : 0.0f;
    targets_[next_]      = static_cast<float>(reward / reward_scale_);
    next_                = (next_ + 1) % capacity_;
    count_               = std::min(count_ + 1, capacity_);
}

bool BanditLearner::learn()
{
    const GrowingRows rows{std::span(inputs_).first(count_ * n_inputs_), std::span(targets_).first(count_)};
    std::atomic<bool> finite = true;
    const auto learn_one     = [&](std::size_t k) {
        Trainer& trainer = nets_[k]->trainer;
        trainer.set_rows(rows);
        for (int u = 0; u < updates_; ++u)
            if (!std::isfinite(trainer.step())) {
                finite = false;
                return;
            }
    };
    if (nets_.size() == 1)
        learn_one(0);
    else
        parallel_for(nets_.size(), learn_one);
    if (finite)
        keep_states();
    return finite;
}

int BanditLearner::distinct_samples(int wanted) const
{
    wanted = std::clamp(wanted, 1, draws_of_a_step);
    if (states_are_draws_)
        return std::min(wanted, static_cast<int>(nets_.size() * nets_.front()->n_states));
    const auto& family = nets_.front()->trainer.posterior();
    const bool differ  = nets_.size() > 1 || family.has_weight_noise()
                        || (experiment_->model.dropout_at_prediction && family.noise_in() != NoiseIn::nothing);
    return differ ? wanted : 1;
}

std::span<const float> BanditLearner::weights_of(long t, int i) const
{
    std::size_t k = 0;
    if (nets_.size() > 1) {   // words 0 and 1 are used for random actions
        std::uint32_t word = 0;
        random_bits({seed_, Stream::bandit_choices, static_cast<std::uint32_t>(t)}, static_cast<std::uint64_t>(i) + 2,
                    std::span(&word, 1));
        k = static_cast<std::size_t>((std::uint64_t{word} * nets_.size()) >> 32);
    }
    const Net& net = *nets_[k];
    if (states_are_draws_)
        return net.state(static_cast<std::size_t>(i), network_->layout().size());
    net.trainer.posterior().draw({seed_, Stream::prediction, static_cast<std::uint32_t>(t * draws_of_a_step + i)},
                                 draw_);
    return draw_.weights;
}

void BanditLearner::expected_rewards(long t, int i, std::span<const float> contexts, std::span<double> leave,
                                     std::span<double> eat) const
{
    const std::size_t n = leave.size();
    const auto weights  = weights_of(t, i);
    const NoiseKey masks{seed_, Stream::prediction_dropout, static_cast<std::uint32_t>(t * draws_of_a_step + i)};
    const std::size_t pieces = (n + place_rows - 1) / place_rows;
    while (n > 1 && places_.size() < pieces + 1)
        places_.push_back(std::make_unique<Place>(*network_, place_rows));
    const auto evaluate = [&](Place& place, std::size_t first, std::size_t m) {
        const auto noise = experiment_->model.dropout_at_prediction ? std::optional(DropoutNoise{masks, first})
                                                                    : std::nullopt;   // both actions use the same masks
        for (const bool eats : {false, true}) {
            for (std::size_t r = 0; r < m; ++r) {
                float* row = place.rows.data() + r * n_inputs_;
                std::copy_n(contexts.data() + (first + r) * n_features_, n_features_, row);
                row[n_features_]     = eats ? 0.0f : 1.0f;
                row[n_features_ + 1] = eats ? 1.0f : 0.0f;
            }
            const auto outputs  = network_->forward(weights, place.rows.data(), static_cast<int>(m), place.workspace,
                                                    noise);
            const std::size_t k = outputs.size() / m;
            for (std::size_t r = 0; r < m; ++r)
                (eats ? eat : leave)[first + r] = static_cast<double>(outputs[r * k]) * reward_scale_;
        }
    };
    if (n == 1)
        return evaluate(*places_.front(), 0, 1);
    parallel_for(pieces, [&](std::size_t p) {
        evaluate(*places_[p + 1], p * place_rows, std::min(place_rows, n - p * place_rows));
    });
}

}   // namespace credence
