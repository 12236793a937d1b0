// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/pool.h"

#include "foundation/simd_vector.h"
#include "layers/stage.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace credence {
namespace {

/// `lanes` values of T, with integers and window positions alongside, as compiler vectors, which
/// work with any instruction set.
template <class T, int lanes>
struct Vectors {
    using Integer = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    typedef T Values __attribute__((vector_size(lanes * sizeof(T))));
    typedef Integer Integers __attribute__((vector_size(lanes * sizeof(T))));
    typedef PlaceInWindow Places __attribute__((vector_size(lanes * sizeof(PlaceInWindow))));

    template <class Vector>
    static Vector load(const void* from)
    {
        Vector v;
        std::memcpy(&v, from, sizeof v);
        return v;
    }
    template <class Vector>
    static void store(void* to, Vector v)
    {
        std::memcpy(to, &v, sizeof v);
    }
    /// Returns every second of the 2 · lanes values at `from`, starting with index `first`.
    template <int first>
    static Values every_other(const T* from)
    {
        return credence::every_other<first>(load<Values>(from), load<Values>(from + lanes));
    }
};

/// Maxima of the 2 × 2 windows in two rows, `lanes` windows at once, from column c as far as whole
/// vectors fit.
template <int lanes, class T>
int maxima(const T* upper, const T* lower, int c, int columns, T* y, PlaceInWindow* place)
{
    using V        = Vectors<T, lanes>;
    using Values   = typename V::Values;
    using Integers = typename V::Integers;
    for (; c + lanes <= columns; c += lanes) {
        Values best = V::template every_other<0>(upper + 2 * c);
        Integers at{};
        const auto challenge = [&](Values value, int number) {
            const auto larger = ~(value <= best) & (best == best);   // NaN replaces any number and is never replaced
            best              = larger ? value : best;
            at                = larger ? Integers{} + number : at;
        };
        challenge(V::template every_other<1>(upper + 2 * c), 1);
        challenge(V::template every_other<0>(lower + 2 * c), 2);
        challenge(V::template every_other<1>(lower + 2 * c), 3);
        V::store(y + c, best);
        V::store(place + c, __builtin_convertvector(at, typename V::Places));
    }
    return c;
}

/// The change in x at the maxima of those windows.
template <int lanes, class T>
int values_at_maxima(const T* upper, const T* lower, const PlaceInWindow* place, int c, int columns, T* y)
{
    using V        = Vectors<T, lanes>;
    using Values   = typename V::Values;
    using Integers = typename V::Integers;
    for (; c + lanes <= columns; c += lanes) {
        const Integers at    = __builtin_convertvector(V::template load<typename V::Places>(place + c), Integers);
        const Integers right = at & 1;
        const auto chosen    = [&](const T* row) {
            return right != 0 ? V::template every_other<1>(row + 2 * c) : V::template every_other<0>(row + 2 * c);
        };
        const Values above = chosen(upper), below = chosen(lower);
        V::store(y + c, at > 1 ? below : above);
    }
    return c;
}

/// The gradient for those windows.
template <int lanes, class T>
int gradients(const T* dy, const PlaceInWindow* place, int c, int columns, T* upper, T* lower)
{
    using V        = Vectors<T, lanes>;
    using Values   = typename V::Values;
    using Integers = typename V::Integers;
    for (; c + lanes <= columns; c += lanes) {
        const Values gradient = V::template load<Values>(dy + c);
        const Integers at     = __builtin_convertvector(V::template load<typename V::Places>(place + c), Integers);
        const auto where      = [&](int number) { return at == Integers{} + number ? gradient : Values{}; };
        const auto write      = [&](T* row, Values even, Values odd) {
            V::store(row + 2 * c, interleaved<0>(even, odd));
            V::store(row + 2 * c + lanes, interleaved<lanes>(even, odd));
        };
        write(upper, where(0), where(1));
        write(lower, where(2), where(3));
    }
    return c;
}

/// Calls step<lanes>(c), which returns the next column, for 16, 8, 4 and 1 windows at once, without
/// vectors that are wider than a register: g++ 12 moves those through memory.
template <class T, class Step>
void widest_first(Step step)
{
    int c              = 0;
    const auto at_once = [&]<int lanes>(std::integral_constant<int, lanes>) {
        if constexpr (lanes == 1 || lanes * sizeof(T) <= widest_register)
            c = step.template operator()<lanes>(c);
    };
    at_once(std::integral_constant<int, 16>{});
    at_once(std::integral_constant<int, 8>{});
    at_once(std::integral_constant<int, 4>{});
    at_once(std::integral_constant<int, 1>{});
}

/// Adjacent 2 × 2 windows completely inside the image.
template <class T>
void maxima_of_plane(const T* x, int in_width, int rows, int columns, T* y, PlaceInWindow* place)
{
    for (int r = 0; r < rows; ++r, x += 2 * in_width, y += columns, place += columns)
        widest_first<T>([&]<int lanes>(int c) { return maxima<lanes>(x, x + in_width, c, columns, y, place); });
}
template <class T>
void values_at_maxima_of_plane(const T* x, const PlaceInWindow* place, int in_width, int rows, int columns, T* y)
{
    for (int r = 0; r < rows; ++r, x += 2 * in_width, y += columns, place += columns)
        widest_first<T>(
            [&]<int lanes>(int c) { return values_at_maxima<lanes>(x, x + in_width, place, c, columns, y); });
}
template <class T>
void gradients_of_plane(const T* dy, const PlaceInWindow* place, int in_width, int rows, int columns, T* dx)
{
    for (int r = 0; r < rows; ++r, dx += 2 * in_width, dy += columns, place += columns)
        widest_first<T>([&]<int lanes>(int c) { return gradients<lanes>(dy, place, c, columns, dx, dx + in_width); });
}

/// Rows and columns of one clipped window.
struct Window {
    int row, row_end, column, column_end;
    int area() const { return (row_end - row) * (column_end - column); }
};
Window window_of(const PoolingShape& s, int r, int c)
{
    const int row = r * s.pool.stride, column = c * s.pool.stride;
    return {row, std::min(row + s.pool.kernel, s.in.height), column, std::min(column + s.pool.kernel, s.in.width)};
}

/// Calls body(output number, window) for each output of a plane, row by row.
template <class Body>
void for_each_window(const PoolingShape& s, Body body)
{
    for (int r = 0; r < s.out.height; ++r)
        for (int c = 0; c < s.out.width; ++c)
            body(r * s.out.width + c, window_of(s, r, c));
}

bool is_pairs(const PoolingShape& s)
{
    return s.pool.kernel == 2 && s.pool.stride == 2 && s.in.height == 2 * s.out.height && s.in.width == 2 * s.out.width;
}

}   // namespace

