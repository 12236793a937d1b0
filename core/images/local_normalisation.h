// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace credence {

/// The sums over the window around each pixel of a plane, up to size / 2 pixels away in rows and columns, cut off at the border: Σ_{j ∈ W(i)} x_j. Running sums in double,
/// first along the rows, then along the columns: four additions a pixel, whatever the size.
/// @param x    [height × width]
/// @param size  odd
/// @param out  [height × width], overwritten; may be x
void window_sums(std::span<const double> x, int height, int width, int size, std::span<double> out);

/// How many pixels each of these windows has [height × width].
std::vector<double> window_counts(int height, int width, int size);

/// Local normalisation of one plane: each pixel less the mean of the window around it, divided by the window's standard deviation,
///
///     y_i = (x_i − m_i) / s_i,   m_i = (1/n_i) Σ_{j ∈ W(i)} x_j,   s_i² = (1/n_i) Σ_{j ∈ W(i)} x_j² − m_i² + floor²
///
/// W(i) the size × size pixels around i as far as they lie in the image, n_i their number. The floor keeps flat areas flat: there y is about (x − m) / floor, and noise much
/// smaller than the floor stays small. A change of brightness (x + c) changes nothing, one of contrast (a x) nothing where s is far above the floor.
/// Values, derivatives and their transposes are made in double and rounded once. Source: Jarrett, Kavukcuoglu, Ranzato and LeCun 2009, section 2.1, with a plain window in
/// place of a Gaussian one, channel by channel; the functional-BNN submission, section 6.1.
class LocalNormalisation {
public:
    /// @param size   odd, at least 1
    /// @param floor  > 0, in the units of x
    LocalNormalisation(int height, int width, int size, double floor);

    /// @param y  [height × width], overwritten
    template <class T>
    void values(const T* x, T* y);
    /// Computes dy = ∂y/∂x dx, the derivative along dx at x:
    ///     dy_i = (dx_i − dm_i) / s_i − y_i / s_i² ((1/n_i) Σ x_j dx_j − m_i dm_i),   dm_i = (1/n_i) Σ dx_j
    template <class T>
    void tangent(const T* x, const T* dx, T* dy);
    /// Computes its transpose, from dL/dy to dL/dx. The windows are symmetric, k ∈ W(i) where i ∈ W(k), so that with a_i = dy_i y_i / s_i²
    ///     dx_k = dy_k / s_k + Σ_{i ∈ W(k)} (a_i m_i − dy_i / s_i) / n_i − x_k Σ_{i ∈ W(k)} a_i / n_i
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

/// The luma of colours, 0.299 r + 0.587 g + 0.114 b (ITU-R BT.601).
inline constexpr double luma[] = {0.299, 0.587, 0.114};

}   // namespace credence
