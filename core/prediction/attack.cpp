// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/attack.h"

#include "foundation/elementary.h"
#include "foundation/enum_names.h"
#include "foundation/error.h"
#include "foundation/lazily_made.h"
#include "foundation/parallel.h"
#include "network/likelihood.h"
#include "network/network.h"
#include "posterior/sample_set.h"
#include "prediction/draw_loop.h"
#include "prediction/posterior_predictive.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace credence {
namespace {

/// Some draws of a set, sharing its memory.
class PartOfSet final : public Posterior {
public:
    PartOfSet(std::shared_ptr<const Posterior> whole, const SampleSet& set, std::vector<std::size_t> members)
        : Posterior(set.layout()), whole_(std::move(whole)), set_(set), members_(std::move(members))
    {}

    NoiseIn noise_in() const override { return members_.size() > 1 ? NoiseIn::weights : NoiseIn::nothing; }
    std::optional<std::size_t> different_draws() const override { return members_.size(); }
    Draw<float> make_draw() const override { return set_.make_draw(); }
    void draw(NoiseKey key, Draw<float>& out) const override
    {
        const auto weights = set_.draw_number(members_[key.index % members_.size()]);
        out.key            = key;
        std::copy(weights.begin(), weights.end(), out.weights.begin());
    }
    std::span<const float> means() const override { return set_.means(); }
    void moments(std::span<float> mean, std::span<float> sd) const override { set_.moments(mean, sd); }
    Covariance covariance() const override { return set_.covariance(); }
    LayerUncertainty describe() const override { return set_.describe(); }
    std::span<const float> numbers() const override { return set_.numbers(); }

private:
    std::shared_ptr<const Posterior> whole_;   // owns the set
    const SampleSet& set_;
    std::vector<std::size_t> members_;
};

}   // namespace

DrawsApart draws_apart(const std::shared_ptr<const Posterior>& posterior, int draws)
{
    const auto* set = sample_set_of(*posterior);
    if (!set || set->n_draws() < 2)
        return {posterior, posterior};
    const std::size_t n = set->n_draws(), taken = std::min(static_cast<std::size_t>(std::max(1, draws)), n / 2);
    std::vector<std::size_t> gradient, fresh;
    for (std::size_t i = 0; i < n; ++i)
        (gradient.size() < taken && i == gradient.size() * n / taken ? gradient : fresh).push_back(i);
    return {std::make_shared<PartOfSet>(posterior, *set, std::move(gradient)),
            std::make_shared<PartOfSet>(posterior, *set, std::move(fresh))};
}

namespace {

constexpr int rows_of_attack = 64;   // per task

constexpr EnumNames<AttackKind, 3> attack_kinds{{{AttackKind::fast_gradient_sign, "fast_gradient_sign"},
                                                 {AttackKind::projected_gradient, "projected_gradient"},
                                                 {AttackKind::random_signs, "random_signs"}}};
constexpr EnumNames<AttackGradient, 3> attack_gradients{{{AttackGradient::one_draw, "one_draw"},
                                                         {AttackGradient::mean_loss, "mean_loss"},
                                                         {AttackGradient::mean_predictive, "mean_predictive"}}};

/// −1, 0 or 1; also 0 for NaN.
float sign_or_zero(float gradient) { return gradient > 0 ? 1.0f : gradient < 0 ? -1.0f : 0.0f; }

/// Sums over samples per row, with the largest magnitude factored out: Σ_s e^{size_s} direction_s =
/// e^{largest} sum.
struct AttackSums {
    std::vector<double> largest, probability;   // [n]; probability: ln Σ_s p_s(y)
    std::vector<float> sum;                     // [n × d]

    AttackSums(int n, int d)
        : largest(static_cast<std::size_t>(n), -std::numeric_limits<double>::infinity()), probability(largest),
          sum(static_cast<std::size_t>(n) * static_cast<std::size_t>(d))
    {}
    void add(std::size_t row, std::span<const float> direction, double size)
    {
        float* const own = sum.data() + row * direction.size();
        if (size > largest[row]) {
            const auto shrink = static_cast<float>(std::exp(largest[row] - size));
            for (std::size_t j = 0; j < direction.size(); ++j)
                own[j] = own[j] * shrink + direction[j];
            largest[row] = size;
            return;
        }
        const auto factor = static_cast<float>(std::exp(size - largest[row]));
        for (std::size_t j = 0; j < direction.size(); ++j)
            own[j] += factor * direction[j];
    }
};

/// Divides by the number of samples or by Σ_s p_s(y), and counts the zeros.
InputGradients gradients_of(AttackSums sums, int d, int n_draws, AttackGradient kind)
{
    InputGradients out{.direction = std::move(sums.sum), .log_size = std::move(sums.largest)};
    const std::size_t n = out.log_size.size();
    std::size_t zeros = 0, zero_rows = 0;
    for (std::size_t row = 0; row < n; ++row) {
        out.log_size[row] -= kind == AttackGradient::mean_predictive ? sums.probability[row] : std::log(n_draws);
        const auto begin = out.direction.begin() + static_cast<std::ptrdiff_t>(row) * d;
        const auto here  = std::count(begin, begin + d, 0.0f);
        zeros += static_cast<std::size_t>(here);
        zero_rows += here == d;
    }
    if (n > 0) {
        out.zero_share = static_cast<double>(zeros) / static_cast<double>(out.direction.size());
        out.zero_rows  = static_cast<double>(zero_rows) / static_cast<double>(n);
    }
    return out;
}

/// Working memory of one task for a forward and a backward pass over some rows.
struct AttackPasses {
    Network<float>::Workspace workspace;
    std::vector<float> output_gradient, input_gradient;
    std::vector<LossDirection> losses;
    AttackPasses(const Network<float>& network, int rows)
        : workspace(network, rows), output_gradient(static_cast<std::size_t>(rows) * network.architecture().outputs()),
          input_gradient(static_cast<std::size_t>(rows) * network.architecture().inputs),
          losses(static_cast<std::size_t>(rows))
    {}
};

}   // namespace

