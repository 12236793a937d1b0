// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/toy.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "random/noise.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace credence {
namespace {

constexpr double pi = std::numbers::pi;

/// 0 .. 1 in n equal steps, both ends included; a single point is in the middle.
double along(int i, int n) { return n > 1 ? double(i) / (n - 1) : 0.5; }

ToyPoint polar(double radius, double angle) { return {radius * std::cos(angle), radius * std::sin(angle)}; }

}   // namespace

ToyPoint moon(int k, int i, int n)
{
    const ToyPoint p = polar(1, pi * along(i, n));
    return k == 0 ? p : ToyPoint{1 - p.x, 0.5 - p.y};
}

ToyPoint circle(int k, int i, int n) { return polar(k == 0 ? 1 : 0.5, 2 * pi * i / n); }

ToyPoint spiral_arm(int k, int K, int i, int n)
{
    const double r = 0.1 + 0.9 * along(i, n);
    return polar(r, 2 * pi * (double(k) / K + r));
}

ToyPoint xor_square(int k, int i, double u, double v)
{
    const double first  = i % 2 == 0 ? 1 : -1;
    const double second = k == 0 ? first : -first;
    return {first * (0.1 + 0.9 * u), second * (0.1 + 0.9 * v)};
}

ToyPoint blob_centre(int k, int K, double rotation)
{
    const double radius = std::max(1.0, 0.75 / std::sin(pi / K));   // neighbours are 2 r sin(π/K) apart
    return polar(radius, 2 * pi * (rotation + double(k) / K));
}

ToyPoint gaussian_centre(int k) { return {k == 0 || k == 3 ? 2.0 : -2.0, k < 2 ? 2.0 : -2.0}; }

double regression_input(ToyKind kind, double u)
{
    switch (kind) {
    case ToyKind::blundell_curve: return 0.5 * u;
    case ToyKind::cubic: return 8 * u - 4;
    case ToyKind::sine_gap: return u < 0.5 ? -1 + 1.4 * u : 0.3 + 1.4 * (u - 0.5);
    case ToyKind::step: return 2 * u - 1;
    default: return u;
    }
}

double blundell_curve(double x, double epsilon)
{
    return x + 0.3 * std::sin(2 * pi * (x + epsilon)) + 0.3 * std::sin(4 * pi * (x + epsilon)) + epsilon;
}

std::pair<double, double> shown_range(ToyKind kind)
{
    if (task_of(kind) != Task::regression)
        throw Error(std::string(title_of(kind)) + " has classes and no curve, expected toy data for regression.");
    if (kind == ToyKind::blundell_curve)
        return {-0.2, 1.2};
    const double first = regression_input(kind, 0), last = regression_input(kind, 1);
    return {first - 0.5 * (last - first), last + 0.5 * (last - first)};
}

double noise_free(ToyKind kind, double x)
{
    switch (kind) {
    case ToyKind::blundell_curve: return blundell_curve(x, 0);
    case ToyKind::cubic: return x * x * x;
    case ToyKind::sine_gap: return std::sin(2 * pi * x);
    case ToyKind::step: return x < 0 ? -1 : 1;
    case ToyKind::heteroscedastic: return std::sin(2 * pi * x);
    default: throw Error(std::string(title_of(kind)) + " has classes and no curve, expected toy data for regression.");
    }
}

