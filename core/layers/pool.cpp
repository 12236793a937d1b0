// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/pool.h"

#include "layers/pooling.h"
#include "layers/stage.h"

#include <algorithm>

namespace credence {
namespace {

constexpr int largest_window = 255;

/// Positions of the maxima: chunk by chunk, channel by channel.
struct Maxima final : StageMemory {
    explicit Maxima(std::size_t size) : places(size) {}
    std::vector<PlaceInWindow> places;
};

template <class T>
class PoolStage final : public Stage<T> {
public:
    PoolStage(const Pool& pool, const StagePlace& place) : Stage<T>(place), shape_{place.in, place.out, pool} {}

    std::unique_ptr<StageMemory> memory(int max_batch) const override
    {
        return std::make_unique<Maxima>(is_maximum() ? static_cast<std::size_t>(max_batch) * this->out().size() : 0);
    }
    void forward(const StagePass<T>& pass, Planes<const T> x, Planes<T> y) const override
    {
        pool_forward(shape_, x, pass.n, y, maxima(pass.memory, pass.first));
    }
    void backward(const StagePass<T>& pass, Planes<const T>, Planes<const T>, Planes<T> dy, Planes<T> dx,
                  WeightSums<T>) const override
    {
        pool_backward<T>(shape_, dy, maxima(pass.memory, pass.first), pass.n, dx);
    }
    void tangents(const StagePass<T>& pass, Planes<const T>, Planes<const T>, std::span<const Direction<T>> directions,
                  bool inputs_move) const override
    {
        if (!inputs_move)
            return;
        for (const Direction<T>& d : directions)
            pool_tangent<T>(shape_, d.dx, maxima(pass.memory, pass.first), pass.n, d.dy);
    }
    bool columns(ColumnPass<T>& pass, Planes<const T>, Planes<const T> y, Planes<T> dy, Planes<T> dx) const override
    {
        ColumnScratch<T>& scratch = *pass.scratch;
        const int places          = shape_.out.height * shape_.out.width;
        if (is_maximum()) {
            scratch.places.resize(std::max(scratch.places.size(), static_cast<std::size_t>(shape_.out.size())));
            const PlaceInWindow* all = maxima(pass.memory, pass.first);
            for (int c = 0; c < shape_.out.channels; ++c)
                std::copy_n(all + (std::ptrdiff_t{c} * pass.n + pass.in_chunk()) * places, places,
                            scratch.places.data() + std::ptrdiff_t{c} * places);
            if (pass.below && pass.below->takes_maxima() && !ColumnGradients<T>::overlap(shape_.pool)) {
                pass.below->through_activation({y.data, y.channel, 0}, dy, places,
                                               pass.columns);   // y at a maximum is the output of the pooling
                scratch.before.set_after_maxima(shape_, dy, scratch.places.data(), pass.columns);
                scratch.after_maxima = true;
                return false;
            }
        }
        for (int c = 0; c < pass.columns; ++c)
            pool_backward<T>(shape_, only_image(Planes<const T>(dy), c), scratch.places.data(), 1, only_image(dx, c));
        return true;
    }

private:
    bool is_maximum() const { return shape_.pool.kind == Pool::Kind::maximum; }
    PlaceInWindow* maxima(StageMemory* memory, int first) const
    {
        return static_cast<Maxima*>(memory)->places.data()
               + (is_maximum() ? std::ptrdiff_t{first} * shape_.out.size() : 0);
    }

    PoolingShape shape_;
};

}   // namespace

void Pool::pass(Flow& flow) const
{
    flow.require_image("pooling");
    flow.require_range("the window", kernel, 1, largest_window);
    flow.require_range("the stride", stride, 1, largest_side);
    const auto side = [&](int in) {
        const int gap = in - kernel;
        int out       = (gap >= 0 ? (gap + stride - 1) / stride : -(-gap / stride)) + 1;
        if (out > 1 && (out - 1) * stride >= in)
            --out;   // the last window would start beyond the border
        return out;
    };
    const int height = side(flow.shape.height), width = side(flow.shape.width);
    if (height < 1 || width < 1)
        flow.refuse("the window " + std::to_string(kernel) + "×" + std::to_string(kernel) + " is larger than the image "
                    + text_of(flow.shape) + ".");
    flow.become_image(flow.shape.channels, height, width);
}

std::string Pool::text() const
{
    const std::string text = (kind == Kind::maximum ? "max " : "average ") + std::to_string(kernel);
    return stride == kernel ? text : text + " " + std::to_string(stride);
}

std::optional<Pool> Pool::from_text(LayerWords& words)
{
    Pool pool;
    if (words.take("average"))
        pool.kind = Kind::average;
    else if (!words.take("max"))
        return std::nullopt;
    pool.kernel = words.whole("the size of the window");
    words.take("stride");
    pool.stride = words.more() ? words.whole("the stride") : pool.kernel;
    return pool;
}

Pool Pool::from_json(const LayerJson& json)
{
    const std::string kind = json.word(json_name);
    if (kind != "maximum" && kind != "average")
        json.refuse("found the pooling '" + kind + "', expected maximum or average.");
    return {kind == "maximum" ? Kind::maximum : Kind::average, json.whole("kernel"), json.whole("stride")};
}

template <class T>
std::unique_ptr<Stage<T>> Pool::stage(const StagePlace& place) const
{
    return std::make_unique<PoolStage<T>>(*this, place);
}
template std::unique_ptr<Stage<float>> Pool::stage(const StagePlace&) const;
template std::unique_ptr<Stage<double>> Pool::stage(const StagePlace&) const;

}   // namespace credence