std::string name(AttackKind kind) { return attack_kinds.name_of(kind); }
std::string name(AttackGradient gradient) { return attack_gradients.name_of(gradient); }
AttackKind attack_kind_named(const std::string& wanted) { return attack_kinds.value_of(wanted, "The attack"); }
AttackGradient attack_gradient_named(const std::string& wanted)
{
    return attack_gradients.value_of(wanted, "The gradient of the attack");
}

Attack::Attack(const Model& model, std::shared_ptr<const Posterior> posterior, AttackSpace space,
               const AttackOptions& options, std::uint64_t seed)
    : model_(model), posterior_(std::move(posterior)), space_(std::move(space)), options_(options), seed_(seed),
      n_draws_(1)
{
    if (!model_.likelihood->has_labels() || model_.architecture.outputs() < 2)
        throw Error("Attack: the network has no classes, expected at least 2.");
    if (options_.draws < 1 || options_.steps < 1 || !(options_.step_share > 0))
        throw Error("Attack: found " + std::to_string(options_.draws) + " samples and " + std::to_string(options_.steps)
                    + " steps, expected at least 1 of each and a step longer than 0.");
    assert(static_cast<int>(space_.unit.size()) == model_.architecture.inputs);
    assert(space_.lowest.size() == space_.highest.size()
           && (space_.lowest.empty() || space_.lowest.size() == space_.unit.size()));
    const bool mean_weights = posterior_->has_weight_noise() && model_.linearised_at_prediction;
    if (options_.gradient != AttackGradient::one_draw && !mean_weights)
        n_draws_ = PosteriorPredictive(model_, posterior_, options_.draws, seed_).n_samples();
}

std::optional<InputGradients> Attack::gradients(std::span<const float> inputs, std::span<const int> labels,
                                                std::stop_token stop) const
{
    const Network<float> network(model_.architecture);
    const int d = model_.architecture.inputs, k = model_.architecture.outputs(), n = static_cast<int>(labels.size());
    assert(inputs.size() == static_cast<std::size_t>(n) * static_cast<std::size_t>(d));
    const bool mean_weights = posterior_->has_weight_noise() && model_.linearised_at_prediction;
    const int rows_at_once = std::min(rows_of_attack, std::max(1, n)), pieces = (n + rows_at_once - 1) / rows_at_once;
    ObjectPool<AttackPasses> pool([&] { return std::make_unique<AttackPasses>(network, rows_at_once); });
    AttackSums sums(n, d);

    /// Adds one sample for the rows starting at `first`.
    const auto add_draw = [&](AttackPasses& passes, std::span<const float> weights, int draw, int first, int rows) {
        std::optional<DropoutNoise> masks;
        if (model_.dropout_at_prediction && !mean_weights)
            masks = DropoutNoise{{seed_, Stream::attack_dropout, static_cast<std::uint32_t>(draw)},
                                 static_cast<std::uint64_t>(first)};
        const auto at     = static_cast<std::size_t>(first) * static_cast<std::size_t>(d);
        const auto logits = network.forward(weights, inputs.data() + at, rows, passes.workspace, masks);
        const std::span<float> dz(passes.output_gradient.data(), static_cast<std::size_t>(rows) * k);
        const std::span<float> dx(passes.input_gradient.data(), static_cast<std::size_t>(rows) * d);
        for (int r = 0; r < rows; ++r) {
            const auto row   = static_cast<std::size_t>(r) * static_cast<std::size_t>(k);
            passes.losses[r] = loss_direction(logits.subspan(row, k), labels[first + r], dz.subspan(row, k));
        }
        network.backward(weights, dz, passes.workspace, {}, dx);
        for (int r = 0; r < rows; ++r) {
            const auto row        = static_cast<std::size_t>(first + r);
            const auto& loss      = passes.losses[r];
            const bool predictive = options_.gradient == AttackGradient::mean_predictive;
            sums.add(row, dx.subspan(static_cast<std::size_t>(r) * d, d),
                     loss.log_rest + (predictive ? loss.log_probability : 0));
            sums.probability[row] = log_add_exp(sums.probability[row], loss.log_probability);
        }
    };

    const int held = std::min(draws_at_once, n_draws_);
    std::vector<Draw<float>> draws;
    for (int i = 0; i < held && !mean_weights; ++i)
        draws.push_back(posterior_->make_draw());
    for (int first_draw = 0; first_draw < n_draws_; first_draw += held) {
        const int group = std::min(held, n_draws_ - first_draw);
        if (!mean_weights)
            parallel_for(static_cast<std::size_t>(group), [&](std::size_t i) {
                posterior_->draw(
                    {seed_, Stream::attacks, static_cast<std::uint32_t>(first_draw) + static_cast<std::uint32_t>(i)},
                    draws[i]);
            });
        parallel_for(static_cast<std::size_t>(pieces), [&](std::size_t piece) {
            const int first = static_cast<int>(piece) * rows_at_once, rows = std::min(rows_at_once, n - first);
            pool.borrow([&](AttackPasses& passes) {
                for (int i = 0; i < group && !stop.stop_requested(); ++i)
                    add_draw(passes, mean_weights ? posterior_->means() : std::span<const float>(draws[i].weights),
                             first_draw + i, first, rows);
            });
        });
        if (stop.stop_requested())
            return std::nullopt;
    }

    return gradients_of(std::move(sums), d, n_draws_, options_.gradient);
}

