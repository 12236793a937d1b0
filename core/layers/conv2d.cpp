// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/conv2d.h"

#include "foundation/aligned_vector.h"
#include "layers/column_gradients.h"
#include "layers/convolution.h"
#include "layers/stage.h"

#include <algorithm>
#include <cassert>
#include <functional>

namespace credence {
namespace {

constexpr long long largest_patches = 67'108'864;   // numbers of one example's patches

/// db (+)= sums of the first n numbers of the channels of dz.
template <class T>
void bias_gradient(Planes<T> dz, int filters, int n, T* db, bool add)
{
    for (int f = 0; f < filters; ++f) {
        const T* row = dz.plane(f, 0);
        T sum        = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < n; ++i)
            sum += row[i];
        db[f] = add ? db[f] + sum : sum;
    }
}

/// The kernels in the layout for ColumnPass.
template <class T>
struct TransposedKernels final : StageMemory {
    std::optional<TransposedConvolution<T>> convolution;
};

template <class T>
class ConvolutionStage final : public Stage<T> {
public:
    ConvolutionStage(const Conv2d& conv, const StagePlace& place)
        : Stage<T>(place), shape_{place.in, place.out, conv.kernel, conv.stride, conv.padding}, weights_(place.weights),
          biases_(place.biases)
    {
        if (MinimalFiltering<T>::pays(shape_))
            filtering_.emplace(shape_);
    }

    bool has_weights() const override { return true; }
    bool reads_maxima() const override { return true; }
    bool reads_rows() const override { return true; }
    bool absorb_activation(ActivationKind kind) override
    {
        if (activation_ != ActivationKind::identity)
            return false;
        activation_ = kind;
        return true;
    }
    long working_set() const override { return static_cast<long>(shape_.patch()) * shape_.places(); }
    std::unique_ptr<StageMemory> memory(int) const override { return std::make_unique<TransposedKernels<T>>(); }
    ScratchSize scratch(int examples) const override
    {
        return {std::max(shape_.template matrix_size<T>(examples)
                             + 64 / sizeof(T),   // the last vector of an image's columns can extend beyond it
                         filtering_ ? filtering_->inputs_size() + filtering_->scratch_size() : 0),
                shape_.scratch_size(examples)};
    }
    bool prepare_inputs(const StagePass<T>& pass, Planes<const T> x, int most_images) const override
    {
        StageScratch<T>& scratch = *pass.scratch;
        if (filtering_) {
            const std::size_t size = filtering_->inputs_size();
            scratch.columns_of_inputs.resize(static_cast<std::size_t>(most_images) * size);
            for (int b = 0; b < pass.n; ++b)
                filtering_->transform(x, b, scratch.columns_of_inputs.data() + static_cast<std::size_t>(b) * size,
                                      scratch.columns.data());
        } else {
            scratch.columns_of_inputs.resize(this->scratch(most_images).columns);
            patches_to_columns(shape_, x, pass.n, scratch.columns_of_inputs.data(), scratch.inner.data());
        }
        return true;
    }

    void forward(const StagePass<T>& pass, Planes<const T> x, Planes<T> y) const override
    {
        const int places = shape_.places(), channels = shape_.out.channels;
        if (filtering_)
            filter(pass, x, y);
        else
            multiply(pass, x, y);
        if (activation_ == ActivationKind::identity)
            return;
        for (int c = 0; c < channels; ++c)
            for (int b = 0; b < pass.n; ++b)
                activate(activation_, y.plane(c, b), static_cast<std::size_t>(places));
    }

    void backward(const StagePass<T>& pass, Planes<const T> x, Planes<const T> y, Planes<T> dy, Planes<T> dx,
                  WeightSums<T> sums) const override
    {
        const int channels = shape_.out.channels, n = pass.n * shape_.places();
        through_activation(y, dy, pass.n);   // now dz
        if (sums.gradient) {
            kernel_gradient(pass, x, dy, sums.gradient, sums.add ? Begin::c : Begin::zero);
            bias_gradient(dy, channels, n, sums.gradient + biases_, sums.add);
        }
        if (dx.data)
            input_gradient(pass, pass.weights, dy, dx);
    }