template <class T>
void pool_forward(const PoolingShape& s, Planes<const T> x, int images, Planes<T> y, PlaceInWindow* place)
{
    const int width             = s.in.width;
    const std::ptrdiff_t places = std::ptrdiff_t{s.out.height} * s.out.width;
    for (int channel = 0; channel < s.in.channels; ++channel)
        for (int b = 0; b < images; ++b) {
            const T* in = x.plane(channel, b);
            T* out      = y.plane(channel, b);
            if (s.pool.kind == Pool::Kind::average) {
                for_each_window(s, [&](int o, Window w) {
                    T sum = 0;
                    for (int r = w.row; r < w.row_end; ++r)
                        for (int c = w.column; c < w.column_end; ++c)
                            sum += in[r * width + c];
                    out[o] = sum / static_cast<T>(w.area());
                });
                continue;
            }
            if (is_pairs(s)) {
                maxima_of_plane(in, width, s.out.height, s.out.width, out, place);
            } else {
                for_each_window(s, [&](int o, Window w) {
                    T best           = in[w.row * width + w.column];
                    PlaceInWindow at = 0;
                    for (int r = w.row; r < w.row_end; ++r)
                        for (int c = w.column; c < w.column_end; ++c)
                            if (const T value = in[r * width + c]; !(value <= best) && best == best) {   // as above
                                best = value;
                                at   = static_cast<PlaceInWindow>((r - w.row) * s.pool.kernel + c - w.column);
                            }
                    out[o]   = best;
                    place[o] = at;
                });
            }
            place += places;
        }
}

