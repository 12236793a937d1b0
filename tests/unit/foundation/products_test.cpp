// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/parallel.h"
#include "foundation/products.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <vector>

using namespace credence;

namespace {

/// A matrix of numbers in (-1, 1) without a pattern; the sine of a quadratic sequence.
template <class T>
std::vector<T> numbers(int rows, int columns, double phase)
{
    std::vector<T> m(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
    for (std::size_t k = 0; k < m.size(); ++k)
        m[k] = static_cast<T>(
            std::sin(phase + 0.37 * static_cast<double>(k) + 1e-3 * static_cast<double>(k * k % 1009)));
    return m;
}

struct Shape {
    int n, i, o;
};

void PrintTo(const Shape& s, std::ostream* out) { *out << s.n << "x" << s.i << " * " << s.i << "x" << s.o; }

template <class T>
struct Layer {
    explicit Layer(Shape s)
        : shape(s), x(numbers<T>(s.n, s.i, 1)), w(numbers<T>(s.o, s.i, 2)), dz(numbers<T>(s.n, s.o, 3))
    {}
    Shape shape;
    std::vector<T> x, w, dz;
};

/// Largest distance from the sums written out in double, as a share of the bound that holds for any order of summation:
/// depth * epsilon * sum of |terms| (Higham 2002, section 3.1; half of it for each of the two sums).
template <class T, class Term>
double worst_distance(const std::vector<T>& found, int rows, int columns, int depth, Term term)
{
    double worst = 0;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) {
            double sum = 0, magnitude = 0;
            for (int k = 0; k < depth; ++k) {
                const double product = term(r, c, k);
                sum += product;
                magnitude += std::fabs(product);
            }
            worst = std::fmax(worst,
                              std::fabs(sum - static_cast<double>(found[static_cast<std::size_t>(r) * columns + c]))
                                  / magnitude);
        }
    return worst / (depth * std::numeric_limits<T>::epsilon());
}

class Products : public testing::TestWithParam<Shape> {};

template <class T>
void expect_the_three_products(Shape s)
{
    const Layer<T> l(s);
    const auto at = [](const std::vector<T>& m, int columns, int r, int c) {
        return static_cast<double>(m[static_cast<std::size_t>(r) * columns + c]);
    };
    const T garbage = static_cast<T>(1e9);   // every element is overwritten
    std::vector<T> out(static_cast<std::size_t>(s.n) * s.o, garbage), dx(static_cast<std::size_t>(s.n) * s.i, garbage),
        dw(l.w.size(), garbage);
    product_forward(l.x.data(), l.w.data(), out.data(), s.n, s.i, s.o);
    product_input_gradient(l.dz.data(), l.w.data(), dx.data(), s.n, s.i, s.o, [](TileRange) {});
    product_weight_gradient(l.dz.data(), l.x.data(), dw.data(), s.n, s.i, s.o);
    EXPECT_LT(worst_distance(out, s.n, s.o, s.i,
                             [&](int r, int c, int k) { return at(l.x, s.i, r, k) * at(l.w, s.i, c, k); }),
              1)
        << "forward";
    EXPECT_LT(worst_distance(dx, s.n, s.i, s.o,
                             [&](int r, int c, int k) { return at(l.dz, s.o, r, k) * at(l.w, s.i, k, c); }),
              1)
        << "input gradient";
    EXPECT_LT(worst_distance(dw, s.o, s.i, s.n,
                             [&](int r, int c, int k) { return at(l.dz, s.o, k, r) * at(l.x, s.i, k, c); }),
              1)
        << "weight gradient";
}

/// Every element of a result is in exactly one tile and is complete when the tile is announced.
template <class Product>
void expect_tiles_to_cover(int rows, int columns, const std::vector<float>& expected, Product product)
{
    std::mutex mutex;
    std::vector<int> covered(expected.size(), 0);
    std::vector<float> result(expected.size(), 1e9f);
    bool finished = true;
    Threads threads(7);
    threads.run([&] {
        product(result.data(), [&](TileRange t) {
            const std::lock_guard lock(mutex);
            for (int r = t.row_begin; r < t.row_end; ++r)
                for (int c = t.column_begin; c < t.column_end; ++c) {
                    const std::size_t k = static_cast<std::size_t>(r) * columns + c;
                    ++covered[k];
                    finished = finished && result[k] == expected[k];
                }
        });
    });
    EXPECT_TRUE(finished);
    EXPECT_EQ(covered, std::vector<int>(static_cast<std::size_t>(rows) * columns, 1));
}

}   // namespace

