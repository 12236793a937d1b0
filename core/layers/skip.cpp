// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/skip.h"

#include "layers/stage.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace credence {
namespace {

StagePlace with_channels(StagePlace place, int of_inputs, int of_outputs)
{
    place.in.channels  = of_inputs;
    place.out.channels = of_outputs;
    return place;
}

/// All channels from `first` on.
template <class T>
Planes<T> from_channel(Planes<T> planes, int first)
{
    return planes.data ? Planes<T>{planes.plane(first, 0), planes.channel, planes.image} : planes;
}

ImageShape channels_of(ImageShape shape, int channels) { return {channels, shape.height, shape.width}; }

template <class T>
void add_planes(Planes<const T> from, ImageShape shape, int images, Planes<T> to)
{
    for_each_run(
        shape, images, [](const T* x, T* sum, std::size_t n) { std::transform(x, x + n, sum, sum, std::plus{}); }, from,
        to);
}

/// [x] becomes [x, x].
template <class T>
class SaveStage final : public WeightlessStage<T> {
public:
    explicit SaveStage(const StagePlace& place)
        : WeightlessStage<T>(with_channels(place, place.in.channels, 2 * place.in.channels))
    {}
    void forward(const StagePass<T>& pass, Planes<const T> x, Planes<T> y) const override
    {
        copy_planes(x, this->in(), pass.n, y);
        copy_planes(x, this->in(), pass.n, from_channel(y, this->in().channels));
    }
    void backward(const StagePass<T>& pass, Planes<const T>, Planes<const T>, Planes<T> dy, Planes<T> dx,
                  WeightSums<T>) const override
    {
        if (!dx.data)
            return;
        copy_planes<T>(dy, this->in(), pass.n, dx);
        add_planes<T>(from_channel(dy, this->in().channels), this->in(), pass.n, dx);
    }
};

/// [x, s] becomes [s, x].
template <class T>
class SwapStage final : public WeightlessStage<T> {
public:
    explicit SwapStage(const StagePlace& place)
        : WeightlessStage<T>(
            with_channels(place, place.in.channels + place.saved.channels, place.in.channels + place.saved.channels)),
          first_(place.in.channels), saved_(place.saved.channels)
    {}
    void forward(const StagePass<T>& pass, Planes<const T> x, Planes<T> y) const override
    {
        exchange(pass.n, x, y, first_, saved_);
    }
    void backward(const StagePass<T>& pass, Planes<const T>, Planes<const T>, Planes<T> dy, Planes<T> dx,
                  WeightSums<T>) const override
    {
        if (dx.data)
            exchange(pass.n, dy, dx, saved_, first_);
    }

private:
    void exchange(int n, Planes<const T> from, Planes<T> to, int first, int rest) const
    {
        copy_planes(from, channels_of(this->in(), first), n, from_channel(to, rest));
        copy_planes(from_channel(from, first), channels_of(this->in(), rest), n, to);
    }

    int first_, saved_;
};

/// [x, s] becomes x + s.
template <class T>
class AddStage final : public WeightlessStage<T> {
public:
    explicit AddStage(const StagePlace& place)
        : WeightlessStage<T>(with_channels(place, place.in.channels + place.saved.channels, place.in.channels)),
          saved_(channels_of(place.in, place.saved.channels))
    {}
    void forward(const StagePass<T>& pass, Planes<const T> x, Planes<T> y) const override
    {
        copy_planes(x, this->out(), pass.n, y);
        add_planes(from_channel(x, this->out().channels), saved_, pass.n, y);
    }
    void backward(const StagePass<T>& pass, Planes<const T>, Planes<const T>, Planes<T> dy, Planes<T> dx,
                  WeightSums<T>) const override
    {
        if (!dx.data)
            return;
        copy_planes<T>(dy, this->out(), pass.n, dx);
        copy_planes<T>(dy, saved_, pass.n, from_channel(dx, this->out().channels));
    }

private:
    ImageShape saved_;
};

/// Applies another stage to the first channels. The saved channels are copied afterwards, because
/// products can write beyond the last channel.
template <class T>
class BesideSaved final : public Stage<T> {
public:
    BesideSaved(std::unique_ptr<Stage<T>> stage, const StagePlace& place)
        : Stage<T>(
            with_channels(place, place.in.channels + place.saved.channels, place.out.channels + place.saved.channels)),
          stage_(std::move(stage)), saved_(place.saved)
    {}