namespace {

// Keys of the stream Stream::data, one per purpose.
enum : std::uint32_t { position_key = 0, noise_key = 1, order_key = 2, layout_key = 3 };

struct About {
    ToyKind kind;
    const char* title;
    Task task;
    double noise;
};

constexpr About about_toys[] = {
    {ToyKind::two_moons, "Two moons", Task::classification, 0.1},
    {ToyKind::circles, "Circles", Task::classification, 0.1},
    {ToyKind::spirals, "Spirals", Task::classification, 0.04},
    {ToyKind::xor_squares, "XOR squares", Task::classification, 0.05},
    {ToyKind::blobs, "Blobs", Task::classification, 0.3},
    {ToyKind::four_gaussians, "Four Gaussians", Task::classification, 0.5},
    {ToyKind::blundell_curve, "Blundell's curve", Task::regression, 0.02},
    {ToyKind::cubic, "Cubic", Task::regression, 3.0},
    {ToyKind::sine_gap, "Sine with a gap", Task::regression, 0.1},
    {ToyKind::step, "Step", Task::regression, 0.1},
    {ToyKind::heteroscedastic, "Growing noise", Task::regression, 0.5},
};

const About& about(ToyKind kind)
{
    const auto found = std::find_if(std::begin(about_toys), std::end(about_toys),
                                    [kind](const About& a) { return a.kind == kind; });
    if (found == std::end(about_toys))
        throw Error("data.kind",
                    "Kind of toy data is number " + std::to_string(int(kind)) + ", expected a known kind.");
    return *found;
}

bool two_classes(ToyKind kind)
{
    return kind == ToyKind::two_moons || kind == ToyKind::circles || kind == ToyKind::xor_squares;
}
bool free_classes(ToyKind kind) { return kind == ToyKind::spirals || kind == ToyKind::blobs; }

void check(const ToyOptions& o)
{
    about(o.kind);
    if (o.n < 2 || o.n > 1'000'000)
        throw Error("data.n", "Number of points is " + std::to_string(o.n) + ", expected 2 to 1000000.");
    if (!(o.noise >= 0 && o.noise <= 1e6))
        throw Error("data.noise", "Noise is " + number_text(o.noise, 6) + ", expected a number from 0 to 1e+06.");
    if (two_classes(o.kind) && !(o.class_ratio > 0 && o.class_ratio < 1))
        throw Error("data.class_ratio", "Share of class 0 is " + number_text(o.class_ratio, 6)
                                            + ", expected a number above 0 and below 1.");
    if (free_classes(o.kind) && (o.classes < 2 || o.classes > 100))
        throw Error("data.classes", "Number of classes is " + std::to_string(o.classes) + ", expected 2 to 100.");
    const int K = o.kind == ToyKind::four_gaussians ? 4 : free_classes(o.kind) ? o.classes : 2;
    if (task_of(o.kind) == Task::classification && o.n < K)
        throw Error("data.n", "Number of points is " + std::to_string(o.n) + ", expected at least one for each of the "
                                  + std::to_string(K) + " classes.");
}

/// Number of points per class: by class_ratio for two classes (at least one each), otherwise equal,
/// with one more for the first classes if needed.
std::vector<int> class_sizes(const ToyOptions& o)
{
    if (two_classes(o.kind)) {
        const int first = std::clamp(static_cast<int>(std::lround(o.class_ratio * o.n)), 1, o.n - 1);
        return {first, o.n - first};
    }
    const int K = o.kind == ToyKind::four_gaussians ? 4 : o.classes;
    std::vector<int> sizes(static_cast<std::size_t>(K), o.n / K);
    for (int k = 0; k < o.n % K; ++k)
        ++sizes[static_cast<std::size_t>(k)];
    return sizes;
}

ToyPoint place(const ToyOptions& o, int k, int K, int i, int n, const double* u, double rotation)
{
    switch (o.kind) {
    case ToyKind::two_moons: return moon(k, i, n);
    case ToyKind::circles: return circle(k, i, n);
    case ToyKind::spirals: return spiral_arm(k, K, i, n);
    case ToyKind::xor_squares: return xor_square(k, i, u[0], u[1]);
    case ToyKind::blobs: return blob_centre(k, K, rotation);
    default: return gaussian_centre(k);
    }
}

void fill_classification(Dataset& data, const ToyOptions& o)
{
    const std::vector<int> sizes = class_sizes(o);
    const int K                  = static_cast<int>(sizes.size());
    const auto n                 = static_cast<std::size_t>(o.n);
    std::vector<double> u(2 * n), z(2 * n), rotation(1);
    uniforms(NoiseKey{o.seed, Stream::data, position_key}, 0, u);
    standard_normals(NoiseKey{o.seed, Stream::data, noise_key}, 0, z);
    uniforms(NoiseKey{o.seed, Stream::data, layout_key}, 0, rotation);
    const std::vector<std::uint32_t> order = permutation(NoiseKey{o.seed, Stream::data, order_key}, n);

    data.n_features    = 2;
    data.feature_names = {"x1", "x2"};
    data.target_name   = "class";
    data.inputs.resize(2 * n);
    data.labels.resize(n);
    std::size_t made = 0;
    for (int k = 0; k < K; ++k) {
        data.class_names.push_back("class " + std::to_string(k));
        const int size = sizes[static_cast<std::size_t>(k)];
        for (int i = 0; i < size; ++i, ++made) {
            const ToyPoint p         = place(o, k, K, i, size, &u[2 * made], rotation[0]);
            const std::size_t row    = order[made];
            data.inputs[2 * row]     = static_cast<float>(p.x + o.noise * z[2 * made]);
            data.inputs[2 * row + 1] = static_cast<float>(p.y + o.noise * z[2 * made + 1]);
            data.labels[row]         = k;
        }
    }
}

void fill_regression(Dataset& data, const ToyOptions& o)
{
    const auto n = static_cast<std::size_t>(o.n);
    std::vector<double> u(n), z(n);
    uniforms(NoiseKey{o.seed, Stream::data, position_key}, 0, u);
    standard_normals(NoiseKey{o.seed, Stream::data, noise_key}, 0, z);

    data.n_features    = 1;
    data.feature_names = {"x"};
    data.inputs.resize(n);
    data.targets.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double x = regression_input(o.kind, u[i]);
        double y       = noise_free(o.kind, x);
        switch (o.kind) {
        case ToyKind::blundell_curve:
            y = blundell_curve(x, z[i] * (o.curve_noise == CurveNoise::variance ? std::sqrt(o.noise) : o.noise));
            break;
        case ToyKind::heteroscedastic: y += o.noise * (0.1 + 0.9 * x) * z[i]; break;
        default: y += o.noise * z[i];
        }
        data.inputs[i]  = static_cast<float>(x);
        data.targets[i] = static_cast<float>(y);
    }
}

}   // namespace

Dataset make_toy(const ToyOptions& options)
{
    check(options);
    Dataset data;
    data.name   = title_of(options.kind);
    data.task   = task_of(options.kind);
    data.n_rows = static_cast<std::size_t>(options.n);
    if (data.task == Task::classification)
        fill_classification(data, options);
    else
        fill_regression(data, options);
    return data;
}

Task task_of(ToyKind kind) { return about(kind).task; }
const char* title_of(ToyKind kind) { return about(kind).title; }
double default_noise(ToyKind kind) { return about(kind).noise; }

}   // namespace credence