std::vector<float> Attack::random_signs(std::size_t numbers) const
{
    std::vector<std::uint32_t> bits(numbers);
    random_bits({seed_, Stream::attacks, std::numeric_limits<std::uint32_t>::max()}, 0, bits);
    std::vector<float> signs(numbers);
    std::transform(bits.begin(), bits.end(), signs.begin(),
                   [](std::uint32_t word) { return word >> 31 ? 1.0f : -1.0f; });
    return signs;
}

void Attack::step(std::span<const float> origin, std::span<const float> direction, double length, double epsilon,
                  std::span<float> x) const
{
    const std::size_t d = width();
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t j = i % d;
        const double ball = epsilon * static_cast<double>(space_.unit[j]), at = static_cast<double>(origin[i]);
        double moved = static_cast<double>(x[i])
                       + length * static_cast<double>(space_.unit[j] * sign_or_zero(direction[i]));
        moved = std::clamp(moved, at - ball, at + ball);
        if (!space_.lowest.empty())
            moved = std::clamp(moved, static_cast<double>(space_.lowest[j]), static_cast<double>(space_.highest[j]));
        x[i] = static_cast<float>(moved);
    }
}

std::optional<InputGradients> Attack::run(std::span<const float> inputs, std::span<const int> labels,
                                          std::span<const double> epsilons,
                                          function_ref<void(std::size_t, std::span<const float>)> use,
                                          std::stop_token stop) const
{
    InputGradients first;
    std::vector<float> signs;
    if (options_.kind == AttackKind::random_signs) {
        signs = random_signs(inputs.size());
    } else {
        auto made = gradients(inputs, labels, stop);
        if (!made)
            return std::nullopt;
        first = std::move(*made);
    }
    const std::span<const float> direction = signs.empty() ? std::span<const float>(first.direction) : signs;
    std::vector<float> x;
    for (std::size_t e = 0; e < epsilons.size(); ++e) {
        const double epsilon = epsilons[e];
        x.assign(inputs.begin(), inputs.end());
        const bool steps    = options_.kind == AttackKind::projected_gradient;
        const double length = steps ? options_.step_share * epsilon : epsilon;
        if (epsilon > 0)
            step(inputs, direction, length, epsilon, x);
        for (int i = 1; steps && epsilon > 0 && i < options_.steps; ++i) {
            const auto next = gradients(x, labels, stop);
            if (!next)
                return std::nullopt;
            step(inputs, next->direction, length, epsilon, x);
        }
        if (stop.stop_requested())
            return std::nullopt;
        use(e, x);
    }
    return first;
}

std::optional<double> smallest_change(std::span<const double> epsilons, std::span<const int> decisions,
                                      function_ref<int(double)> decision_at, int halvings)
{
    assert(epsilons.size() == decisions.size());
    for (std::size_t i = 1; i < epsilons.size(); ++i) {
        if (decisions[i] == decisions[0])
            continue;
        double kept = epsilons[i - 1], changed = epsilons[i];
        for (int h = 0; h < halvings; ++h) {
            const double middle                                    = (kept + changed) / 2;
            (decision_at(middle) == decisions[0] ? kept : changed) = middle;
        }
        return changed;
    }
    return std::nullopt;
}

}   // namespace credence
