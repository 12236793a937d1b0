// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/trainer.h"

#include <cassert>
#include <cmath>

namespace credence {

double minibatch_weight(KlWeighting weighting, int i, int M)
{
    assert(1 <= i && i <= M);
    switch (weighting) {
    case KlWeighting::constant: return 1;
    case KlWeighting::uniform: return 1.0 / M;
    case KlWeighting::geometric:
        return std::ldexp(1.0, -i) / (1 - std::ldexp(1.0, -M));   // 2^{M-i}/(2^M - 1) without 2^M
    }
    return 1;
}

}   // namespace credence