template <class T>
void pool_tangent(const PoolingShape& s, Planes<const T> dx, const PlaceInWindow* place, int images, Planes<T> dy)
{
    if (s.pool.kind == Pool::Kind::average)
        return pool_forward(s, dx, images, dy, nullptr);
    for (int channel = 0; channel < s.in.channels; ++channel)
        for (int b = 0; b < images; ++b, place += std::ptrdiff_t{s.out.height} * s.out.width) {
            const T* in = dx.plane(channel, b);
            T* out      = dy.plane(channel, b);
            if (is_pairs(s))
                values_at_maxima_of_plane(in, place, s.in.width, s.out.height, s.out.width, out);
            else
                for_each_window(s, [&](int o, Window w) {
                    out[o] = in[(w.row + place[o] / s.pool.kernel) * s.in.width + w.column + place[o] % s.pool.kernel];
                });
        }
}

template <class T>
void pool_backward(const PoolingShape& s, Planes<const T> dy, const PlaceInWindow* place, int images, Planes<T> dx)
{
    const int width             = s.in.width;
    const std::ptrdiff_t places = std::ptrdiff_t{s.out.height} * s.out.width;
    for (int channel = 0; channel < s.in.channels; ++channel)
        for (int b = 0; b < images; ++b) {
            const T* out = dy.plane(channel, b);
            T* in        = dx.plane(channel, b);
            if (s.pool.kind == Pool::Kind::maximum && is_pairs(s)) {
                gradients_of_plane(out, place, width, s.out.height, s.out.width, in);
                place += places;
                continue;
            }
            std::fill_n(in, s.in.height * width, T(0));
            if (s.pool.kind == Pool::Kind::maximum) {
                for_each_window(s, [&](int o, Window w) {
                    in[(w.row + place[o] / s.pool.kernel) * width + w.column + place[o] % s.pool.kernel] += out[o];
                });
                place += places;
            } else {
                for_each_window(s, [&](int o, Window w) {
                    const T share = out[o] / static_cast<T>(w.area());
                    for (int r = w.row; r < w.row_end; ++r)
                        for (int c = w.column; c < w.column_end; ++c)
                            in[r * width + c] += share;
                });
            }
        }
}

template void pool_forward(const PoolingShape&, Planes<const float>, int, Planes<float>, PlaceInWindow*);
template void pool_forward(const PoolingShape&, Planes<const double>, int, Planes<double>, PlaceInWindow*);
template void pool_tangent(const PoolingShape&, Planes<const float>, const PlaceInWindow*, int, Planes<float>);
template void pool_tangent(const PoolingShape&, Planes<const double>, const PlaceInWindow*, int, Planes<double>);
template void pool_backward(const PoolingShape&, Planes<const float>, const PlaceInWindow*, int, Planes<float>);
template void pool_backward(const PoolingShape&, Planes<const double>, const PlaceInWindow*, int, Planes<double>);

namespace {

constexpr int largest_window = 255;

/// Positions of the maxima: chunk by chunk, channel by channel.
struct Maxima final : StageMemory {
    explicit Maxima(std::size_t size) : places(size) {}
    std::vector<PlaceInWindow> places;
};

template <class T>
class PoolStage final : public WeightlessStage<T> {
public:
    PoolStage(const Pool& pool, const StagePlace& place) : WeightlessStage<T>(place), shape_{place.in, place.out, pool}
    {}

