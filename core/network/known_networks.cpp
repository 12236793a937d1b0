// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/known_networks.h"

namespace credence {
namespace {

constexpr Activation relu{ActivationKind::relu};
constexpr Pool max_2{Pool::Kind::maximum, 2, 2};
constexpr Conv2d padded(int filters) { return {filters, 5, 1, 2}; }

Architecture of(ImageShape image, std::vector<Layer> layers)
{
    Architecture network{image.size(), std::move(layers), image};
    network.check();
    return network;
}

}   // namespace

Architecture lenet_caffe(ImageShape image, int h, int classes, double dropout)
{
    std::vector<Layer> layers{Conv2d{20, 5}, max_2, Conv2d{50, 5}, max_2, Dense{h}, relu};
    if (dropout != 0)
        layers.push_back(Dropout{dropout});
    layers.push_back(Dense{classes});
    return of(image, std::move(layers));
}

Architecture lenet5(ImageShape image, int classes)
{
    return of(image,
              {padded(6), relu, max_2, padded(16), relu, max_2, padded(120), relu, Dense{84}, relu, Dense{classes}});
}

Architecture signs_lenet(ImageShape image, int classes)
{
    return of(image, {Conv2d{6, 5}, relu, max_2, Conv2d{16, 5}, relu, max_2, Dense{128}, relu, Dense{classes}});
}

Architecture bridge_cnn(ImageShape image, int classes)
{
    return of(image, {Conv2d{32, 5}, relu, max_2, Conv2d{64, 5}, relu, max_2, Dense{256}, Dense{classes}});
}

Architecture cifar10_full(ImageShape image, int classes)
{
    constexpr Pool average{Pool::Kind::average, 3, 2};
    constexpr ResponseNorm norm{3, 5e-5, 0.75};
    return of(image, {padded(32), Pool{Pool::Kind::maximum, 3, 2}, relu, norm, padded(32), relu, average, norm,
                      padded(64), relu, average, Dense{classes}});
}

}   // namespace credence
