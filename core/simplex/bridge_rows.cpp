// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/bridge_rows.h"

#include "foundation/elementary.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "foundation/simd_vector.h"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <string>

namespace credence {

namespace {

using F32           = Sixteen<float>;
using U32           = Sixteen<std::uint32_t>;
constexpr int lanes = F32::lanes;

/// Reinterprets the bits of floats as whole numbers.
U32 bits_of(const F32& v)
{
    return v.with([](auto part) { return (U32::Register)part; });
}

/// `fast_exp` of elementary.h on registers, without its clamps: invalid beyond |t| = 87.
F32 exponential(const F32& v)
{
    return v.with([](F32::Register t) {
        constexpr float to_integer  = 12582912.0f;
        const F32::Register shifted = t * 1.44269504f + to_integer, k = shifted - to_integer;
        const F32::Register r = (t - k * 0.693359375f) + k * 2.12194440e-4f;
        const F32::Register p =
            1.0f
            + r * (0.5f + r * (1.666650526e-1f + r * (4.166646501e-2f + r * (8.369148491e-3f + r * 1.393364103e-3f))));
        const auto power = (F32::Register)(((U32::Register)shifted << 23) + 0x3f800000u);
        return power + power * (r * p);
    });
}

constexpr float largest_fast = 40;   // e^80 K is well within the range of floats

/// Checks whether all numbers are in the range of the fast method. Read as whole numbers, the bits
/// of floats have the order of the floats, with negative numbers, infinities and NaN last, so one
/// maximum of each kind replaces comparisons.
class FastRange {
public:
    void magnitude(const F32& m)
    {
        take(magnitude_, bits_of(m).with([](auto bits) { return bits & 0x7fffffffu; }));
    }
    void variance(const F32& d) { take(variance_, bits_of(d) - (least + 1)); }
    void alpha(const F32& a) { take(alpha_, bits_of(a) - (least + 1)); }
    bool left() const
    {
        for (int l = 0; l < lanes; ++l)
            if (magnitude_[l] > std::bit_cast<std::uint32_t>(largest_fast)
                || variance_[l] >= std::bit_cast<std::uint32_t>(1e30f) - (least + 1)
                || alpha_[l] >= std::bit_cast<std::uint32_t>(FLT_MAX) - (least + 1))
                return true;
        return false;
    }

private:
    static constexpr std::uint32_t least = std::bit_cast<std::uint32_t>(FLT_MIN);   // smaller values wrap around
    static void take(U32& most, const U32& value)
    {
        most = most.with([](auto a, auto b) { return a > b ? a : b; }, value);
    }

    U32 magnitude_, variance_, alpha_;
};

/// Data for one chunk of rows: constants, and whether a number was outside the range of the fast
/// method.
struct Row {
    explicit Row(int K)
        : n_vectors((K + lanes - 1) / lanes), one_minus(1 - 2.0f / static_cast<float>(K)),
          over_k(1 / static_cast<float>(K)), over_k2(over_k * over_k), root(1 / std::sqrt(static_cast<float>(K) / 2))
    {
        const int in_last = K - (n_vectors - 1) * lanes;
        std::int32_t belongs[lanes];
        for (int l = 0; l < lanes; ++l)
            belongs[l] = l < in_last ? -1 : 0;
        inside = Sixteen<std::int32_t>::load(belongs);
    }
    int n_vectors;
    float one_minus, over_k, over_k2, root;
    Sixteen<std::int32_t> inside;   ///< all bits set in the lanes of the last vector that belong to the row

