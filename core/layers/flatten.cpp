// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/flatten.h"

#include "layers/stage.h"

namespace credence {

template <class T>
std::unique_ptr<Stage<T>> Flatten::stage(const StagePlace&) const
{
    return nullptr;
}
template std::unique_ptr<Stage<float>> Flatten::stage(const StagePlace&) const;
template std::unique_ptr<Stage<double>> Flatten::stage(const StagePlace&) const;

}   // namespace credence
