// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace/fit_curvature.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/products.h"
#include "laplace/curvature_sums.h"
#include "laplace/dense_hessian.h"
#include "laplace/output_curvature.h"
#include "laplace/share_reporter.h"
#include "laplace/symmetric_eigen.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

namespace credence {
namespace {

