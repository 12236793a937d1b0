// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "network/architecture.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace credence {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr ImageShape mnist{1, 28, 28}, cifar{3, 32, 32};

std::string refusal_of(std::vector<Layer> layers, ImageShape image = mnist)
{
    layers.push_back(Dense{2});
    return sentence_of_error([&] { Architecture{image.size(), layers, image}.check(); });
}
std::string refusal_of_text(const std::string& text)
{
    return sentence_of_error([&] { layers_from_text(text); });
}

TEST(ImageArchitecture, TheNetworksOfThePapersHaveTheNumbersOfParametersThatTheyState)
{
    EXPECT_EQ(layout_of(lenet_caffe(mnist, 500, 10)).size(), 431'080u);   // Steinbrener et al. 2020
    EXPECT_EQ(layout_of(lenet_caffe(mnist, 250, 10)).size(), 228'330u);
    EXPECT_EQ(layout_of(lenet_caffe(mnist, 100, 10)).size(), 106'680u);
    EXPECT_EQ(layout_of(cifar10_full(cifar, 10)).size(), 89'578u);
    EXPECT_EQ(layout_of(lenet5(mnist, 10)).size(), 545'546u);
    EXPECT_EQ(layout_of(bridge_cnn(mnist, 10)).size(), 317'066u);
    EXPECT_EQ(layout_of(signs_lenet({1, 32, 32}, 24)).size(), 56'996u);   // 156 + 2,416 + 51,328 + 3,096
}

TEST(ImageArchitecture, ShapesFollowFromLayerToLayer)
{
    EXPECT_THAT(shapes_of(lenet_caffe(mnist, 100, 10)),
                ElementsAre(ImageShape{20, 24, 24}, ImageShape{20, 12, 12}, ImageShape{50, 8, 8}, ImageShape{50, 4, 4},
                            ImageShape{100, 1, 1}, ImageShape{100, 1, 1}, ImageShape{10, 1, 1}));
    const auto shape = [](ImageShape in, Layer layer) { return shapes_of({in.size(), {layer, Dense{1}}, in}).front(); };
    EXPECT_EQ(shape(cifar, Conv2d{8, 5, 1, 2}), (ImageShape{8, 32, 32}));
    EXPECT_EQ(shape(cifar, Conv2d{8, 5, 2, 0}), (ImageShape{8, 14, 14}));
    EXPECT_EQ(shape(cifar, Pool{Pool::Kind::average, 3, 2}), (ImageShape{3, 16, 16}));   // the last window is clipped
    EXPECT_EQ(shape({1, 5, 7}, Pool{}), (ImageShape{1, 3, 4}));
    EXPECT_EQ(shape({1, 5, 5}, Pool{Pool::Kind::maximum, 1, 3}),
              (ImageShape{1, 2, 2}));   // no window begins beyond the border
    EXPECT_EQ(shape({1, 2, 2}, Pool{Pool::Kind::maximum, 3, 2}), (ImageShape{1, 1, 1}));
    EXPECT_EQ(shape(cifar, ResponseNorm{}), cifar);
    EXPECT_EQ(shape(cifar, FilterResponseNorm{}), cifar);
    EXPECT_EQ(shape(cifar, Flatten{}), (ImageShape{3072, 1, 1}));
}

TEST(ImageArchitecture, ResNetsHaveSixLayersPerBlockAndTwoMore)
{
    EXPECT_EQ(weights_of_layers(resnet(cifar, 1, 10)).size(), 8u);
    EXPECT_EQ(weights_of_layers(resnet(cifar, 3, 10)).size(), 20u);
    EXPECT_EQ(layout_of(resnet(cifar, 1, 10)).size(), 75'050u);
    EXPECT_EQ(layout_of(resnet(cifar, 2, 10)).size(), 172'042u);
    const Architecture network = resnet(cifar, 1, 10);
    EXPECT_EQ(shapes_of(network)[network.layers.size() - 2], (ImageShape{64, 1, 1}));   // the mean of each map
    EXPECT_EQ(layers_text(resnet(mnist, 1, 10)),
              "conv 16 3 pad 1, save, frn, relu, conv 16 3 pad 1, frn, relu, conv 16 3 pad 1, add, "
              "save, frn, relu, conv 32 3 stride 2 pad 1, frn, relu, conv 32 3 pad 1, add, "
              "save, frn, relu, conv 64 3 stride 2 pad 1, frn, relu, conv 64 3 pad 1, add, "
              "relu, average 7, dense 10");
}

TEST(ImageArchitecture, BlocksAreNumberedWithinTheirKindAndCountedOverAllLayers)
{
    const ParameterLayout layout = layout_of(lenet_caffe(mnist, 100, 10));
    std::vector<std::string> names;
    std::vector<int> layers, fan_in, fan_out;
    for (const Block& block : layout.blocks) {
        names.push_back(block.name);
        layers.push_back(block.layer);
        fan_in.push_back(block.fan_in);
        fan_out.push_back(block.fan_out);
    }
    EXPECT_THAT(names, ElementsAre("conv 1 weights", "conv 1 biases", "conv 2 weights", "conv 2 biases",
                                   "dense 1 weights", "dense 1 biases", "dense 2 weights", "dense 2 biases"));
    EXPECT_THAT(layers, ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
    EXPECT_THAT(fan_in, ElementsAre(25, 25, 500, 500, 800, 800, 100, 100));
    EXPECT_THAT(fan_out, ElementsAre(500, 500, 1250, 1250, 100, 100, 10, 10));
}

TEST(ImageArchitecture, JsonRoundTripIsTheIdentity)
{
    for (const Architecture& network :
         {lenet_caffe(mnist, 100, 10, 0.5), lenet5(mnist, 10), cifar10_full(cifar, 10), resnet(cifar, 2, 10),
          with_dropout_before_weights(Architecture{32, {Conv2d{2, 3, 2, 1}, Flatten{}, Dense{2}}, ImageShape{2, 4, 4}},
                                      0.2)})
        EXPECT_EQ(nlohmann::json(network).get<Architecture>(), network);
}

TEST(ImageArchitecture, DropoutPrecedesConvolutionsToo)
{
    const Architecture network = with_dropout_before_weights(lenet_caffe(mnist, 100, 10), 0.2);
    EXPECT_EQ(layers_text(network),
              "dropout 0.2, conv 20 5, max 2, dropout 0.2, conv 50 5, max 2, dropout 0.2, dense 100, relu, dropout "
              "0.2, dense 10");
    EXPECT_EQ(network.image, mnist);
}

TEST(ImageArchitecture, ErrorsNameTheLayerAndWhatWasFound)
{
    EXPECT_THAT(refusal_of({Conv2d{20, 5}, Conv2d{5, 30}}),
                HasSubstr("Layer 2 of the network: the kernel 30×30 is larger than the image 20×24×24 with padding 0"));
    EXPECT_THAT(refusal_of({Save{}, Conv2d{2, 3}, Add{}}),
                HasSubstr("Layer 2 of the network: its output 2×26×26 does not fit the image saved by 'save'"));
    EXPECT_THAT(refusal_of({Save{}, Flatten{}}), HasSubstr("expected 'add' before it"));
    EXPECT_THAT(refusal_of({Dense{10}, Conv2d{}}),
                HasSubstr("Layer 2 of the network: a convolution needs an image, found a plain vector of 10 numbers"));
    EXPECT_THAT(refusal_of({Flatten{}, Pool{}}),
                HasSubstr("Layer 2 of the network: pooling needs an image, found a plain vector of 784 numbers"));
    EXPECT_THAT(refusal_of({Pool{Pool::Kind::maximum, 40, 1}}),
                HasSubstr("the window 40×40 is larger than the image 1×28×28"));
    EXPECT_THAT(refusal_of({Conv2d{0, 5}}), HasSubstr("found filters 0, expected 1 to"));
    EXPECT_THAT(refusal_of({Conv2d{1, 5, 0}}), HasSubstr("found the stride 0"));
    EXPECT_THAT(refusal_of({Conv2d{1, 5, 1, -1}}), HasSubstr("found the padding -1"));
    EXPECT_THAT(refusal_of({ResponseNorm{2, 1, 1}}),
                HasSubstr("found the size 2 of response normalisation, expected an odd number"));
    EXPECT_THAT(sentence_of_error([] {
                    Architecture{783, {Dense{2}}, mnist}.check();
                }),
                HasSubstr("783 inputs, expected as many as the image 1×28×28"));
    EXPECT_THAT(sentence_of_error([] {
                    Architecture{784, {Conv2d{}, Dense{2}}}.check();
                }),
                HasSubstr("a convolution needs an image, found a plain vector of 784 numbers"));
}

TEST(ImageArchitecture, WhatWouldNotFitIntoMemoryIsRejectedBeforeAnythingIsAllocated)
{
    EXPECT_THAT(refusal_of({Conv2d{1'000'000, 5}}), HasSubstr("one example would become 576000000 numbers"));
    EXPECT_THAT(refusal_of({Conv2d{1, 3000, 1, 2000}}), HasSubstr("would not fit into memory"));
    EXPECT_THAT(refusal_of({Dense{1'000'000}, Dense{1'000'000}}),
                HasSubstr("Layer 1 of the network: the network would have 785000000 weights"));
    EXPECT_THAT(refusal_of(std::vector<Layer>(2000, Activation{})), HasSubstr("2001 layers, expected at most 1000"));
}

TEST(LayerText, RoundTripIsTheIdentity)
{
    const std::vector<Layer> layers{Conv2d{20, 5},
                                    Conv2d{8, 3, 2, 1},
                                    Pool{},
                                    Pool{Pool::Kind::average, 3, 2},
                                    ResponseNorm{3, 5e-5, 0.75},
                                    Dropout{0.125},
                                    Flatten{},
                                    Dense{500},
                                    Activation{},
                                    Activation{ActivationKind::elu}};
    EXPECT_EQ(layers_text(layers),
              "conv 20 5, conv 8 3 stride 2 pad 1, max 2, average 3 2, norm 3 5e-05 0.75, dropout 0.125, flatten, "
              "dense 500, relu, elu");
    EXPECT_EQ(layers_from_text(layers_text(layers)), layers);
    EXPECT_EQ(layers_from_text("  conv 20   5 ,max 2 "), (std::vector<Layer>{Conv2d{20, 5}, Pool{}}));
    EXPECT_TRUE(layers_from_text(" ").empty());
}

TEST(LayerText, ErrorsNameTheLayerAndTheWord)
{
    EXPECT_THAT(refusal_of_text("conv 20 5, pool 2"),
                HasSubstr("Layer 2 of the network: found 'pool 2', expected conv, max, average"));
    EXPECT_THAT(refusal_of_text("conv 20"), HasSubstr("found 'conv 20', expected the size of the kernel after it"));
    EXPECT_THAT(refusal_of_text("dense many"), HasSubstr("expected the number of units, which 'many' is not"));
    EXPECT_THAT(refusal_of_text("dense 5 relu"), HasSubstr("expected a comma before 'relu'"));
    EXPECT_THAT(refusal_of_text("conv 20 5 dilation 2"), HasSubstr("expected stride or pad in place of 'dilation'"));
    EXPECT_THAT(refusal_of_text("relu,, dense 5"), HasSubstr("Layer 2 of the network: found '', expected"));
    EXPECT_THAT(refusal_of_text("dense 99999999999"), HasSubstr("which '99999999999' is not"));
}

}   // namespace
}   // namespace credence