    void tangents(const StagePass<T>& pass, Planes<const T> x, Planes<const T> y,
                  std::span<const Direction<T>> directions, bool inputs_move) const override
    {
        StageScratch<T>& scratch = *pass.scratch;
        const auto product       = [&](const T* weights, Planes<T> dy, Begin begin, const T* start) {
            wide_product(kernels(weights), scratch.columns.data(), shape_.template columns_row<T>(pass.n), dy.data,
                               dy.channel, shape_.out.channels, shape_.patch(), pass.n * shape_.places(), begin, start);
        };
        if (std::any_of(directions.begin(), directions.end(), [](const auto& d) { return d.along; }))
            patches_to_columns(shape_, x, pass.n, scratch.columns.data(), scratch.inner.data());
        for (const Direction<T>& d : directions)
            if (d.along)
                product(d.along, d.dy, Begin::rows, d.along + biases_);
        for (const Direction<T>& d : directions) {
            if (inputs_move) {
                patches_to_columns<T>(shape_, d.dx, pass.n, scratch.columns.data(), scratch.inner.data());
                product(pass.weights, d.dy, d.along ? Begin::c : Begin::zero, nullptr);
            }
            through_activation(y, d.dy, pass.n);
        }
    }

    void second_order(const StagePass<T>& pass, Planes<const T> /*x*/, Planes<const T> /*y*/, Planes<const T> dy,
                      SecondOrder<T> add) const override
    {
        assert(activation_ == ActivationKind::identity);
        if (add.gradient && add.u.data)
            kernel_gradient(pass, add.u, dy, add.gradient, Begin::c);
        if (!add.dx.data || !add.along)
            return;
        const ImageShape in   = this->in();
        const Planes<T> moved = image_by_image(
            sized(pass.scratch->input_gradient, static_cast<std::size_t>(pass.n) * in.size()), in);
        input_gradient(pass, add.along, dy, moved);
        for_each_run(
            in, pass.n,
            [](const T* from, T* to, std::size_t n) { std::transform(from, from + n, to, to, std::plus{}); },
            Planes<const T>(moved), add.dx);
    }

    void prepare_columns(const T* weights, StageMemory* memory) const override
    {
        static_cast<TransposedKernels<T>*>(memory)->convolution.emplace(shape_, weights + weights_);
    }
    bool columns(ColumnPass<T>& pass, Planes<const T> x, Planes<const T> y, Planes<T> dy, Planes<T> dx) const override
    {
        ColumnScratch<T>& scratch = *pass.scratch;
        if (!scratch.after_maxima) {
            through_activation(Planes<const T>{y.data, y.channel, 0}, dy,
                               pass.columns);   // the one example is paired with every column
            scratch.before.set(shape_, dy, pass.columns);
        }
        scratch.after_maxima = false;
        pass.reader->convolution(pass.layer, pass.group, pass.example, shape_, x, scratch.before);
        if (!pass.lowest)
            static_cast<TransposedKernels<T>*>(pass.memory)->convolution->run(scratch.before, dx, scratch.pixels);
        return true;
    }
    void through_activation(Planes<const T> y, Planes<T> dy, int places, int images) const override
    {
        if (activation_ == ActivationKind::identity)
            return;
        for (int c = 0; c < shape_.out.channels; ++c)
            for (int b = 0; b < images; ++b)
                multiply_by_derivative(activation_, y.plane(c, b), dy.plane(c, b), static_cast<std::size_t>(places));
    }

private:
    /// Computes the pre-activations with fewer multiplications.
    void filter(const StagePass<T>& pass, Planes<const T> x, Planes<T> y) const
    {
        StageScratch<T>& scratch = *pass.scratch;
        const std::size_t size   = filtering_->inputs_size();
        T *own = scratch.columns.data(), *working = own + size;
        for (int b = 0; b < pass.n; ++b) {
            const T* inputs = own;
            if (pass.inputs_prepared)
                inputs = scratch.columns_of_inputs.data() + static_cast<std::size_t>(b) * size;
            else
                filtering_->transform(x, b, own, working);
            filtering_->run(pass.weights + weights_, pass.weights + biases_, inputs, y, b, working);
        }
    }
    /// Computes the pre-activations as a matrix product.
    void multiply(const StagePass<T>& pass, Planes<const T> x, Planes<T> y) const
    {
        StageScratch<T>& scratch = *pass.scratch;
        const int places         = shape_.places();
        const T* columns         = (pass.inputs_prepared ? scratch.columns_of_inputs : scratch.columns).data();
        if (!pass.inputs_prepared)
            patches_to_columns(shape_, x, pass.n, scratch.columns.data(), scratch.inner.data());
        const bool apart = y.channel == places;   // image by image
        const int n      = apart ? places : pass.n * places;
        for (int b = 0; b < (apart ? pass.n : 1); ++b)
            wide_product(kernels(pass.weights), columns + std::ptrdiff_t{b} * places,
                         shape_.template columns_row<T>(pass.n), y.plane(0, b), y.channel, shape_.out.channels,
                         shape_.patch(), n, Begin::rows, pass.weights + biases_);
    }
    /// Computes dL/d kernels from dz = dL/d pre-activations, in channels_as_rows.
    void kernel_gradient(const StagePass<T>& pass, Planes<const T> x, Planes<const T> dz, T* gradient,
                         Begin begin) const
    {
        StageScratch<T>& scratch = *pass.scratch;
        patches_to_rows(shape_, x, pass.n, scratch.columns.data(), scratch.inner.data());
        wide_product(Strided<T>{dz.data, dz.channel}, scratch.columns.data(), shape_.template rows_row<T>(),
                     gradient + weights_, shape_.patch(), shape_.out.channels, pass.n * shape_.places(), shape_.patch(),
                     begin);
    }
    void input_gradient(const StagePass<T>& pass, const T* weights, Planes<const T> dz, Planes<T> dx) const
    {
        StageScratch<T>& scratch = *pass.scratch;
        wide_product(Strided<T>{weights + weights_, 1, shape_.patch()}, dz.data, dz.channel,
                     scratch.column_gradient.data(), shape_.template columns_row<T>(pass.n), shape_.patch(),
                     shape_.out.channels, pass.n * shape_.places(), Begin::zero);
        columns_to_patches(shape_, scratch.column_gradient.data(), pass.n, dx, scratch.inner.data());
    }
    Strided<T> kernels(const T* weights) const { return {weights + weights_, shape_.patch()}; }
    /// Turns dy into dz.
    void through_activation(Planes<const T> y, Planes<T> dy, int images) const
    {
        through_activation(y, dy, shape_.places(), images);
    }

