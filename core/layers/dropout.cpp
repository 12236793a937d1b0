// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/dropout.h"

#include "foundation/number_text.h"
#include "layers/stage.h"

#include <algorithm>

namespace credence {
namespace {

constexpr std::size_t mask_piece = 1024;   // uniforms still in the first-level cache when they are turned into a mask

/// Turns uniforms into the mask, 0 or 1/(1 - rate), and computes output = mask · x.
template <class T>
void drop(const T* __restrict x, T rate, T keep_scale, T* __restrict mask, T* __restrict out, std::size_t n)
{
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i) {
        const T factor = mask[i] < rate ? T(0) : keep_scale;
        mask[i]        = factor;
        out[i]         = x[i] * factor;
    }
}

/// The mask, 0 or 1/(1 - rate), example by example.
template <class T>
struct Masks final : StageMemory {
    explicit Masks(std::size_t size) : factors(size) {}
    aligned_vector<T> factors;
};

template <class T>
class DropoutStage final : public PointwiseStage<T> {
public:
    DropoutStage(double rate, const StagePlace& place)
        : PointwiseStage<T>(place), rate_(static_cast<T>(rate)), keep_scale_(static_cast<T>(1 / (1 - rate)))
    {}

    bool only_with_dropout() const override { return true; }
    int numbers_at_once() const override { return 2048; }   // they cost more than those of other passes
    std::unique_ptr<StageMemory> memory(int max_batch) const override
    {
        return std::make_unique<Masks<T>>(static_cast<std::size_t>(max_batch) * this->out().size());
    }

    void forward(const StagePass<T>& pass, Planes<const T> x, Planes<T> y) const override
    {
        const ImageShape shape = this->out();
        const int places       = shape.height * shape.width;
        const auto size        = static_cast<std::size_t>(shape.size());
        T* mask = static_cast<Masks<T>*>(pass.memory)->factors.data() + static_cast<std::size_t>(pass.first) * size;
        const std::uint64_t number = pass.dropout->number(this->place().number, pass.first, shape.size());
        const bool one_run         = is_one_run(x, shape) && is_one_run(y, shape);
        const std::size_t all = pass.n * size, piece = one_run ? mask_piece : size;
        for (std::size_t begin = 0; begin < all; begin += piece) {
            const std::size_t count = std::min(piece, all - begin);
            uniforms(pass.dropout->key, number + begin, std::span<T>(mask + begin, count));
            if (one_run) {
                drop(x.data + begin, rate_, keep_scale_, mask + begin, y.data + begin, count);
                continue;
            }
            const int b = static_cast<int>(begin / size);
            for (int c = 0; c < shape.channels; ++c)
                drop(x.plane(c, b), rate_, keep_scale_, mask + begin + static_cast<std::size_t>(c) * places,
                     y.plane(c, b), static_cast<std::size_t>(places));
        }
    }
    void values(const T* x, T* y, std::size_t n) const override { std::copy_n(x, n, y); }   // without dropout
    void multiply_by_slope(const StageMemory* memory, std::size_t at, const T*, const T*, T* gradient,
                           std::size_t n) const override
    {
        const T* mask = static_cast<const Masks<T>*>(memory)->factors.data() + at;
#pragma omp simd
        for (std::size_t i = 0; i < n; ++i)
            gradient[i] *= mask[i];
    }

private:
    T rate_, keep_scale_;
};

}   // namespace

void Dropout::pass(Flow& flow) const
{
    if (!(rate >= 0 && rate < 1))
        flow.refuse("found the dropout rate " + plain_text(rate) + ", expected at least 0 and below 1.");
}

std::string Dropout::text() const { return "dropout " + shortest_text(rate); }

std::optional<Dropout> Dropout::from_text(LayerWords& words)
{
    if (!words.take("dropout"))
        return std::nullopt;
    return Dropout{words.number("the rate")};
}

template <class T>
std::unique_ptr<Stage<T>> Dropout::stage(const StagePlace& place) const
{
    return std::make_unique<DropoutStage<T>>(rate, place);
}
template std::unique_ptr<Stage<float>> Dropout::stage(const StagePlace&) const;
template std::unique_ptr<Stage<double>> Dropout::stage(const StagePlace&) const;

}   // namespace credence
