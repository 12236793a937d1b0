// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "network/likelihoods/in_both_precisions.h"
#include "network/noise_distribution.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>
#include <vector>

namespace credence {
namespace {

/// Targets that are independent given the outputs, each with its own likelihood:
///
///     ln p(y | outputs) = Σ_t ln p_t(y_t | outputs of t)
///
/// Output u of target t is outputs[u T + t]: first all means, then all other outputs, so that levels
/// that do not depend on the input are the last ones. A part of the targets can be read alone; then the
/// others count as unknown.
class SeveralTargets final : public likelihood_parts::InBothPrecisions<SeveralTargets> {
public:
    SeveralTargets(std::vector<Likelihood> targets, std::vector<int> read)
        : targets_(std::move(targets)), read_(std::move(read)), units_(targets_.front()->n_outputs(2))
    {
        assert(!read_.empty() && std::ranges::all_of(targets_, [&](const Likelihood& one) {
            return !one->has_labels() && one->n_outputs(2) == units_;
        }));
    }

    std::vector<double> parameters() const override
    {
        std::vector<double> all{static_cast<double>(targets_.size())};
        all.insert(all.end(), read_.begin(), read_.end());
        for (const Likelihood& one : targets_) {
            const auto own = one->parameters();
            all.insert(all.end(), own.begin(), own.end());
        }
        return all;
    }
    int n_targets() const override { return static_cast<int>(read_.size()); }
    std::shared_ptr<const LikelihoodFamily> of_target(int target) const override
    {
        return std::make_shared<const SeveralTargets>(targets_,
                                                      std::vector{read_.at(static_cast<std::size_t>(target))});
    }
    bool is_exact() const override
    {
        return std::ranges::all_of(targets_, [](const Likelihood& one) { return one->is_exact(); });
    }
    int n_constant_outputs() const override { return targets_.front()->n_constant_outputs() * all(); }
    int n_outputs(int /*n_classes*/) const override { return units_ * all(); }
    std::optional<double> constant_scale() const override
    {
        return n_targets() == 1 ? likelihood(0)->constant_scale() : std::nullopt;
    }

    template <class T>
    double value_of(std::span<const T> outputs, int n, int /*k*/, const Targets& targets, std::span<T> gradient,
                    T scale, int* correct) const
    {
        assert(targets.values.size() >= static_cast<std::size_t>(n) * read_.size());
        if (correct)
            *correct = 0;
        std::ranges::fill(gradient, T(0));
        static thread_local std::vector<T> own, own_gradient;
        static thread_local std::vector<float> values;
        own_gradient.resize(gradient.empty() ? 0 : static_cast<std::size_t>(n) * static_cast<std::size_t>(units_));
        values.resize(static_cast<std::size_t>(n));
        double total = 0;
        for (std::size_t r = 0; r < read_.size(); ++r) {
            gather(outputs, n, read_[r], own);
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = targets.values[i * read_.size() + r];
            total += likelihood(r)->value(std::span<const T>(own), n, units_, {{}, values}, std::span<T>(own_gradient),
                                          scale, nullptr);
            for (std::size_t i = 0; i < own_gradient.size(); ++i)
                gradient[place(i, read_[r])] = own_gradient[i];
        }
        return total;
    }

    // Methods that need these refuse several targets before training.
    double log_density(const UnitRows& /*at*/, const double* /*targets*/, double* /*scratch*/) const override
    {
        refuse("density for Hamiltonian chains");
    }
    int curvature_columns(int /*n_outputs*/) const override { refuse("curvature"); }
    bool curvature_is_exact() const override { refuse("curvature"); }
    template <class T>
    void roots_of(std::span<const T> /*outputs*/, int /*k*/, T* /*roots*/, std::size_t /*next*/) const
    {
        refuse("curvature");
    }
    void hessian(std::span<const double> /*outputs*/, double /*target*/, std::span<double> /*hessian*/) const override
    {
        refuse("curvature");
    }

    int n_predicted(int /*n_outputs*/) const override { return 2 * n_targets(); }
    void predict(std::span<const float> outputs, int k, float* predicted, float* entropy) const override
    {
        const auto n = outputs.size() / static_cast<std::size_t>(k), of_row = 2 * read_.size();
        std::vector<float> own, of_target(2 * n);
        for (std::size_t r = 0; r < read_.size(); ++r) {
            gather(outputs, static_cast<int>(n), read_[r], own);
            likelihood(r)->predict(own, units_, of_target.data(), entropy);
            for (std::size_t i = 0; i < of_target.size(); ++i)
                predicted[i / 2 * of_row + 2 * r + i % 2] = of_target[i];
        }
    }
    std::shared_ptr<const NoiseDistribution> noise() const override { return likelihood(0)->noise(); }

private:
    int all() const { return static_cast<int>(targets_.size()); }
    const Likelihood& likelihood(std::size_t r) const { return targets_[static_cast<std::size_t>(read_[r])]; }
    /// Where output i of a target's own [n × units] is among all outputs.
    std::size_t place(std::size_t i, int target) const
    {
        return i * targets_.size() + static_cast<std::size_t>(target);
    }
    template <class T>
    void gather(std::span<const T> outputs, int n, int target, std::vector<T>& own) const
    {
        own.resize(static_cast<std::size_t>(n) * static_cast<std::size_t>(units_));
        for (std::size_t i = 0; i < own.size(); ++i)
            own[i] = outputs[place(i, target)];
    }
    [[noreturn]] static void refuse(const std::string& what)
    {
        throw Error("The likelihood of several targets has no " + what + ". Train one network per target.");
    }

    std::vector<Likelihood> targets_;
    std::vector<int> read_;   // the targets whose values are known, in their order
    int units_;               // outputs of each target
};

}   // namespace

Likelihood Likelihood::of_several(std::vector<Likelihood> targets)
{
    std::vector<int> all(targets.size());
    std::iota(all.begin(), all.end(), 0);
    return Likelihood(std::make_shared<const SeveralTargets>(std::move(targets), std::move(all)));
}

}   // namespace credence
