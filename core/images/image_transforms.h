// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_shape.h"
#include "images/corruptions.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

/// How to morph one image into another.
enum class MorphKind {
    flow,   ///< moves intensity: for shapes on black
    mix,    ///< (1 − t) a + t b: for photographs
};
/// Returns flow for one channel on a dark background, otherwise mix.
MorphKind suitable_morph(std::span<const float> a, std::span<const float> b, ImageShape shape);

/// A morph from image a (t = 0) to image b (t = 1), values 0 to 255. Both end points are exact.
///
/// flow: the intensity of each image is split into 240 particles of equal mass. The particles are
/// paired to minimise the sum of squared distances (optimal transport; exact assignment by shortest
/// augmenting paths, Jonker and Volgenant 1987). Particle i is at (1 − t) a_i + t b_π(i) and is
/// drawn as a soft dot. Strokes thus move and bend, where mixing would fade one out and the other
/// in. Details of a and b that the dots do not reproduce (edges, texture) fade out during the first
/// third and fade in during the last third.
class ImageMorph {
public:
    ImageMorph(std::span<const float> a, std::span<const float> b, ImageShape shape, MorphKind kind);

    std::vector<float> at(double t) const;   ///< t is clamped to [0, 1]
    MorphKind kind() const { return kind_; }

private:
    using Place = std::array<float, 2>;   // x, y in pixels
    std::vector<float> dots(double t) const;

    ImageShape shape_;
    MorphKind kind_;
    std::vector<float> a_, b_;
    std::vector<Place> from_, to_;   // paired; empty: mix
    double light_a_ = 0, light_b_ = 0;
    std::vector<float> rest_a_, rest_b_;   // a and b minus their dots
};

// Image perturbations. Images are [channels × height × width] with byte-scaled values, 0 to 255;
// results have the same shape. A function whose parameters change nothing returns its input bit for
// bit.

/// Pixel index with mirroring at the border: … 1 0 | 0 1 … n−1 | n−1 n−2 …
int mirrored(int i, int n);

/// The fill colour for areas outside the image: the median of the border pixels per channel
/// [channels]. Black for digits on black.
std::vector<float> ground_of(std::span<const float> image, ImageShape shape);

/// Rotation by `degrees` (counter-clockwise on screen), then magnification by `scale`, then a shift
/// by (right, down) pixels. All are applied about the image centre in one step: out(x) = image(R⁻¹
/// (x − c − shift) / scale + c), with bilinear interpolation. Multiples of 90° are exact for square
/// images.
struct Placement {
    double degrees = 0, scale = 1, right = 0, down = 0;
    bool operator==(const Placement&) const = default;
};
/// @throws Error  if the scale is not > 0 or a number is not finite
std::vector<float> placed(std::span<const float> image, ImageShape shape, const Placement& placement);

/// Convolution with a Gaussian of standard deviation `sd` in pixels, truncated at 4 sd. The image
/// is mirrored at its border, so the sum of all pixels is preserved.
std::vector<float> blurred(std::span<const float> image, ImageShape shape, double sd);

/// Adds independent N(0, sd²) noise to every value and clips to the byte range, 0 to 255.
/// Deterministic given the seed.
std::vector<float> with_noise(std::span<const float> image, double sd, std::uint64_t seed);

/// All perturbations, applied in this order: morph, placement, blur, noise, corruption.
struct Disturbance {
    double morph = 0;   ///< position between this image and the other one, 0 to 1
    Placement placement{};
    double blur              = 0;   ///< standard deviation, pixels
    double noise             = 0;   ///< standard deviation, on the scale 0 to 255
    std::uint64_t noise_seed = 1;   ///< also of the corruption
    Corruption corruption    = Corruption::gaussian_noise;
    int severity             = 0;   ///< of the corruption, 0 to 5; 0: none

    bool none() const;   ///< true if it changes no image
    bool operator==(const Disturbance&) const = default;
};
class ImageMorph;
/// @param morph  from this image to another; null: `disturbance.morph` is ignored
std::vector<float> disturbed(std::span<const float> image, ImageShape shape, const Disturbance& disturbance,
                             const ImageMorph* morph = nullptr);

