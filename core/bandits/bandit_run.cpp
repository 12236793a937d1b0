// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/bandit_run.h"

#include "foundation/error.h"
#include "foundation/flush_denormals.h"
#include "foundation/statistics.h"
#include "random/noise.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace credence {
namespace {

double mean_of_draws(const std::vector<double>& draws) { return draws.empty() ? 0 : mean_of(draws); }

/// Width of the square over which the share of one sample is averaged, so that few samples give smooth contours.
constexpr double cells_across = 2;

/// The slope per cell at one of the n cells of a line, by the neighbours on both sides or on one.
double slope_at(std::span<const double> value, std::size_t cell, std::size_t place, std::size_t n, std::size_t stride)
{
    const std::size_t before = place > 0 ? 1 : 0, after = place + 1 < n ? 1 : 0;
    return before + after == 0
               ? 0
               : (value[cell + after * stride] - value[cell - before * stride]) / static_cast<double>(before + after);
}

/// The approximate share of a cell in which a value is positive, if it varies linearly across the cell.
/// @param centre  its value at the centre @param range  its largest minus its smallest value in the cell
double positive_share(double centre, double range)
{
    return range > 0 ? std::clamp(0.5 + centre / range, 0.0, 1.0) : centre > 0 ? 1.0 : 0.0;
}

}   // namespace

double RewardDraws::mean_leave() const { return mean_of_draws(leave); }
double RewardDraws::mean_eat() const { return mean_of_draws(eat); }

void EatenCounts::add(bool edible, bool eaten)
{
    ++(edible ? (eaten ? edible_eaten : edible_left) : (eaten ? poisonous_eaten : poisonous_left));
}

EatenCounts& EatenCounts::operator+=(const EatenCounts& more)
{
    edible_eaten += more.edible_eaten;
    edible_left += more.edible_left;
    poisonous_eaten += more.poisonous_eaten;
    poisonous_left += more.poisonous_left;
    return *this;
}

struct BanditRun::Impl {
    std::shared_ptr<const BanditWorld> world;
    BanditStudy study;
    std::uint64_t seed;
    std::unique_ptr<BanditLearner> learner;   // null: the agent has no network
    long done = 0;
    BanditStep last{};
    EatenCounts counts{};
    bool failed = false;

    Impl(std::shared_ptr<const BanditWorld> w, BanditStudy s, std::uint64_t number)
        : world(std::move(w)), study(std::move(s)), seed(number)
    {
        assert(world && world->options() == study.world);
        check(study);
        if (study.has_net())
            learner = std::make_unique<BanditLearner>(study, world->n_features(), seed);
        last.context.inputs.resize(world->n_features());
    }

    int draws_of_a_decision() const { return study.agent.kind == AgentKind::thompson ? study.agent.action_samples : 1; }

    void values(std::span<const float> context, int wanted, RewardDraws& into) const
    {
        into.leave.clear();
        into.eat.clear();
        if (!learner)
            return;
        const int draws = learner->distinct_samples(wanted);
        into.leave.resize(static_cast<std::size_t>(draws));
        into.eat.resize(static_cast<std::size_t>(draws));
        for (int i = 0; i < draws; ++i)
            learner->expected_rewards(done, i, context, std::span(into.leave).subspan(static_cast<std::size_t>(i), 1),
                                      std::span(into.eat).subspan(static_cast<std::size_t>(i), 1));
    }

    void decide()
    {
        std::array<std::uint32_t, 2> words{};   // the action by chance, and whether chance decides
        random_bits({seed, Stream::bandit_choices, static_cast<std::uint32_t>(done)}, 0, words);
        last.by_chance = study.agent.kind == AgentKind::uniform
                         || (study.agent.kind == AgentKind::greedy
                             && static_cast<double>(words[1]) < study.agent.epsilon * 4294967296.0);
        if (last.by_chance) {
            last.draws.leave.clear();
            last.draws.eat.clear();
            last.eaten = words[0] >> 31 != 0;
            return;
        }
        values(last.context.inputs, draws_of_a_decision(), last.draws);
        last.eaten = last.draws.mean_eat() > last.draws.mean_leave();
    }

