// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

namespace credence {

/// Why a diagnostic is not defined. For sentences see DiagnosticValue::why_not.
enum class Undefined {
    no,               ///< it is defined
    too_few_draws,    ///< fewer than four a chain, or no chain
    not_finite,       ///< a draw is NaN or infinite
    constant,         ///< all draws are the same: there is nothing to judge
    standing_still,   ///< the chains stand still, each at a place of its own: R̂ has no bound
};

/// A finite number, or the sentence that says why there is none. NaN and infinity never get into one.
class DiagnosticValue {
public:
    DiagnosticValue(double value);   ///< a value that is not finite becomes a sentence
    DiagnosticValue(Undefined why, std::string sentence);

    bool has_value() const { return value_.has_value(); }
    explicit operator bool() const { return has_value(); }
    double operator*() const { return value_.value(); }   ///< @throws std::bad_optional_access if it is not defined
    const std::optional<double>& value() const { return value_; }

    Undefined reason() const { return reason_; }
    const std::string& why_not() const { return why_not_; }   ///< empty if there is a value

    bool operator==(const DiagnosticValue&) const = default;

private:
    std::optional<double> value_{};
    Undefined reason_ = Undefined::no;
    std::string why_not_{};
};

}   // namespace credence
