// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/log_density.h"
#include "network/likelihood.h"
#include "posterior/prior.h"

#include <memory>
#include <span>

namespace credence {

/// The log posterior density of a net's weights over all rows of a data set, nats:
///     ln p(w | y) = Σ_i ln p(y_i | x_i, w) + ln p(w) + constant
/// in double. Nets of dense layers run on kernels of their own, on the calling thread (mlp_rows.h);
/// all others on Network<double>, with the threads of the enclosing Threads::run. Dropout layers
/// pass their input through.
class NetworkDensity final : public LogDensity {
public:
    enum class Way {
        fastest,   ///< by the layers
        network,   ///< Network<double>, whatever the layers
    };

    /// @param inputs   [n × inputs] as the network sees them; copied, as the targets are
    /// @param targets  n labels or n values
    /// @throws Error   for numbers of rows that do not fit together, labels that the net has no
    /// output for, and a likelihood that wants another number of outputs
    NetworkDensity(const Architecture& architecture, const Likelihood& likelihood, const Prior& prior,
                   std::span<const float> inputs, const Targets& targets, Way way = Way::fastest);
    ~NetworkDensity() override;

    /// The same density for another chain: shares the data, has working memory of its own.
    std::unique_ptr<NetworkDensity> another() const;

    std::size_t dimension() const override;
    double evaluate(std::span<const double> theta, std::span<double> gradient) override;

    const ParameterLayout& layout() const;
    /// The two parts of the last evaluation, nats, with all constants.
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
