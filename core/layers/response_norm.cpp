// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/response_norm.h"

#include "foundation/number_text.h"
#include "layers/stage.h"

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

/// out = sum of `in` over the surrounding size × size values: first along rows, then along columns.
template <class T>
void box_sums(const T* in, int height, int width, int size, T* out, T* scratch)
{
    const int reach = size / 2;
    for (int r = 0; r < height; ++r) {
        const T* row = in + std::ptrdiff_t{r} * width;
        T* sums      = scratch + std::ptrdiff_t{r} * width;
        std::copy_n(row, width, sums);
        for (int d = 1; d <= std::min(reach, width - 1); ++d) {
            for (int c = d; c < width; ++c)
                sums[c] += row[c - d];
            for (int c = 0; c < width - d; ++c)
                sums[c] += row[c + d];
        }
    }
    std::copy_n(scratch, height * width, out);
    for (int d = 1; d <= std::min(reach, height - 1); ++d) {
        const int shift = d * width, count = (height - d) * width;
        for (int i = 0; i < count; ++i)
            out[i + shift] += scratch[i];
        for (int i = 0; i < count; ++i)
            out[i] += scratch[i + shift];
    }
}

/// s^-β in place; the usual β = ¾ is computed with square roots.
template <class T>
void negative_power(T* s, int n, double beta)
{
    if (beta == 0.75) {
        for (int i = 0; i < n; ++i) {
            const T root = std::sqrt(s[i]);
            s[i]         = 1 / (root * std::sqrt(root));
        }
        return;
    }
    for (int i = 0; i < n; ++i)
        s[i] = std::pow(s[i], static_cast<T>(-beta));
}

/// Computes s for the whole plane.
template <class T>
void scales(const ResponseNorm& norm, int height, int width, const T* x, T* s, T* scratch)
{
    const int n = height * width;
    for (int i = 0; i < n; ++i)
        s[i] = x[i] * x[i];
    box_sums(s, height, width, norm.size, s, scratch);
    const T factor = static_cast<T>(norm.alpha / (double(norm.size) * norm.size));
    for (int i = 0; i < n; ++i)
        s[i] = 1 + factor * s[i];
}

/// Intermediate results for derivatives: s and s^-β of the whole plane, and memory for two more
/// planes.
template <class T>
struct ScalesAndPowers {
    T *s, *power, *inner, *more;
};
template <class T>
ScalesAndPowers<T> scales_and_powers(const ResponseNorm& norm, int height, int width, const T* x, T* scratch)
{
    const int n = height * width;
    const ScalesAndPowers<T> planes{scratch, scratch + n, scratch + 2 * n, scratch + 3 * n};
    scales(norm, height, width, x, planes.s, planes.more);
    std::copy_n(planes.s, n, planes.power);
    negative_power(planes.power, n, norm.beta);
    return planes;
}

/// 2 α β / size²
template <class T>
T inner_factor(const ResponseNorm& norm)
{
    return static_cast<T>(2 * norm.alpha * norm.beta / (double(norm.size) * norm.size));
}

/// Forward pass for one plane. @param scratch  [2 × height × width]
template <class T>
void normalise(const ResponseNorm& norm, int height, int width, const T* x, T* y, T* scratch)
{
    const int n = height * width;
    T* s        = scratch;
    scales(norm, height, width, x, s, scratch + n);
    negative_power(s, n, norm.beta);
    for (int i = 0; i < n; ++i)
        y[i] = x[i] * s[i];
}

/// The derivative of y when x moves along dx. @param scratch  [4 × height × width]
template <class T>
void normalise_tangent(const ResponseNorm& norm, int height, int width, const T* x, const T* dx, T* dy, T* scratch)
{
    const int n                        = height * width;
    const auto [s, power, inner, more] = scales_and_powers(norm, height, width, x, scratch);
    for (int i = 0; i < n; ++i)
        inner[i] = x[i] * dx[i];
    box_sums(inner, height, width, norm.size, inner, more);
    const T factor = inner_factor<T>(norm);
    for (int i = 0; i < n; ++i)
        dy[i] = dx[i] * power[i] - factor * x[i] * power[i] / s[i] * inner[i];
}

