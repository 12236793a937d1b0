// SPDX-License-Identifier: GPL-3.0-or-later
// The list of all layer kinds. To add a kind, add its file, its test and two lines here; the build
// reads the file names from the includes below.
#pragma once

#include "layers/activation.h"
#include "layers/conv2d.h"
#include "layers/dense.h"
#include "layers/dropout.h"
#include "layers/flatten.h"
#include "layers/grey.h"
#include "layers/local_norm.h"
#include "layers/pool.h"
#include "layers/response_norm.h"

#include <variant>

namespace credence {

/// A kind that satisfies LayerKind; otherwise the compiler names the unmet requirement.
template <LayerKind Kind>
using Checked = Kind;
template <class... Kinds>
using LayerVariant = std::variant<Checked<Kinds>...>;

/// Any kind of layer. Help and error messages list the kinds in this order.
using Layer = LayerVariant<Conv2d, Pool, ResponseNorm, Dense, Dropout, Flatten, Grey, LocalNorm, Activation>;

}   // namespace credence
