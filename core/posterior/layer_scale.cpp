// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/layer_scale.h"

namespace credence {

template class LayerScale<float>;
template class LayerScale<double>;

}   // namespace credence
