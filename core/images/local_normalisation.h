// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace credence {

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

}   // namespace credence
