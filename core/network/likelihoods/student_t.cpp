// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/likelihoods/residual.h"
#include "network/noise_model.h"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include <cmath>
#include <numbers>

namespace credence {
namespace {

/// −ln p(e) = ½ (ν + 1) ln(1 + e²/ν) + ½ ln(νπ) + ln Γ(ν/2) − ln Γ((ν + 1)/2), ν > 2
class StudentT {
public:
    explicit StudentT(double degrees)
        : degrees_(degrees), constant_(0.5 * std::log(degrees * std::numbers::pi)
                                       + std::log(boost::math::tgamma_delta_ratio(degrees / 2, 0.5)))
    {}

    double energy(double e) const { return 0.5 * (degrees_ + 1) * std::log1p(e * e / degrees_) + constant_; }
    double slope(double e) const { return (degrees_ + 1) * e / (degrees_ + e * e); }
    double curvature(double e) const
    {
        const double below = degrees_ + e * e;
        return (degrees_ + 1) * (degrees_ - e * e) / (below * below);
    }
    double information() const { return (degrees_ + 1) / (degrees_ + 3); }
    double sd() const { return std::sqrt(degrees_ / (degrees_ - 2)); }
    double cdf(double e) const { return boost::math::cdf(boost::math::students_t(degrees_), e); }
    double quantile(double p) const { return boost::math::quantile(boost::math::students_t(degrees_), p); }
    std::vector<double> parameters() const { return {degrees_}; }

private:
    double degrees_, constant_;
};

}   // namespace

NoiseModel student_t_noise_model()
{
    return {.id         = "student_t",
            .title      = "Student-t",
            .hint       = "Heavy tails: a few outliers change the curve less than under Gaussian noise.",
            .settings   = {{.path  = "network.noise_scale",
                            .label = "Scale s",
                            .unit  = "target units",
                            .help  = "Scale of the Student-t noise, in the units of y. Its standard deviation is larger: "
                                       "s·√(ν/(ν − 2)).",
                            .usual = 0.1,
                            .min   = 0,
                            .max   = 1e6,
                            .in_target_units = true},
                           {.path  = "network.noise_degrees",
                            .label = "Degrees of freedom ν",
                            .help  = "Shape of the Student-t noise. Near 2, outliers are common; above 30, the noise is "
                                       "almost Gaussian. It must be above 2, so that the noise has a standard deviation.",
                            .usual = 4,
                            .min   = 2,
                            .max   = 1000}},
            .likelihood = [](std::span<const double> values) {
                return likelihood_parts::residual_likelihood(values[0], StudentT(values[1]));
            }};
}

}   // namespace credence
