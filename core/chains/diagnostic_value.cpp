// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/diagnostic_value.h"

#include <cassert>
#include <cmath>
#include <utility>

namespace credence {

DiagnosticValue::DiagnosticValue(double value)
{
    if (std::isfinite(value)) {
        value_ = value;
    } else {
        reason_  = Undefined::not_finite;
        why_not_ = "The value is beyond the range of numbers.";
    }
}

DiagnosticValue::DiagnosticValue(Undefined why, std::string sentence) : reason_(why), why_not_(std::move(sentence))
{
    assert(why != Undefined::no);
}

}   // namespace credence
