// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/architecture.h"

namespace credence {

// The networks of the papers, under the names used there (docs/maths.md, section 11).

/// Posch and Pilz 2021, Steinbrener et al. 2020: conv 20@5×5 – max 2/2 – conv 50@5×5 – max 2/2 –
/// dense h, ReLU – dense K; no activation after the convolutions. 431,080 parameters for 28×28
/// images, h = 500 and K = 10; 228,330 for h = 250, 106,680 for h = 100.
/// @param dropout  rate after the first dense layer; 0: none
/// @throws Error if the images are too small, as do all functions here
Architecture lenet_caffe(ImageShape image, int h, int classes, double dropout = 0);

/// The functional-BNN submission: conv 6, 16 and 120 (5×5, padding 2, ReLU), max 2/2 after the
/// first two, dense 84 ReLU, dense K.
Architecture lenet5(ImageShape image, int classes);

/// The functional-BNN submission, section 6.1, for traffic signs: conv 6@5×5, ReLU, max 2/2, conv
/// 16@5×5, ReLU, max 2/2, dense 128 ReLU, dense K. 56,996 parameters for 1×32×32 and K = 24; the
/// paper does not state its ReLUs; they are placed as in LeNet-5.
Architecture signs_lenet(ImageShape image, int classes);

/// Hobbhahn 2020, from the released notebooks: conv 32@5×5, ReLU, max 2/2, conv 64@5×5, ReLU, max
/// 2/2, dense 256 without activation, dense K.
Architecture bridge_cnn(ImageShape image, int classes);

/// Caffe's CIFAR10_full (Posch and Pilz 2021): conv 32 (5×5, padding 2) – max 3/2 – ReLU – LRN(3,
/// 5e-5, 0.75) – conv 32 – ReLU – average 3/2 – LRN – conv 64 – ReLU – average 3/2 – dense K.
/// 89,578 parameters for 3×32×32 and K = 10.
Architecture cifar10_full(ImageShape image, int classes);

}   // namespace credence
