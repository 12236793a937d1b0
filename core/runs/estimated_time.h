// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

namespace credence {

struct Experiment;

/// Order of magnitude of the wall time of a run.
enum class RunTime { seconds, minutes, hours };

/// Estimates the wall time of a run from its settings alone, without reading data:
///
///     steps * (overhead + 3 * examples per step * multiplications per example / rate)
///
/// A step has three passes: forward, and backward to weights and inputs. The assumed rate is half of that of
/// the LeNet in docs/mnist.md, which made 100,000 steps of 64 images in 889 s of processor time. A transition
/// of a Hamiltonian chain counts as 32 steps, since the length of a trajectory of NUTS is not known before the
/// run. The size of images and tables is assumed, too: this gives the order of magnitude only.
double estimated_seconds(const Study& study);
/// Estimates the wall time for loaded data, whose rows and network are known.
double estimated_seconds(const Experiment& experiment);

/// Up to 90 s: seconds; up to 90 minutes: minutes.
RunTime run_time_of(double seconds);

}   // namespace credence