    bool has_weights() const override { return stage_->has_weights(); }
    bool only_with_dropout() const override { return stage_->only_with_dropout(); }
    bool pointwise() const override { return stage_->pointwise(); }
    bool absorb_activation(ActivationKind kind) override { return stage_->absorb_activation(kind); }
    bool reads_rows() const override { return stage_->reads_rows(); }
    long working_set() const override { return stage_->working_set(); }
    int numbers_at_once() const override { return stage_->numbers_at_once(); }
    std::unique_ptr<StageMemory> memory(int max_batch) const override { return stage_->memory(max_batch); }
    ScratchSize scratch(int examples) const override { return stage_->scratch(examples); }
    bool prepare_inputs(const StagePass<T>& pass, Planes<const T> x, int most_images) const override
    {
        return stage_->prepare_inputs(pass, x, most_images);
    }

    void forward(const StagePass<T>& pass, Planes<const T> x, Planes<T> y) const override
    {
        stage_->forward(pass, x, y);
        down(pass.n, x, y);
    }
    void backward(const StagePass<T>& pass, Planes<const T> x, Planes<const T> y, Planes<T> dy, Planes<T> dx,
                  WeightSums<T> sums) const override
    {
        stage_->backward(pass, x, y, dy, dx, sums);
        if (!pointwise() && dx.data)
            up(pass.n, dy, dx);
    }
    void tangents(const StagePass<T>& pass, Planes<const T> x, Planes<const T> y,
                  std::span<const Direction<T>> directions, bool inputs_move) const override
    {
        stage_->tangents(pass, x, y, directions, inputs_move);
        for (const Direction<T>& d : directions) {
            if (!inputs_move)
                zero(pass.n, stage_->out(), d.dy);
            else if (!pointwise())
                down(pass.n, d.dx, d.dy);
        }
    }
    void second_order(const StagePass<T>& pass, Planes<const T> x, Planes<const T> y, Planes<const T> dy,
                      SecondOrder<T> add) const override
    {
        stage_->second_order(pass, x, y, dy, add);
    }
    void prepare_columns(const T* weights, StageMemory* memory) const override
    {
        stage_->prepare_columns(weights, memory);
    }
    bool columns(ColumnPass<T>& pass, Planes<const T> x, Planes<const T> y, Planes<T> dy, Planes<T> dx) const override
    {
        pass.below       = nullptr;   // gradients are always expanded here
        const bool moved = stage_->columns(pass, x, y, dy, dx);
        if (moved && !(has_weights() && pass.lowest))
            up(pass.columns, dy, dx);
        return moved;
    }

private:
    int step() const { return saved_.step; }
    /// Copies every step-th row and column of the saved channels.
    void down(int n, Planes<const T> x, Planes<T> y) const
    {
        const ImageShape in = this->in(), out = this->out();
        const Planes<const T> from = from_channel(x, stage_->in().channels);
        const Planes<T> to         = from_channel(y, stage_->out().channels);
        if (step() == 1)
            return copy_planes(from, channels_of(in, saved_.channels), n, to);
        for (int c = 0; c < saved_.channels; ++c)
            for (int b = 0; b < n; ++b)
                for (int r = 0; r < out.height; ++r) {
                    const T* row = from.plane(c, b) + std::ptrdiff_t{r} * step() * in.width;
                    for (int i = 0; i < out.width; ++i)
                        to.plane(c, b)[r * out.width + i] = row[i * step()];
                }
    }
    /// The transpose of `down`.
    void up(int n, Planes<const T> dy, Planes<T> dx) const
    {
        const ImageShape in = this->in(), out = this->out();
        const Planes<const T> from = from_channel(dy, stage_->out().channels);
        const Planes<T> to         = from_channel(dx, stage_->in().channels);
        if (step() == 1)
            return copy_planes(from, channels_of(in, saved_.channels), n, to);
        zero(n, stage_->in(), dx);
        for (int c = 0; c < saved_.channels; ++c)
            for (int b = 0; b < n; ++b)
                for (int r = 0; r < out.height; ++r) {
                    T* row = to.plane(c, b) + std::ptrdiff_t{r} * step() * in.width;
                    for (int i = 0; i < out.width; ++i)
                        row[i * step()] = from.plane(c, b)[r * out.width + i];
                }
    }
    /// Sets the saved channels, which follow those of `first`, to 0.
    void zero(int n, ImageShape first, Planes<T> planes) const
    {
        for (int c = 0; c < saved_.channels; ++c)
            for (int b = 0; b < n; ++b)
                std::fill_n(planes.plane(first.channels + c, b), first.height * first.width, T(0));
    }

