// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/filter_response_norm.h"

#include "foundation/number_text.h"
#include "layers/stage.h"

#include <cmath>

namespace credence {
namespace {

template <class T>
class FilterResponseNormStage final : public WeightlessStage<T> {
public:
    FilterResponseNormStage(double epsilon, const StagePlace& place)
        : WeightlessStage<T>(place), epsilon_(static_cast<T>(epsilon)), n_(place.in.height * place.in.width)
    {}

    void forward(const StagePass<T>& pass, Planes<const T> x, Planes<T> y) const override
    {
        this->for_each_plane(pass.n, [&](int c, int b) {
            const T *in = x.plane(c, b), r = scale(in);
            T* out = y.plane(c, b);
            for (int i = 0; i < n_; ++i)
                out[i] = r * in[i];
        });
    }
    void backward(const StagePass<T>& pass, Planes<const T> x, Planes<const T>, Planes<T> dy, Planes<T> dx,
                  WeightSums<T>) const override
    {
        if (dx.data)
            multiply_by_jacobian(pass.n, x, dy, dx);
    }
    void second_order(const StagePass<T>& pass, Planes<const T> x, Planes<const T>, Planes<const T> dy,
                      SecondOrder<T> add) const override
    {
        if (!add.dx.data || !add.u.data)
            return;
        this->for_each_plane(pass.n, [&](int c, int b) {
            const T *in = x.plane(c, b), *u = add.u.plane(c, b), *v = dy.plane(c, b);
            T* sum    = add.dx.plane(c, b);
            const T r = scale(in), r3 = r * r * r, xu = mean_product(in, u), xv = mean_product(in, v),
                    of_x = 3 * r3 * r * r * xu * xv - r3 * mean_product(u, v);
            for (int i = 0; i < n_; ++i)
                sum[i] += of_x * in[i] - r3 * (xu * v[i] + xv * u[i]);
        });
    }

private:
    T mean_product(const T* a, const T* b) const
    {
        T sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < n_; ++i)
            sum += a[i] * b[i];
        return sum / static_cast<T>(n_);
    }
    T scale(const T* x) const { return 1 / std::sqrt(mean_product(x, x) + epsilon_); }
    void tangent(const StagePass<T>& pass, Planes<const T> x, Planes<const T> dx, Planes<T> dy) const override
    {
        multiply_by_jacobian(pass.n, x, dx, dy);   // it is symmetric
    }
    void multiply_by_jacobian(int images, Planes<const T> x, Planes<const T> u, Planes<T> out) const
    {
        this->for_each_plane(images, [&](int c, int b) {
            const T *in = x.plane(c, b), *along = u.plane(c, b);
            T* to     = out.plane(c, b);
            const T r = scale(in), of_x = r * r * r * mean_product(in, along);
            for (int i = 0; i < n_; ++i)
                to[i] = r * along[i] - of_x * in[i];
        });
    }
    T epsilon_;
    int n_;   // places of a plane
};

}   // namespace

void FilterResponseNorm::pass(Flow& flow) const
{
    flow.require_image("filter response normalisation");
    if (!(epsilon > 0 && epsilon <= 1))
        flow.refuse("found epsilon " + plain_text(epsilon)
                    + " of filter response normalisation, expected a number above 0 and at most 1.");
}

std::string FilterResponseNorm::text() const
{
    return *this == FilterResponseNorm{} ? "frn" : "frn " + shortest_text(epsilon);
}

std::optional<FilterResponseNorm> FilterResponseNorm::from_text(LayerWords& words)
{
    if (!words.take("frn"))
        return std::nullopt;
    return words.more() ? FilterResponseNorm{words.number("epsilon")} : FilterResponseNorm{};
}

template <class T>
std::unique_ptr<Stage<T>> FilterResponseNorm::stage(const StagePlace& place) const
{
    return std::make_unique<FilterResponseNormStage<T>>(epsilon, place);
}
template std::unique_ptr<Stage<float>> FilterResponseNorm::stage(const StagePlace&) const;
template std::unique_ptr<Stage<double>> FilterResponseNorm::stage(const StagePlace&) const;

}   // namespace credence