    ConvolutionShape shape_;
    std::size_t weights_, biases_;   // offsets of the blocks
    std::optional<MinimalFiltering<T>> filtering_;
    ActivationKind activation_ = ActivationKind::identity;
};

}   // namespace

void Conv2d::pass(Flow& flow) const
{
    flow.require_image("a convolution");
    flow.require_range("filters", filters, 1, largest_width);
    flow.require_range("the kernel", kernel, 1, largest_side);
    flow.require_range("the stride", stride, 1, largest_side);
    flow.require_range("the padding", padding, 0, largest_side);
    const ImageShape in = flow.shape;
    if (kernel > in.height + 2 * padding || kernel > in.width + 2 * padding)
        flow.refuse("the kernel " + std::to_string(kernel) + "×" + std::to_string(kernel) + " is larger than the image "
                    + text_of(in) + " with padding " + std::to_string(padding) + ".");
    const long long patch = static_cast<long long>(in.channels) * kernel * kernel;
    flow.saved.step       = stride;
    flow.become_image(filters, (in.height + 2 * padding - kernel) / stride + 1,
                      (in.width + 2 * padding - kernel) / stride + 1);
    const long long places = static_cast<long long>(flow.shape.height) * flow.shape.width;
    if (patch > largest_patches / places || patch * filters > largest_network)
        flow.refuse("its patches or kernels would not fit into memory: " + std::to_string(patch) + " numbers each.");
    flow.add_weights(static_cast<long long>(filters) * (patch + 1));
}

LayerWeights Conv2d::layer_weights(ImageShape in, ImageShape out) const
{
    return {"conv", in.channels * kernel * kernel, filters, filters * kernel * kernel,
            ConvolutionShape{in, out, kernel, stride, padding}};
}

std::string Conv2d::text() const
{
    std::string text = "conv " + std::to_string(filters) + " " + std::to_string(kernel);
    if (stride != 1)
        text += " stride " + std::to_string(stride);
    if (padding != 0)
        text += " pad " + std::to_string(padding);
    return text;
}

std::optional<Conv2d> Conv2d::from_text(LayerWords& words)
{
    if (!words.take("conv"))
        return std::nullopt;
    Conv2d conv;
    conv.filters = words.whole("the number of filters");
    conv.kernel  = words.whole("the size of the kernel");
    while (words.more()) {
        const std::string_view option = words.take();
        if (option == "stride")
            conv.stride = words.whole("the stride");
        else if (option == "pad" || option == "padding")
            conv.padding = words.whole("the padding");
        else
            words.refuse("expected stride or pad in place of '" + std::string(option) + "'.");
    }
    return conv;
}

template <class T>
std::unique_ptr<Stage<T>> Conv2d::stage(const StagePlace& place) const
{
    return std::make_unique<ConvolutionStage<T>>(*this, place);
}
template std::unique_ptr<Stage<float>> Conv2d::stage(const StagePlace&) const;
template std::unique_ptr<Stage<double>> Conv2d::stage(const StagePlace&) const;

}   // namespace credence