    std::unique_ptr<Stage<T>> stage_;
    SavedImage saved_;
};

}   // namespace

void Save::pass(Flow& flow) const
{
    flow.require_image("'save'");
    if (flow.saved.channels > 0)
        flow.refuse("found a second 'save', expected 'add' before it.");
    flow.become_image(2LL * flow.shape.channels, flow.shape.height, flow.shape.width);   // if they fit into memory
    flow.shape.channels /= 2;
    flow.saved.channels = flow.shape.channels;
}

void Swap::pass(Flow& flow) const
{
    flow.require_image("'swap'");
    if (flow.saved.channels == 0)
        flow.refuse("found 'swap' without a saved image, expected 'save' before it.");
    std::swap(flow.shape.channels, flow.saved.channels);
}

void Add::pass(Flow& flow) const
{
    flow.require_image("'add'");
    if (flow.saved.channels == 0)
        flow.refuse("found 'add' without a saved image, expected 'save' before it.");
    if (flow.saved.channels > flow.shape.channels)
        flow.refuse("found " + std::to_string(flow.saved.channels) + " saved channels, expected at most the "
                    + std::to_string(flow.shape.channels) + " of the image: 'swap, conv "
                    + std::to_string(flow.shape.channels) + " 1' before it makes them equal.");
    flow.saved.channels = 0;
}

template <class T>
std::unique_ptr<Stage<T>> Save::stage(const StagePlace& place) const
{
    return std::make_unique<SaveStage<T>>(place);
}
template <class T>
std::unique_ptr<Stage<T>> Swap::stage(const StagePlace& place) const
{
    return std::make_unique<SwapStage<T>>(place);
}
template <class T>
std::unique_ptr<Stage<T>> Add::stage(const StagePlace& place) const
{
    return std::make_unique<AddStage<T>>(place);
}
template <class T>
std::unique_ptr<Stage<T>> pass_saved_through(std::unique_ptr<Stage<T>> stage, const StagePlace& place)
{
    return std::make_unique<BesideSaved<T>>(std::move(stage), place);
}

template std::unique_ptr<Stage<float>> Save::stage(const StagePlace&) const;
template std::unique_ptr<Stage<double>> Save::stage(const StagePlace&) const;
template std::unique_ptr<Stage<float>> Swap::stage(const StagePlace&) const;
template std::unique_ptr<Stage<double>> Swap::stage(const StagePlace&) const;
template std::unique_ptr<Stage<float>> Add::stage(const StagePlace&) const;
template std::unique_ptr<Stage<double>> Add::stage(const StagePlace&) const;
template std::unique_ptr<Stage<float>> pass_saved_through(std::unique_ptr<Stage<float>>, const StagePlace&);
template std::unique_ptr<Stage<double>> pass_saved_through(std::unique_ptr<Stage<double>>, const StagePlace&);

}   // namespace credence
