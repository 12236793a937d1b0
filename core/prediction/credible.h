// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/class_predictions.h"

namespace credence {

/// α-credible intervals of sampled outputs: quantiles (1 − α)/2 and (1 + α)/2 of the S values, type
/// 7. Steinbrener et al. write 1 − α for the level.
struct CredibleIntervals {
    double level = 0.95;   ///< α
    int n_inputs = 0, n_outputs = 0;
    std::vector<double> lower{}, upper{};   ///< [N × K]

    double lower_of(int input, int output) const { return lower[static_cast<std::size_t>(input) * n_outputs + output]; }
    double upper_of(int input, int output) const { return upper[static_cast<std::size_t>(input) * n_outputs + output]; }
};
/// @param level  α in (0, 1); @throws Error otherwise
template <class T>
CredibleIntervals credible_intervals(const SampleView<T>& samples, double level);

/// The same at several levels, sorting the samples once.
template <class T>
std::vector<CredibleIntervals> credible_intervals_at(const SampleView<T>& samples, std::span<const double> levels);

extern template CredibleIntervals credible_intervals(const SampleView<float>&, double);
extern template CredibleIntervals credible_intervals(const SampleView<double>&, double);
extern template std::vector<CredibleIntervals> credible_intervals_at(const SampleView<float>&, std::span<const double>);
extern template std::vector<CredibleIntervals> credible_intervals_at(const SampleView<double>&,
                                                                     std::span<const double>);

/// The certainty of predictions by two criteria (Posch and Pilz 2021, section IV-A; docs/maths.md,
/// section 8).
struct Certainty {
    /// (i): the predicted class's interval overlaps no other class's interval; touching counts as
    /// overlap [N]
    std::vector<char> disjoint;
    std::vector<char> probable;   ///< (ii): max p̄ >= α [N]
};
Certainty certainty(const ClassPredictions& predictions, const CredibleIntervals& intervals);

/// Tolerance for comparing a probability with a level or the edge of a bin: half a unit in the last
/// place of a float. 0.95 read from a float32 array is 0.949999988, and counts as 0.95.
inline constexpr double equal_shares = 0x1p-24;
inline bool reaches(double probability, double level) { return probability >= level - equal_shares; }

/// Criterion (i) for one input. @param lower, upper  [K]
bool is_disjoint(int predicted, std::span<const double> lower, std::span<const double> upper);

/// Counts of correct/wrong × certain/uncertain (Posch and Pilz 2021, Table III).
struct CertaintyCounts {
    long certain_correct = 0, certain_wrong = 0, uncertain_correct = 0, uncertain_wrong = 0;
    bool operator==(const CertaintyCounts&) const = default;
};
CertaintyCounts certainty_counts(std::span<const char> certain, std::span<const char> correct);

}   // namespace credence