/// Describes the perturbation for use after an image's name: ", rotated 20°, shifted 2 right,
/// blurred 1.5"; empty if there is none.
/// @param other  name of the target image of the morph
std::string description_of(const Disturbance& disturbance, const std::string& other = {});

/// Computes the sum over the window around each pixel of a plane, up to size / 2 pixels away in
/// rows and columns and truncated at the border: Σ_{j ∈ W(i)} x_j. Uses running sums in double,
/// first along the rows, then along the columns: four additions per pixel for any size.
/// @param x     [height × width]
/// @param size  odd
/// @param out   [height × width], overwritten; may alias x
void window_sums(std::span<const double> x, int height, int width, int size, std::span<double> out);

/// Returns the number of pixels in each window [height × width].
std::vector<double> window_counts(int height, int width, int size);

/// Local normalisation of one plane: subtracts the mean of the window around each pixel and divides
/// by the window's standard deviation,
///
///     y_i = (x_i − m_i) / s_i,
///     m_i = (1/n_i) Σ_{j ∈ W(i)} x_j,   s_i² = (1/n_i) Σ_{j ∈ W(i)} x_j² − m_i² + floor²
///
/// W(i) contains the n_i pixels of the size × size window around i that are inside the image. The
/// floor keeps flat areas flat: there y is about (x − m) / floor, and noise much smaller than the
/// floor stays small. The result is invariant to brightness (x + c), and to contrast (a x) where s
/// is far above the floor. Values, derivatives and their transposes are computed in double and
/// rounded once.
/// Source: Jarrett, Kavukcuoglu, Ranzato and LeCun 2009, section 2.1, with a uniform window instead
/// of a Gaussian one, channel by channel; the functional-BNN submission, section 6.1.
class LocalNormalisation {
public:
    /// @param size   odd, at least 1
    /// @param floor  > 0, in the units of x
    LocalNormalisation(int height, int width, int size, double floor);

    /// @param y  [height × width], overwritten
    template <class T>
    void values(const T* x, T* y);
    /// Computes dy = ∂y/∂x dx, the derivative along dx at x:
    ///     dy_i = (dx_i − dm_i) / s_i − y_i / s_i² ((1/n_i) Σ x_j dx_j − m_i dm_i),
    ///     dm_i = (1/n_i) Σ dx_j
    template <class T>
    void tangent(const T* x, const T* dx, T* dy);
    /// Computes the transpose, from dL/dy to dL/dx. The windows are symmetric: k ∈ W(i) if and only
    /// if i ∈ W(k). With a_i = dy_i y_i / s_i²,
    ///     dx_k = dy_k / s_k + Σ_{i ∈ W(k)} (a_i m_i − dy_i / s_i) / n_i
    ///            − x_k Σ_{i ∈ W(k)} a_i / n_i
    template <class T>
    void pull_back(const T* x, const T* dy, T* dx);

private:
    std::size_t pixels() const { return count_.size(); }
    template <class T>
    void look_at(const T* x);   ///< fills in_, mean_ and inverse_sd_

    int height_, width_, size_;
    double floor_;
    std::vector<double> count_, in_, mean_, inverse_sd_, first_, second_;
};

/// Luma weights of red, green and blue (ITU-R BT.601).
inline constexpr double luma[] = {0.299, 0.587, 0.114};

struct NearImage {
    std::size_t index                       = 0;
    double distance                         = 0;   ///< √Σ (a − b)², in the units of the images
    bool operator==(const NearImage&) const = default;
};

/// Returns the `k` images nearest to `image`, or all of them if there are fewer. Sorted by
/// distance, ties by index. The work is split into fixed chunks, so the result is the same for any
/// number of threads. Empty if `stop` is requested.
/// @param images  [n × pixels], n = images.size() / image.size()
/// @throws Error  if `image` is empty or its size does not divide that of `images`
std::vector<NearImage> nearest_images(std::span<const float> images, std::span<const float> image, std::size_t k,
                                      std::stop_token stop = {});

}   // namespace credence
