// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/skip.h"

#include "unit/layers/layer_properties.h"

namespace credence {
namespace {

/// A layer between `save` and `add` as a layer of its own: its shapes include the saved channels.
template <class Kind>
struct BesideSavedChannels {
    Kind kind;
    int saved = 2;

    static constexpr bool has_weights = Kind::has_weights;
    SecondDerivative second_derivative() const { return kind.second_derivative(); }
    void pass(Flow& flow) const
    {
        const ImageShape in = alone(flow.shape);
        flow.shape          = in;
        flow.saved.channels = saved;
        credence::pass(kind, flow);
        flow.shape.channels += flow.saved.channels;
    }
    LayerWeights layer_weights(ImageShape in, ImageShape out) const requires Kind::has_weights
    {
        return kind.layer_weights(alone(in), alone(out));
    }
    template <class T>
    std::unique_ptr<Stage<T>> stage(StagePlace place) const
    {
        Flow flow{.shape = alone(place.in), .is_image = true, .saved = {saved}};
        const ImageShape in = flow.shape;
        credence::pass(kind, flow);
        place.in    = in;
        place.out   = flow.shape;
        place.saved = {saved, flow.saved.step};
        auto made   = kind.template stage<T>(place);
        return made->in() == in ? pass_saved_through<T>(std::move(made), place) : std::move(made);
    }

private:
    ImageShape alone(ImageShape shape) const { return {shape.channels - saved, shape.height, shape.width}; }
};

/// `save` as a layer whose shape includes the copy.
struct SaveWithCopy {
    static constexpr bool has_weights = false;
    static constexpr SecondDerivative second_derivative() { return SecondDerivative::zero; }
    void pass(Flow& flow) const { flow.shape.channels *= 2; }
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace& place) const
    {
        return Save{}.stage<T>({place.in, place.in});
    }
};

template <class Kind>
void expect_derivatives(const Kind& kind, ImageShape in)
{
    LayerAlone<Kind> alone(kind, in);
    expect_derivatives_agree(alone);
    expect_second_order_agrees(alone);
    expect_nan_stays(alone);
}

TEST(SkipLayers, HaveExactDerivatives)
{
    expect_derivatives(SaveWithCopy{}, {3, 4, 5});
    expect_derivatives(BesideSavedChannels<Swap>{{}, 2}, {5, 4, 5});
    expect_derivatives(BesideSavedChannels<Add>{{}, 2}, {5, 4, 5});   // one channel more than saved
    expect_derivatives(BesideSavedChannels<Add>{{}, 1}, {2, 3, 3});
}

TEST(SkipLayers, LayersBetweenHaveExactDerivatives)
{
    expect_derivatives(BesideSavedChannels<Conv2d>{{3, 3, 1, 1}, 2}, {3, 4, 5});
    expect_derivatives(BesideSavedChannels<Conv2d>{{4, 3, 2, 1}, 2}, {4, 5, 6});   // the saved image loses rows, too
    expect_derivatives(BesideSavedChannels<Conv2d>{{2, 1, 3}, 1}, {2, 7, 4});
    expect_derivatives(BesideSavedChannels<FilterResponseNorm>{{}, 1}, {3, 4, 3});
    expect_derivatives(BesideSavedChannels<Activation>{{ActivationKind::tanh}, 2}, {3, 4, 3});
    expect_derivatives(BesideSavedChannels<Pool>{{Pool::Kind::average, 2, 2}, 2}, {3, 4, 6});
}

TEST(SkipLayers, MoveTheNumbersAsTheySay)
{
    const auto block = [](const auto& kind, ImageShape in) {
        LayerAlone alone(kind, in);
        for (std::size_t i = 0; i < alone.x.size(); ++i)
            alone.x[i] = static_cast<double>(i);
        const auto y = alone.forward();
        return std::vector<double>(y.begin(), y.begin() + alone.stage->out().size());   // of the first image
    };
    EXPECT_EQ(block(SaveWithCopy{}, {1, 1, 2}), (std::vector<double>{0, 1, 0, 1}));
    EXPECT_EQ(block(BesideSavedChannels<Swap>{{}, 1}, {3, 1, 2}), (std::vector<double>{4, 5, 0, 1, 2, 3}));
    EXPECT_EQ(block(BesideSavedChannels<Add>{{}, 1}, {3, 1, 2}), (std::vector<double>{0 + 4, 1 + 5, 2, 3}));
    // Pooling with stride 2 leaves every second row and column of the saved channel: 9, 11, 15, 17
    const auto pooled = block(BesideSavedChannels<Pool>{{Pool::Kind::maximum, 2, 2}, 1}, {2, 3, 3});
    EXPECT_EQ(pooled, (std::vector<double>{4, 5, 7, 8, 9, 11, 15, 17}));
}

TEST(SkipLayers, ComeBackFromTextAndJson)
{
    for (const Layer& layer : {Layer{Save{}}, Layer{Swap{}}, Layer{Add{}}})
        expect_notation_comes_back(layer);
}

TEST(SkipLayers, ReportInvalidInput)
{
    EXPECT_EQ(refusal_of(Add{}, {1, 5, 5}),
              "Layer 2 of the network: found 'add' without a saved image, expected 'save' before it.");
    EXPECT_EQ(refusal_of(Swap{}, {1, 5, 5}),
              "Layer 2 of the network: found 'swap' without a saved image, expected 'save' before it.");
    EXPECT_EQ(refusal_of(Save{}, {7, 1, 1}, false),
              "Layer 2 of the network: 'save' needs an image, found a plain vector of 7 numbers.");
    const auto after_save = [](const Layer& layer, int saved) -> std::string {
        Flow flow{.layer = 1, .shape = {2, 5, 6}, .is_image = true, .saved = {saved}};
        try {
            pass(layer, flow);
        } catch (const std::exception& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(after_save(Save{}, 2), "Layer 2 of the network: found a second 'save', expected 'add' before it.");
    EXPECT_EQ(after_save(Add{}, 3), "Layer 2 of the network: found 3 saved channels, expected at most the 2 of the "
                                    "image: 'swap, conv 2 1' before it makes them equal.");
    EXPECT_EQ(after_save(Conv2d{4, 3}, 2), "Layer 2 of the network: its output 4×3×4 does not fit the image saved by "
                                           "'save', expected the sides 5×6: pad it by half of its kernel.");
    EXPECT_EQ(after_save(Dense{3}, 2), "Layer 2 of the network: found a layer for plain vectors after 'save', "
                                       "expected 'add' before it.");
    EXPECT_EQ(after_save(Conv2d{4, 3, 2, 1}, 2), "");
}

}   // namespace
}   // namespace credence
