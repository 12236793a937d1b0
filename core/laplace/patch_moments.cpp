// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace/curvature_sums.h"

#include "foundation/aligned_vector.h"
#include "foundation/parallel.h"
#include "foundation/products.h"

#include <Eigen/Core>

#include <algorithm>

namespace credence {
namespace {

template <class T>
using Rows =
    Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, 0, Eigen::OuterStride<>>;

}   // namespace

template <class T>
bool PatchMoments<T>::pays(const ConvolutionShape& shape)
{
    const double line  = static_cast<double>(shape.in.channels) * shape.in.width,
                 pairs = static_cast<double>(shape.in.height) * std::min(shape.kernel, shape.in.height);
    return pairs * line * line < 0.5 * shape.places() * static_cast<double>(shape.patch()) * shape.patch()
           && pairs * line * line < 8e6;
}

template <class T>
PatchMoments<T>::PatchMoments(const ConvolutionShape& shape)
    : shape_(shape), products_(static_cast<std::size_t>(shape.in.height) * shape.kernel * line() * line()),
      sums_(static_cast<std::size_t>(shape.in.height) * line())
{}

template <class T>
void PatchMoments<T>::begin_batch(int n)
{
    sized(lines_, static_cast<std::size_t>(n) * sums_.size());
}

template <class T>
void PatchMoments<T>::set_image(int image, Planes<const T> x)
{
    T* to       = lines_.data() + static_cast<std::size_t>(image) * sums_.size();
    const int C = shape_.in.channels, pixels = shape_.in.height * shape_.in.width;
    for (int c = 0; c < C; ++c) {
        const T* from = x.plane(c, 0);
        for (int p = 0; p < pixels; ++p)
            to[std::ptrdiff_t{p} * C + c] = from[p];
    }
}

template <class T>
void PatchMoments<T>::end_batch(int n)
{
    const int L = line(), C = shape_.in.channels, W = shape_.in.width, H = shape_.in.height, kernel = shape_.kernel;
    const auto pixels_of = [&](int y, int begin, int end) {
        return Rows<T>(lines_.data() + std::ptrdiff_t{y} * L + begin * C, n, (end - begin) * C,
                       Eigen::OuterStride<>(static_cast<Eigen::Index>(sums_.size())));
    };
    // pixels: wide enough for an efficient product, narrow enough to skip distant pairs
    const int at_once = std::max(kernel - 1, 64 / C);
    fix_product_blocking();
    parallel_for(static_cast<std::size_t>(H) * kernel, [&](std::size_t at) {
        const int y = static_cast<int>(at) / kernel, dy = static_cast<int>(at) % kernel;
        if (y + dy >= H)
            return;
        Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> product;
        for (int begin = 0; begin < W; begin += at_once) {
            const int end = std::min(W, begin + at_once), left = dy == 0 ? begin : std::max(0, begin - kernel + 1),
                      right   = std::min(W, end + kernel - 1);
            product.noalias() = pixels_of(y, begin, end).transpose() * pixels_of(y + dy, left, right);
            double* to        = products_.data() + at * static_cast<std::size_t>(L) * L + std::ptrdiff_t{begin} * C * L
                         + left * C;
            for (Eigen::Index i = 0; i < product.rows(); ++i, to += L)
                for (Eigen::Index j = 0; j < product.cols(); ++j)
                    to[j] += static_cast<double>(product(i, j));
        }
    });
    parallel_chunks(sums_.size(), 256, [&](std::size_t begin, std::size_t end) {
        for (int i = 0; i < n; ++i)
            for (std::size_t p = begin; p < end; ++p)
                sums_[p] += static_cast<double>(lines_[static_cast<std::size_t>(i) * sums_.size() + p]);
    });
}

template <class T>
void PatchMoments<T>::read(std::vector<double>& a, std::vector<double>& sum) const
{
    const int k = shape_.kernel, C = shape_.in.channels, W = shape_.in.width, H = shape_.in.height, L = line(),
              stride = shape_.stride, padding = shape_.padding, patch = shape_.patch();
    a.assign(static_cast<std::size_t>(patch) * patch, 0.0);
    sum.assign(static_cast<std::size_t>(patch), 0.0);
    const auto number = [&](int c, int i, int j) { return static_cast<std::size_t>((c * k + i) * k + j); };
    parallel_for(static_cast<std::size_t>(k) * k, [&](std::size_t at) {   // kernel rows i ≤ i2
        const int i = static_cast<int>(at) / k, i2 = static_cast<int>(at) % k;
        if (i2 < i)
            return;
        for (int oy = 0; oy < shape_.out.height; ++oy) {
            const int y = oy * stride + i - padding;
            if (y < 0 || y + i2 - i >= H)
                continue;
            const double* M = block(y, i2 - i);
            for (int c = 0; c < C; ++c)
                for (int j = 0; j < k; ++j)
                    for (int c2 = 0; c2 < C; ++c2)
                        for (int j2 = 0; j2 < k; ++j2) {
                            double total = 0;
                            for (int ox = 0; ox < shape_.out.width; ++ox) {
                                const int x = ox * stride + j - padding, x2 = ox * stride + j2 - padding;
                                if (x < 0 || x >= W || x2 < 0 || x2 >= W)
                                    continue;
                                const int p = x * C + c, q = x2 * C + c2;
                                total += M[i == i2 && q < p ? static_cast<std::size_t>(q) * L + p
                                                            : static_cast<std::size_t>(p) * L + q];
                            }
                            a[number(c, i, j) * patch + number(c2, i2, j2)] += total;
                        }
        }
    });
    for (int c = 0; c < C; ++c)   // i > i2 by symmetry
        for (int i = 0; i < k; ++i)
            for (int j = 0; j < k; ++j)
                for (int c2 = 0; c2 < C; ++c2)
                    for (int i2 = 0; i2 < i; ++i2)
                        for (int j2 = 0; j2 < k; ++j2)
                            a[number(c, i, j) * patch + number(c2, i2, j2)] =
                                a[number(c2, i2, j2) * patch + number(c, i, j)];
    for (int c = 0; c < C; ++c)
        for (int i = 0; i < k; ++i)
            for (int j = 0; j < k; ++j)
                for (int oy = 0; oy < shape_.out.height; ++oy)
                    for (int ox = 0; ox < shape_.out.width; ++ox) {
                        const int y = oy * stride + i - padding, x = ox * stride + j - padding;
                        if (y >= 0 && y < H && x >= 0 && x < W)
                            sum[number(c, i, j)] += sums_[static_cast<std::size_t>(y) * L + x * C + c];
                    }
}

template class PatchMoments<float>;
template class PatchMoments<double>;

}   // namespace credence