    F32 only_inside(const F32& v, int vector, int last, float outside) const
    {
        return vector == last ? v.with([](auto a, auto in, auto other) { return in ? a : other; }, inside, F32(outside))
                              : v;
    }
};

/// What the correction of a row needs.
struct RowSums {
    F32 shift, slope, total;   ///< mean of μ; (1ᵀμ)/(1ᵀΣ1); 1ᵀΣ1 or its inverse
};
/// @param r  Σ1
template <BridgeVariant variant>
[[gnu::always_inline]] inline RowSums row_sums(const Row& row, const float* mu, const float* r, int n)
{
    RowSums sums;
    if constexpr (variant != BridgeVariant::plain) {
        F32 mu_sum, r_sum;
        for (int v = 0; v < n; ++v) {
            mu_sum += row.only_inside(F32::load(mu + v * lanes), v, n - 1, 0);
            r_sum += row.only_inside(F32::load(r + v * lanes), v, n - 1, 0);
        }
        mu_sum = mu_sum.sum();
        r_sum  = r_sum.sum();
        if constexpr (is_conditioned(variant)) {
            sums.total = 1.0f / r_sum;
            sums.slope = mu_sum * sums.total;
        } else {
            sums.shift = mu_sum * row.over_k;
            sums.total = r_sum * row.over_k2;
        }
    }
    return sums;
}

/// Computes one row. Reads and writes whole vectors, also beyond the row's end; the next row is
/// written afterwards.
/// @tparam one  the row is one vector: everything stays in registers if it is inlined, including
/// constants between rows
template <BridgeVariant variant, bool diagonal, bool one>
[[gnu::always_inline]] inline void bridge_row(const Row& row, const float* mu, const float* variance,
                                              const float* row_sum, float* alpha, float* scratch, FastRange& range)
{
    constexpr bool conditioned = is_conditioned(variant);
    constexpr bool normalised  = is_normalised(variant);
    const int n = one ? 1 : row.n_vectors, last = n - 1;
    const RowSums sums = row_sums<variant>(row, mu, diagonal ? variance : row_sum, n);
    const auto m_of    = [&](int v) {
        F32 m = F32::load(mu + v * lanes);
        if constexpr (conditioned)
            m -= F32::load((diagonal ? variance : row_sum) + v * lanes) * sums.slope;
        else if constexpr (variant != BridgeVariant::plain)
            m -= sums.shift;
        return m;
    };
    const auto d_of = [&](int v) {
        F32 d = F32::load(variance + v * lanes);
        if constexpr (conditioned) {
            const F32 r = F32::load((diagonal ? variance : row_sum) + v * lanes);
            d -= r * r * sums.total;
        } else if constexpr (variant != BridgeVariant::plain)
            d += sums.total - (2 * row.over_k) * F32::load((diagonal ? variance : row_sum) + v * lanes);
        return d;
    };
    F32 over_c(1.0f), over_root_c(1.0f);
    if constexpr (normalised) {
        F32 d_sum;
        for (int v = 0; v < n; ++v)
            d_sum += row.only_inside(d_of(v), v, last, 0);
        over_c      = 1.0f / (d_sum.sum() * (row.over_k * row.root));
        over_root_c = F32(std::sqrt(over_c[0]));
    }
    F32 inverse_sum, kept;
    for (int v = 0; v < n; ++v) {
        F32 m = m_of(v);
        if constexpr (normalised)
            m *= over_root_c;
        m = row.only_inside(m, v, last, 0);
        range.magnitude(m);
        const F32 e = exponential(-m);
        inverse_sum += row.only_inside(e, v, last, 0);
        if constexpr (one)
            kept = e;
        else
            e.store(scratch + v * lanes);
    }
    inverse_sum = inverse_sum.sum() * row.over_k2;
    for (int v = 0; v < n; ++v) {
        F32 d = d_of(v);
        if constexpr (normalised)
            d *= over_c;
        d = row.only_inside(d, v, last, 1);
        range.variance(d);
        const F32 e = one ? kept : F32::load(scratch + v * lanes);
        const F32 a = (row.one_minus * e + inverse_sum) / (e * d);
        range.alpha(row.only_inside(a, v, last, 1));
        a.store(alpha + v * lanes);
    }
}

constexpr std::size_t row_chunk_numbers = 16384;   // numbers per task: a few microseconds

template <class T>
std::size_t checked_rows(const LogitRows<T>& logits, std::size_t out)
{
    const auto K = static_cast<std::size_t>(std::max(0, logits.n_classes));
    if (K < 2)
        throw Error("Laplace bridge: " + std::to_string(K) + (K == 1 ? " class" : " classes")
                    + " found, expected at least 2.");
    const std::size_t n = logits.mu.size() / K;
    if (logits.mu.size() != n * K || logits.variance.size() != n * K
        || (!logits.row_sum.empty() && logits.row_sum.size() != n * K) || out != n * K)
        throw Error("Laplace bridge: " + std::to_string(logits.mu.size()) + " means, "
                    + std::to_string(logits.variance.size()) + " variances, " + std::to_string(logits.row_sum.size())
                    + " row sums and space for " + std::to_string(out)
                    + " results found, expected the same number of rows of " + std::to_string(K) + " classes.");
    return n;
}

template <class T>
void bridge_careful(const LogitRows<T>& logits, std::size_t i, BridgeVariant variant, double* log_alpha)
{
    const auto K    = static_cast<std::size_t>(logits.n_classes);
    const auto part = [&](std::span<const T> values) {
        return std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(i * K),
                                   values.begin() + static_cast<std::ptrdiff_t>((i + 1) * K));
    };
    try {
        const LogDirichlet out = bridge(corrected(part(logits.mu), part(logits.variance),
                                                  part(logits.row_sum.empty() ? logits.variance : logits.row_sum),
                                                  variant));
        std::copy(out.log_alpha.begin(), out.log_alpha.end(), log_alpha);
    } catch (const Error& error) {
        throw Error("Row " + std::to_string(i) + ": " + error.what());
    }
}

void bridge_careful(const LogitRows<float>& logits, std::size_t i, BridgeVariant variant, float* alpha)
{
    const auto K = static_cast<std::size_t>(logits.n_classes);
    std::vector<double> log_alpha(K);
    bridge_careful(logits, i, variant, log_alpha.data());
    for (std::size_t k = 0; k < K; ++k) {
        alpha[k] = static_cast<float>(std::exp(log_alpha[k]));
        if (!(alpha[k] > 0 && alpha[k] < INFINITY))
            throw Error("Row " + std::to_string(i) + ": Laplace bridge: ln alpha of class " + std::to_string(k) + " is "
                        + number_text(log_alpha[k], 6)
                        + ", expected a number between -103 and 88 in single precision.");
    }
}

template <BridgeVariant variant, bool diagonal, bool one>
void bridge_chunk(const LogitRows<float>& logits, std::size_t begin, std::size_t end, std::span<float> alpha)
{
    const auto K = static_cast<std::size_t>(logits.n_classes);
    const Row row(logits.n_classes);
    const auto padded = static_cast<std::size_t>(row.n_vectors) * lanes;
    std::vector<float> scratch(one ? 0 : padded), tail(4 * padded);
    // The last rows of a chunk use separate memory: vectors extend beyond a row's end, into memory
    // of another task.
    const std::size_t in_place_end = end - std::min(end - begin, (padded - K + K - 1) / K);
    const auto* sums               = diagonal ? nullptr : logits.row_sum.data();
    FastRange range;
    for (std::size_t i = begin; i < in_place_end; ++i)
        bridge_row<variant, diagonal, one>(row, &logits.mu[i * K], &logits.variance[i * K],
                                           diagonal ? nullptr : sums + i * K, &alpha[i * K], scratch.data(), range);
    for (std::size_t i = in_place_end; i < end; ++i) {
        std::copy_n(&logits.mu[i * K], K, &tail[0]);
        std::copy_n(&logits.variance[i * K], K, &tail[padded]);
        if (!diagonal)
            std::copy_n(sums + i * K, K, &tail[2 * padded]);
        bridge_row<variant, diagonal, one>(row, &tail[0], &tail[padded], &tail[2 * padded], &tail[3 * padded],
                                           scratch.data(), range);
        std::copy_n(&tail[3 * padded], K, &alpha[i * K]);
    }
    if (range.left())
        for (std::size_t i = begin; i < end; ++i)
            bridge_careful(logits, i, variant, &alpha[i * K]);
}

template <BridgeVariant variant>
void bridge_all(const LogitRows<float>& logits, std::span<float> alpha, std::size_t n)
{
    const auto K        = static_cast<std::size_t>(logits.n_classes);
    const bool diagonal = logits.row_sum.empty(), one = K <= lanes;
    parallel_chunks(n, std::max<std::size_t>(1, row_chunk_numbers / K), [&](std::size_t begin, std::size_t end) {
        if (one)
            (diagonal ? bridge_chunk<variant, true, true> : bridge_chunk<variant, false, true>)(logits, begin, end,
                                                                                                alpha);
        else
            (diagonal ? bridge_chunk<variant, true, false> : bridge_chunk<variant, false, false>)(logits, begin, end,
                                                                                                  alpha);
    });
}

}   // namespace

void bridge_rows(const LogitRows<float>& logits, BridgeVariant variant, std::span<float> alpha)
{
    const std::size_t n = checked_rows(logits, alpha.size());
    switch (variant) {
    case BridgeVariant::plain: return bridge_all<BridgeVariant::plain>(logits, alpha, n);
    case BridgeVariant::conditioned: return bridge_all<BridgeVariant::conditioned>(logits, alpha, n);
    case BridgeVariant::projected: return bridge_all<BridgeVariant::projected>(logits, alpha, n);
    case BridgeVariant::conditioned_normalised:
        return bridge_all<BridgeVariant::conditioned_normalised>(logits, alpha, n);
    case BridgeVariant::projected_normalised: return bridge_all<BridgeVariant::projected_normalised>(logits, alpha, n);
    }
}

void bridge_rows_log(const LogitRows<double>& logits, BridgeVariant variant, std::span<double> log_alpha)
{
    const std::size_t n = checked_rows(logits, log_alpha.size());
    const auto K        = static_cast<std::size_t>(logits.n_classes);
    parallel_chunks(n, std::max<std::size_t>(1, row_chunk_numbers / 8 / K), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            bridge_careful(logits, i, variant, &log_alpha[i * K]);
    });
}

}   // namespace credence
