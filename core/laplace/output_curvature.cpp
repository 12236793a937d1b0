// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace/output_curvature.h"

#include "foundation/parallel.h"

#include <cassert>

namespace credence {

template <class T>
void output_curvature_roots(const Likelihood& likelihood, std::span<const T> outputs, int n, int k, std::span<T> roots)
{
    const std::size_t next = static_cast<std::size_t>(n) * k;   // distance between columns
    assert(roots.size() == next * static_cast<std::size_t>(likelihood->curvature_columns(k)));
    parallel_chunks(static_cast<std::size_t>(n), 256, [&](std::size_t begin, std::size_t end) {
        likelihood->curvature_roots(outputs.subspan(begin * k, (end - begin) * k), k, roots.data() + begin * k, next);
    });
}

template void output_curvature_roots(const Likelihood&, std::span<const float>, int, int, std::span<float>);
template void output_curvature_roots(const Likelihood&, std::span<const double>, int, int, std::span<double>);

}   // namespace credence