    const BanditStep& step()
    {
        if (failed)
            throw Error("This course has ended because its loss was not finite.");
        const FlushDenormals here;
        world->context(seed, done, last.context);
        decide();
        last.reward = mushroom_bandit::reward(last.context.edible, last.eaten, last.context.lucky);
        last.oracle = mushroom_bandit::oracle_reward(last.context.edible);
        last.cumulative += last.oracle - last.reward;
        last.step = ++done;
        counts.add(last.context.edible, last.eaten);
        if (!learner)
            return last;
        learner->remember(last.context.inputs, last.eaten, last.reward);
        if (!learner->learn()) {
            failed = true;
            throw Error("training.learning_rate", agent_title(study) + ", seed " + std::to_string(seed)
                                                      + ": the loss is not finite after interaction "
                                                      + std::to_string(done)
                                                      + ". Try a smaller training.learning_rate.");
        }
        return last;
    }
};

BanditRun::BanditRun(std::shared_ptr<const BanditWorld> world, BanditStudy study, std::uint64_t seed)
    : impl_(std::make_unique<Impl>(std::move(world), std::move(study), seed))
{}
BanditRun::~BanditRun() = default;

const BanditStep& BanditRun::step() { return impl_->step(); }
const BanditStep& BanditRun::last() const { return impl_->last; }
const BanditStudy& BanditRun::study() const { return impl_->study; }
const BanditWorld& BanditRun::world() const { return *impl_->world; }
std::uint64_t BanditRun::seed() const { return impl_->seed; }
long BanditRun::steps_done() const { return impl_->done; }
const EatenCounts& BanditRun::counts() const { return impl_->counts; }
BanditContext BanditRun::next_context() const { return impl_->world->context(impl_->seed, impl_->done); }

RewardDraws BanditRun::next_decision(int draws) const { return values(next_context().inputs, draws); }

RewardDraws BanditRun::values(std::span<const float> context, int draws) const
{
    assert(context.size() == impl_->world->n_features());
    const FlushDenormals here;
    RewardDraws made;
    impl_->values(context, draws, made);
    return made;
}

BanditRun::ValueMap BanditRun::value_map(std::span<const float> contexts, int draws, std::size_t columns,
                                         const std::stop_token& stop) const
{
    if (!impl_->learner || contexts.empty())
        return {};
    assert(contexts.size() % impl_->world->n_features() == 0);
    assert(columns == 0 || contexts.size() / impl_->world->n_features() % columns == 0);
    const FlushDenormals here;
    const std::size_t n = contexts.size() / impl_->world->n_features();
    const int S         = impl_->learner->distinct_samples(draws);
    std::vector<double> leave(n), eat(n), advantage(n);
    const std::vector<double> none(n, 0.0);
    ValueMap map{none, none, none, none, none};
    // Running means and sums of squares, in the order of the samples (Welford).
    const auto add = [](double x, int i, double& mean, double& squares) {
        const double off = x - mean;
        mean += off / (i + 1);
        squares += off * (x - mean);
    };
    for (int i = 0; i < S; ++i) {
        if (stop.stop_requested())
            return {};
        impl_->learner->expected_rewards(impl_->done, i, contexts, leave, eat);
        for (std::size_t j = 0; j < n; ++j) {
            add(leave[j], i, map.mean_leave[j], map.sd_leave[j]);
            add(eat[j], i, map.mean_eat[j], map.sd_eat[j]);
            advantage[j] = eat[j] - leave[j];
        }
        for (std::size_t j = 0; j < n; ++j) {
            const double range = columns == 0
                                     ? 0
                                     : std::abs(slope_at(advantage, j, j % columns, columns, 1))
                                           + std::abs(slope_at(advantage, j, j / columns, n / columns, columns));
            map.share_eaten[j] += positive_share(advantage[j], cells_across * range);
        }
    }
    for (auto* squares : {&map.sd_leave, &map.sd_eat})
        for (double& value : *squares)
            value = S > 1 ? std::sqrt(value / (S - 1)) : 0;
    for (double& share : map.share_eaten)
        share /= S;
    return map;
}

}   // namespace credence