TEST_P(Products, AreTheSumsWrittenOut)
{
    expect_the_three_products<float>(GetParam());
    expect_the_three_products<double>(GetParam());
}

TEST_P(Products, HaveTheSameBitsForAnyNumberOfThreads)
{
    const Shape s = GetParam();
    const Layer<float> l(s);
    std::vector<float> expected;
    for (const int count : {1, 2, 7}) {
        Threads threads(count);
        const std::size_t n_out = static_cast<std::size_t>(s.n) * s.o, n_dx = static_cast<std::size_t>(s.n) * s.i;
        std::vector<float> all(n_out + n_dx + l.w.size());
        threads.run([&] {
            product_forward(l.x.data(), l.w.data(), all.data(), s.n, s.i, s.o);
            product_input_gradient(l.dz.data(), l.w.data(), all.data() + n_out, s.n, s.i, s.o, [](TileRange) {});
            product_weight_gradient(l.dz.data(), l.x.data(), all.data() + n_out + n_dx, s.n, s.i, s.o);
        });
        if (expected.empty())
            expected = all;
        EXPECT_TRUE(all == expected) << count << " threads";
    }
}

TEST_P(Products, AnnounceEachTileWhenItIsDone)
{
    const Shape s = GetParam();
    const Layer<float> l(s);
    std::vector<float> out(static_cast<std::size_t>(s.n) * s.o), dx(static_cast<std::size_t>(s.n) * s.i);
    product_forward(l.x.data(), l.w.data(), out.data(), s.n, s.i, s.o);
    product_input_gradient(l.dz.data(), l.w.data(), dx.data(), s.n, s.i, s.o, [](TileRange) {});
    expect_tiles_to_cover(s.n, s.o, out, [&](float* to, TileDone done) {
        product_forward(l.x.data(), l.w.data(), to, s.n, s.i, s.o, done);
    });
    expect_tiles_to_cover(s.n, s.i, dx, [&](float* to, TileDone done) {
        product_input_gradient(l.dz.data(), l.w.data(), to, s.n, s.i, s.o, done);
    });
    std::vector<float> dw(l.w.size()), other(std::max(dx.size(), dw.size()));
    product_weight_gradient(l.dz.data(), l.x.data(), dw.data(), s.n, s.i, s.o);
    expect_tiles_to_cover(s.o, s.i, dw, [&](float* to, TileDone done) {
        product_gradients(l.dz.data(), l.x.data(), l.w.data(), to, other.data(), s.n, s.i, s.o, done, [](TileRange) {});
    });
    expect_tiles_to_cover(s.n, s.i, dx, [&](float* to, TileDone done) {
        product_gradients(
            l.dz.data(), l.x.data(), l.w.data(), other.data(), to, s.n, s.i, s.o, [](TileRange) {}, done);
    });
}

TEST_P(Products, OfBothGradientsAreThoseOfEachForAnyNumberOfThreads)
{
    const Shape s = GetParam();
    const Layer<float> l(s);
    std::vector<float> dw(l.w.size()), dx(static_cast<std::size_t>(s.n) * s.i);
    product_weight_gradient(l.dz.data(), l.x.data(), dw.data(), s.n, s.i, s.o);
    product_input_gradient(l.dz.data(), l.w.data(), dx.data(), s.n, s.i, s.o, [](TileRange) {});
    for (const int count : {1, 2, 7}) {
        std::vector<float> both_w(dw.size(), 1e9f), both_x(dx.size(), 1e9f);
        Threads threads(count);
        threads.run([&] {
            product_gradients(
                l.dz.data(), l.x.data(), l.w.data(), both_w.data(), both_x.data(), s.n, s.i, s.o, [](TileRange) {},
                [](TileRange) {});
        });
        EXPECT_EQ(both_w, dw) << count << " threads";
        EXPECT_EQ(both_x, dx) << count << " threads";
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Products,
                         testing::Values(Shape{1, 1, 1}, Shape{1, 300, 7}, Shape{7, 1, 300}, Shape{300, 7, 1},
                                         Shape{100, 2, 100}, Shape{100, 4, 33}, Shape{100, 100, 4},
                                         Shape{100, 100, 100}, Shape{128, 200, 10}, Shape{65, 97, 49},
                                         Shape{129, 240, 201}, Shape{500, 3, 2}, Shape{33, 117, 8},
                                         Shape{128, 300, 500}, Shape{1100, 40, 60}));
