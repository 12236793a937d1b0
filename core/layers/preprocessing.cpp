// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/preprocessing.h"

#include "foundation/number_text.h"
#include "images/image_transforms.h"
#include "layers/stage.h"

#include <algorithm>

namespace credence {
namespace {

template <class T>
class GreyStage final : public WeightlessStage<T> {
public:
    using WeightlessStage<T>::WeightlessStage;

    void forward(const StagePass<T>& pass, Planes<const T> x, Planes<T> y) const override
    {
        for (int b = 0; b < pass.n; ++b)
            mix(x, y, b);
    }
    void backward(const StagePass<T>& pass, Planes<const T>, Planes<const T>, Planes<T> dy, Planes<T> dx,
                  WeightSums<T>) const override
    {
        for (int c = 0; c < this->in().channels; ++c)
            for (int b = 0; b < pass.n; ++b)
                std::transform(dy.plane(0, b), dy.plane(0, b) + places(), dx.plane(c, b),
                               [part = share(c)](T gradient) { return part * gradient; });
    }

private:
    int places() const { return this->out().height * this->out().width; }
    T share(int channel) const { return this->in().channels == 1 ? T{1} : static_cast<T>(luma[channel]); }
    void mix(Planes<const T> x, Planes<T> y, int b) const
    {
        T* out = y.plane(0, b);
        for (int c = 0; c < this->in().channels; ++c) {
            const T* in  = x.plane(c, b);
            const T part = share(c);
            for (int i = 0; i < places(); ++i)
                out[i] = c == 0 ? part * in[i] : out[i] + part * in[i];
        }
    }
};

}   // namespace

void Grey::pass(Flow& flow) const
{
    flow.require_image("grey");
    if (flow.shape.channels != 1 && flow.shape.channels != 3)
        flow.refuse("found " + std::to_string(flow.shape.channels) + " channels before grey, expected 1 or 3.");
    flow.become_image(1, flow.shape.height, flow.shape.width);
}

template <class T>
std::unique_ptr<Stage<T>> Grey::stage(const StagePlace& place) const
{
    return std::make_unique<GreyStage<T>>(place);
}
template std::unique_ptr<Stage<float>> Grey::stage(const StagePlace&) const;
template std::unique_ptr<Stage<double>> Grey::stage(const StagePlace&) const;

namespace {

template <class T>
class LocalNormStage final : public WeightlessStage<T> {
public:
    LocalNormStage(const LocalNorm& norm, const StagePlace& place) : WeightlessStage<T>(place), norm_(norm) {}

    void forward(const StagePass<T>& pass, Planes<const T> x, Planes<T> y) const override
    {
        LocalNormalisation plane = normalisation();
        this->for_each_plane(pass.n, [&](int c, int b) { plane.values(x.plane(c, b), y.plane(c, b)); });
    }
    void backward(const StagePass<T>& pass, Planes<const T> x, Planes<const T>, Planes<T> dy, Planes<T> dx,
                  WeightSums<T>) const override
    {
        LocalNormalisation plane = normalisation();
        this->for_each_plane(pass.n,
                             [&](int c, int b) { plane.pull_back<T>(x.plane(c, b), dy.plane(c, b), dx.plane(c, b)); });
    }

private:
    void tangent(const StagePass<T>& pass, Planes<const T> x, Planes<const T> dx, Planes<T> dy) const override
    {
        LocalNormalisation plane = normalisation();
        this->for_each_plane(pass.n,
                             [&](int c, int b) { plane.tangent<T>(x.plane(c, b), dx.plane(c, b), dy.plane(c, b)); });
    }
    LocalNormalisation normalisation() const
    {
        return {this->out().height, this->out().width, norm_.size, norm_.floor};
    }

    LocalNorm norm_;
};

}   // namespace

void LocalNorm::pass(Flow& flow) const
{
    flow.require_image("local normalisation");
    if (size < 3 || size > largest_side || size % 2 == 0)
        flow.refuse("found the size " + std::to_string(size)
                    + " of local normalisation, expected an odd number from 3 to 4095.");
    if (!(floor > 0 && floor <= 1e6))
        flow.refuse("found the floor " + plain_text(floor)
                    + " of local normalisation, expected a number above 0, at most 1e6.");
}

std::string LocalNorm::text() const { return "localnorm " + std::to_string(size) + " " + shortest_text(floor); }

std::optional<LocalNorm> LocalNorm::from_text(LayerWords& words)
{
    if (!words.take("localnorm"))
        return std::nullopt;
    LocalNorm norm;
    norm.size  = words.whole("the size");
    norm.floor = words.number("the floor");
    return norm;
}

template <class T>
std::unique_ptr<Stage<T>> LocalNorm::stage(const StagePlace& place) const
{
    return std::make_unique<LocalNormStage<T>>(*this, place);
}
template std::unique_ptr<Stage<float>> LocalNorm::stage(const StagePlace&) const;
template std::unique_ptr<Stage<double>> LocalNorm::stage(const StagePlace&) const;

}   // namespace credence
