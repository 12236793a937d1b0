// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

namespace credence {

/// Why a diagnostic is undefined. See DiagnosticValue::why_not for the sentences.
enum class Undefined {
    no,               ///< it is defined
    too_few_draws,    ///< fewer than four per chain, or no chain
    not_finite,       ///< a draw is NaN or infinite
    constant,         ///< all draws are equal, so there is nothing to judge
    standing_still,   ///< each chain is stuck at its own value, so R̂ is unbounded
};

/// A finite number, or the reason why there is none. It never contains NaN or infinity.
class DiagnosticValue {
public:
    DiagnosticValue(double value);   ///< a value that is not finite becomes a reason
    DiagnosticValue(Undefined why, std::string sentence);

    bool has_value() const { return value_.has_value(); }
    explicit operator bool() const { return has_value(); }
    double operator*() const { return value_.value(); }   ///< @throws std::bad_optional_access if undefined
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