/// Its transpose. @param scratch  [4 × height × width]
template <class T>
void normalise_backward(const ResponseNorm& norm, int height, int width, const T* x, const T* dy, T* dx, T* scratch)
{
    const int n                        = height * width;
    const auto [s, power, inner, more] = scales_and_powers(norm, height, width, x, scratch);
    for (int i = 0; i < n; ++i)
        inner[i] = dy[i] * x[i] * power[i] / s[i];
    box_sums(inner, height, width, norm.size, inner, more);
    const T factor = inner_factor<T>(norm);
    for (int i = 0; i < n; ++i)
        dx[i] = dy[i] * power[i] - factor * x[i] * inner[i];
}

template <class T>
class ResponseNormStage final : public WeightlessStage<T> {
public:
    ResponseNormStage(const ResponseNorm& norm, const StagePlace& place) : WeightlessStage<T>(place), norm_(norm) {}

    ScratchSize scratch(int) const override { return {.inner = 4 * static_cast<std::size_t>(height()) * width()}; }
    void forward(const StagePass<T>& pass, Planes<const T> x, Planes<T> y) const override
    {
        this->for_each_plane(pass.n, [&](int c, int b) {
            normalise(norm_, height(), width(), x.plane(c, b), y.plane(c, b), pass.scratch->inner.data());
        });
    }
    void backward(const StagePass<T>& pass, Planes<const T> x, Planes<const T>, Planes<T> dy, Planes<T> dx,
                  WeightSums<T>) const override
    {
        this->for_each_plane(pass.n, [&](int c, int b) {
            normalise_backward<T>(norm_, height(), width(), x.plane(c, b), dy.plane(c, b), dx.plane(c, b),
                                  pass.scratch->inner.data());
        });
    }

private:
    void tangent(const StagePass<T>& pass, Planes<const T> x, Planes<const T> dx, Planes<T> dy) const override
    {
        this->for_each_plane(pass.n, [&](int c, int b) {
            normalise_tangent<T>(norm_, height(), width(), x.plane(c, b), dx.plane(c, b), dy.plane(c, b),
                                 pass.scratch->inner.data());
        });
    }
    int height() const { return this->out().height; }
    int width() const { return this->out().width; }
    ResponseNorm norm_;
};

}   // namespace

void ResponseNorm::pass(Flow& flow) const
{
    flow.require_image("response normalisation");
    if (size < 1 || size > largest_side || size % 2 == 0)
        flow.refuse("found the size " + std::to_string(size)
                    + " of response normalisation, expected an odd number from 1 to 4095.");
    if (!(alpha >= 0 && alpha <= 1e6) || !(beta >= 0 && beta <= 100))
        flow.refuse("found alpha " + plain_text(alpha) + " and beta " + plain_text(beta)
                    + " of response normalisation, expected 0 to 1e6 and 0 to 100.");
}

std::string ResponseNorm::text() const
{
    return "norm " + std::to_string(size) + " " + shortest_text(alpha) + " " + shortest_text(beta);
}

std::optional<ResponseNorm> ResponseNorm::from_text(LayerWords& words)
{
    if (!words.take("norm") && !words.take("lrn"))
        return std::nullopt;
    ResponseNorm norm;
    norm.size  = words.whole("the size");
    norm.alpha = words.number("alpha");
    norm.beta  = words.number("beta");
    return norm;
}

template <class T>
std::unique_ptr<Stage<T>> ResponseNorm::stage(const StagePlace& place) const
{
    return std::make_unique<ResponseNormStage<T>>(*this, place);
}
template std::unique_ptr<Stage<float>> ResponseNorm::stage(const StagePlace&) const;
template std::unique_ptr<Stage<double>> ResponseNorm::stage(const StagePlace&) const;

}   // namespace credence