    std::unique_ptr<StageMemory> memory(int max_batch) const override
    {
        return std::make_unique<Maxima>(is_maximum() ? static_cast<std::size_t>(max_batch) * this->out().size() : 0);
    }
    void forward(const StagePass<T>& pass, Planes<const T> x, Planes<T> y) const override
    {
        pool_forward(shape_, x, pass.n, y, maxima(pass.memory, pass.first));
    }
    void backward(const StagePass<T>& pass, Planes<const T>, Planes<const T>, Planes<T> dy, Planes<T> dx,
                  WeightSums<T>) const override
    {
        pool_backward<T>(shape_, dy, maxima(pass.memory, pass.first), pass.n, dx);
    }
    bool columns(ColumnPass<T>& pass, Planes<const T>, Planes<const T> y, Planes<T> dy, Planes<T> dx) const override
    {
        ColumnScratch<T>& scratch = *pass.scratch;
        const int places          = shape_.out.height * shape_.out.width;
        if (is_maximum()) {
            scratch.places.resize(std::max(scratch.places.size(), static_cast<std::size_t>(shape_.out.size())));
            const PlaceInWindow* all = maxima(pass.memory, pass.first);
            for (int c = 0; c < shape_.out.channels; ++c)
                std::copy_n(all + (std::ptrdiff_t{c} * pass.n + pass.in_chunk()) * places, places,
                            scratch.places.data() + std::ptrdiff_t{c} * places);
            if (pass.below && pass.below->reads_maxima() && !ColumnGradients<T>::overlap(shape_.pool)) {
                pass.below->through_activation({y.data, y.channel, 0}, dy, places,
                                               pass.columns);   // y at a maximum is the output of the pooling
                scratch.before.set_after_maxima(shape_, dy, scratch.places.data(), pass.columns);
                scratch.after_maxima = true;
                return false;
            }
        }
        for (int c = 0; c < pass.columns; ++c)
            pool_backward<T>(shape_, only_image(Planes<const T>(dy), c), scratch.places.data(), 1, only_image(dx, c));
        return true;
    }

private:
    void tangent(const StagePass<T>& pass, Planes<const T>, Planes<const T> dx, Planes<T> dy) const override
    {
        pool_tangent<T>(shape_, dx, maxima(pass.memory, pass.first), pass.n, dy);
    }
    bool is_maximum() const { return shape_.pool.kind == Pool::Kind::maximum; }
    PlaceInWindow* maxima(StageMemory* memory, int first) const
    {
        return static_cast<Maxima*>(memory)->places.data()
               + (is_maximum() ? std::ptrdiff_t{first} * shape_.out.size() : 0);
    }

    PoolingShape shape_;
};

}   // namespace

void Pool::pass(Flow& flow) const
{
    flow.require_image("pooling");
    flow.require_range("the window", kernel, 1, largest_window);
    flow.require_range("the stride", stride, 1, largest_side);
    const auto side = [&](int in) {
        const int gap = in - kernel;
        int out       = (gap >= 0 ? (gap + stride - 1) / stride : -(-gap / stride)) + 1;
        if (out > 1 && (out - 1) * stride >= in)
            --out;   // the last window would start beyond the border
        return out;
    };
    const int height = side(flow.shape.height), width = side(flow.shape.width);
    if (height < 1 || width < 1)
        flow.refuse("the window " + std::to_string(kernel) + "×" + std::to_string(kernel) + " is larger than the image "
                    + text_of(flow.shape) + ".");
    flow.saved.step = stride;
    flow.become_image(flow.shape.channels, height, width);
}

std::string Pool::text() const
{
    const std::string text = (kind == Kind::maximum ? "max " : "average ") + std::to_string(kernel);
    return stride == kernel ? text : text + " " + std::to_string(stride);
}

std::optional<Pool> Pool::from_text(LayerWords& words)
{
    Pool pool;
    if (words.take("average"))
        pool.kind = Kind::average;
    else if (!words.take("max"))
        return std::nullopt;
    pool.kernel = words.whole("the size of the window");
    words.take("stride");
    pool.stride = words.more() ? words.whole("the stride") : pool.kernel;
    return pool;
}

Pool Pool::from_json(const LayerJson& json)
{
    const std::string kind = json.word(json_name);
    if (kind != "maximum" && kind != "average")
        json.refuse("found the pooling '" + kind + "', expected maximum or average.");
    return {kind == "maximum" ? Kind::maximum : Kind::average, json.whole("kernel"), json.whole("stride")};
}

template <class T>
std::unique_ptr<Stage<T>> Pool::stage(const StagePlace& place) const
{
    return std::make_unique<PoolStage<T>>(*this, place);
}
template std::unique_ptr<Stage<float>> Pool::stage(const StagePlace&) const;
template std::unique_ptr<Stage<double>> Pool::stage(const StagePlace&) const;

}   // namespace credence
