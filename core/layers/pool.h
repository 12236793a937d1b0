// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/kind.h"

namespace credence {

/// out = ceil((in - kernel) / stride) + 1 along each side (Caffe), windows clipped at the border.
/// Maximum: the first maximum in row order receives the gradient. Average: over the clipped window.
struct Pool {
    enum class Kind { maximum, average };
    Kind kind                          = Kind::maximum;
    int kernel                         = 2;
    int stride                         = 2;
    bool operator==(const Pool&) const = default;

    static constexpr const char* syntax    = "max KERNEL [STRIDE], average KERNEL [STRIDE]";
    static constexpr const char* words     = "max, average";
    static constexpr const char* json_name = "pool";
    static constexpr bool needs_image = true, has_weights = false;

    static constexpr bool has_noise() { return false; }
    static constexpr SecondDerivative second_derivative() { return SecondDerivative::zero; }
    void pass(Flow& flow) const;
    std::string text() const;
    static std::optional<Pool> from_text(LayerWords& words);   ///< the default stride is the kernel size
    LayerJsonMembers json() const
    {
        return {{json_name, kind == Kind::maximum ? "maximum" : "average"}, {"kernel", kernel}, {"stride", stride}};
    }
    static Pool from_json(const LayerJson& json);
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace& place) const;
};

}   // namespace credence
