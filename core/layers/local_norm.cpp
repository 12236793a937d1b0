// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/local_norm.h"

#include "foundation/number_text.h"
#include "images/local_normalisation.h"
#include "layers/stage.h"

namespace credence {
namespace {

template <class T>
class LocalNormStage final : public Stage<T> {
public:
    LocalNormStage(const LocalNorm& norm, const StagePlace& place) : Stage<T>(place), norm_(norm) {}

    void forward(const StagePass<T>& pass, Planes<const T> x, Planes<T> y) const override
    {
        for_each_plane(pass.n,
                       [&](LocalNormalisation& plane, int c, int b) { plane.values(x.plane(c, b), y.plane(c, b)); });
    }
    void backward(const StagePass<T>& pass, Planes<const T> x, Planes<const T>, Planes<T> dy, Planes<T> dx,
                  WeightSums<T>) const override
    {
        for_each_plane(pass.n, [&](LocalNormalisation& plane, int c, int b) {
            plane.pull_back<T>(x.plane(c, b), dy.plane(c, b), dx.plane(c, b));
        });
    }
    void tangents(const StagePass<T>& pass, Planes<const T> x, Planes<const T>,
                  std::span<const Direction<T>> directions, bool inputs_move) const override
    {
        if (!inputs_move)
            return;
        for (const Direction<T>& d : directions)
            for_each_plane(pass.n, [&](LocalNormalisation& plane, int c, int b) {
                plane.tangent<T>(x.plane(c, b), d.dx.plane(c, b), d.dy.plane(c, b));
            });
    }

private:
    template <class Body>
    void for_each_plane(int images, Body body) const
    {
        LocalNormalisation plane(this->out().height, this->out().width, norm_.size, norm_.floor);
        for (int c = 0; c < this->out().channels; ++c)
            for (int b = 0; b < images; ++b)
                body(plane, c, b);
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
