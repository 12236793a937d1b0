// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/hamiltonian.h"
#include "network/likelihood.h"
#include "posterior/prior.h"

#include <memory>
#include <span>

namespace credence {

/// The log posterior density of a network's weights over all rows of a data set, nats:
///     ln p(w | y) = Σ_i ln p(y_i | x_i, w) + ln p(w) + constant
/// in double. Networks with layers that need images use Network<double> with the threads of the
/// enclosing Threads::run; all others use TiledNetwork on the calling thread. Dropout layers pass
/// their input through.
class NetworkDensity final : public LogDensity {
public:
    enum class Way {
        fastest,   ///< selected from the layer kinds
        network,   ///< always Network<double>
    };

    /// @param inputs   [n × inputs] as the network sees them; copied, as are the targets
    /// @param targets  n labels or n values
    /// @throws Error   if the numbers of rows differ, a label has no output, or the likelihood
    /// requires another number of outputs
    NetworkDensity(const Architecture& architecture, const Likelihood& likelihood, const Prior& prior,
                   std::span<const float> inputs, const Targets& targets, Way way = Way::fastest);
    ~NetworkDensity() override;

    /// Returns the same density for another chain: the data are shared, the workspace is separate.
    std::unique_ptr<NetworkDensity> another() const;

    std::size_t dimension() const override;
    double evaluate(std::span<const double> theta, std::span<double> gradient) override;

    const ParameterLayout& layout() const;
    /// The two parts of the last evaluation, nats, including all constants.
    double log_likelihood() const { return log_likelihood_; }
    double log_prior() const { return log_prior_; }

private:
    struct Data;
    struct Memory;
    static std::shared_ptr<const Data> data_of(const Architecture& architecture, const Likelihood& likelihood,
                                               const Prior& prior, std::span<const float> inputs,
                                               const Targets& targets, Way way);
    explicit NetworkDensity(std::shared_ptr<const Data> data);

    std::shared_ptr<const Data> data_;
    std::unique_ptr<Memory> memory_;
    double log_likelihood_ = 0, log_prior_ = 0;
};

}   // namespace credence
