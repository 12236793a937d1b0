// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/image_front.h"

#include "foundation/parallel.h"
#include "network/activations.h"
#include "network/normalisation.h"

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

constexpr long numbers_at_once = 131072;   // of the widest columns of one chunk: what backward needs of them stays in the L2 cache
constexpr int  images_at_most = 8;
constexpr int  most_groups = 8;            // chunks whose weight gradients are added by one task

int places_of(ImageShape shape) { return shape.height * shape.width; }

/// Convolutions, pooling and normalisation need images; everything before the last of them belongs to the front.
std::size_t front_length(const Architecture& architecture)
{
    for (std::size_t l = architecture.layers.size(); l-- > 0;) {
        const Layer& layer = architecture.layers[l];
        if (std::holds_alternative<Conv2d>(layer) || std::holds_alternative<Pool>(layer) || std::holds_alternative<ResponseNorm>(layer)) return l + 1;
    }
    return 0;
}

/// db (+)= sums of the first n numbers of the channels of dz.
template <class T>
void bias_gradient(Planes<T> dz, int filters, int n, T* db, bool add)
{
    for (int f = 0; f < filters; ++f) {
        const T* row = dz.plane(f, 0);
        T sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < n; ++i) sum += row[i];
        db[f] = add ? db[f] + sum : sum;
    }
}

}  // namespace

/// Of one task at a time.
template <class T>
struct ImageFront<T>::Scratch {
    std::atomic<bool> lent{false};
    aligned_vector<T> columns, column_gradient;   // of the widest convolution
    aligned_vector<T> columns_of_inputs;          // kept from one weight vector to the next
    aligned_vector<T> planes;                     // padded images, or a normalisation's inner values
    aligned_vector<T> gradient[2];                // of the widest stage
    std::size_t       gradient_size = 0;
};

/// A scratch for the time of a task.
template <class T>
class ImageFront<T>::Loan {
public:
    explicit Loan(Memory& memory)
    {
        for (;;)
            for (auto& scratch : memory.scratch_)
                if (!scratch->lent.exchange(true, std::memory_order_acquire)) {
                    scratch_ = scratch.get();
                    return;
                }
    }
    ~Loan() { scratch_->lent.store(false, std::memory_order_release); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    Scratch& operator*() { return *scratch_; }

private:
    Scratch* scratch_ = nullptr;
};

template <class T>
ImageFront<T>::Memory::Memory() = default;
template <class T>
ImageFront<T>::Memory::~Memory() = default;
template <class T>
ImageFront<T>::Memory::Memory(Memory&&) noexcept = default;
template <class T>
typename ImageFront<T>::Memory& ImageFront<T>::Memory::operator=(Memory&&) noexcept = default;

template <class T>
ImageFront<T>::Memory::Memory(const ImageFront& front, int max_batch) : max_batch_(max_batch)
{
    const auto n = static_cast<std::size_t>(max_batch);
    output_gradient_.resize(n * front.size_);
    for (const Stage& stage : front.stages_) {
        const std::size_t size = n * stage.out.size();
        outputs_.emplace_back(size);
        masks_.emplace_back(stage.kind == Stage::Kind::dropout ? size : 0);
        places_.emplace_back(stage.kind == Stage::Kind::pooling && stage.pool.kind == Pool::Kind::maximum ? size : 0);
    }
}

template <class T>
ImageFront<T>::ImageFront(const Architecture& architecture) : length_(front_length(architecture))
{
    if (length_ == 0) return;
    const std::vector<ImageShape> shapes = shapes_of(architecture);
    ImageShape in = *architecture.image;
    long widest_columns = 1;
    first_convolution_ = length_;
    for (std::size_t l = 0; l < length_; ++l) {
        const Layer& layer = architecture.layers[l];
        Stage stage{Stage::Kind::activation, in, shapes[l]};
        if (const auto* conv = std::get_if<Conv2d>(&layer)) {
            stage.kind = Stage::Kind::convolution;
            stage.kernel = conv->kernel;
            stage.stride = conv->stride;
            stage.padding = conv->padding;
            const ConvolutionShape shape = stage.convolution();
            stage.weights = n_weights_;
            stage.biases = n_weights_ + static_cast<std::size_t>(conv->filters) * shape.patch();
            n_weights_ = stage.biases + conv->filters;
            ++n_weight_layers_;
            widest_columns = std::max(widest_columns, static_cast<long>(shape.patch()) * shape.places());
            first_convolution_ = std::min(first_convolution_, stages_.size());
        } else if (const auto* activation = std::get_if<Activation>(&layer)) {
            stage.activation = activation->kind;
            if (!stages_.empty() && stages_.back().kind == Stage::Kind::convolution && stages_.back().activation == ActivationKind::identity) {
                stages_.back().activation = activation->kind;
                continue;
            }
        } else if (const auto* dropout = std::get_if<Dropout>(&layer)) {
            stage.kind = Stage::Kind::dropout;
            stage.rate = dropout->rate;
        } else if (const auto* pool = std::get_if<Pool>(&layer)) {
            stage.kind = Stage::Kind::pooling;
            stage.pool = *pool;
        } else {
            stage.kind = Stage::Kind::normalisation;
            stage.norm = std::get<ResponseNorm>(layer);
        }
        stages_.push_back(stage);
        in = shapes[l];
    }
    size_ = in.size();
    images_at_once_ = static_cast<int>(std::clamp<long>(numbers_at_once / widest_columns, 1, images_at_most));
}

template <class T>
Planes<T> ImageFront<T>::output_of(std::size_t s, Chunk chunk, Memory& memory) const
{
    const ImageShape shape = stages_[s].out;
    const std::ptrdiff_t first = std::ptrdiff_t{chunk.first} * shape.size();
    return s + 1 == stages_.size() ? image_by_image(memory.output_ + first, shape) : channel_by_channel(memory.outputs_[s].data() + first, shape, chunk.images);
}

/// The output of the last stage below that did something.
template <class T>
Planes<const T> ImageFront<T>::input_of(std::size_t s, Chunk chunk, Memory& memory) const
{
    while (s-- > 0)
        if (stages_[s].kind != Stage::Kind::dropout || memory.dropped_) return output_of(s, chunk, memory);
    const ImageShape in = stages_.front().in;
    return image_by_image(memory.inputs_ + std::ptrdiff_t{chunk.first} * in.size(), in);
}

template <class T>
void ImageFront<T>::forward(const T* weights, Chunk chunk, Memory& memory, Scratch& scratch, const std::optional<DropoutNoise>& dropout) const
{
    const int images = chunk.images;
    bool sees_inputs = true;
    for (std::size_t s = 0; s < stages_.size(); ++s) {
        const Stage& stage = stages_[s];
        if (stage.kind == Stage::Kind::dropout && !dropout) continue;
        const Planes<const T> x = input_of(s, chunk, memory);
        const Planes<T> y = output_of(s, chunk, memory);
        const int channels = stage.out.channels, places = places_of(stage.out);
        switch (stage.kind) {
        case Stage::Kind::convolution: {
            const ConvolutionShape shape = stage.convolution();
            const bool kept = chunk.columns_stand && sees_inputs;
            const T* columns = (kept ? scratch.columns_of_inputs : scratch.columns).data();
            if (!kept) patches_to_columns(shape, x, images, scratch.columns.data(), scratch.planes.data());
            const Strided<T> kernels{weights + stage.weights, shape.patch()};
            const bool apart = s + 1 == stages_.size();   // image by image
            const int n = apart ? places : images * places;
            for (int b = 0; b < (apart ? images : 1); ++b)
                wide_product(kernels, columns + std::ptrdiff_t{b} * places, shape.columns_row<T>(images), y.plane(0, b), y.channel, channels,
                             shape.patch(), n, Begin::rows, weights + stage.biases);
            if (stage.activation != ActivationKind::identity)
                for (int c = 0; c < channels; ++c)
                    for (int b = 0; b < images; ++b) activate(stage.activation, y.plane(c, b), static_cast<std::size_t>(places));
            break;
        }
        case Stage::Kind::activation:
            for (int c = 0; c < channels; ++c)
                for (int b = 0; b < images; ++b) {
                    std::copy_n(x.plane(c, b), places, y.plane(c, b));
                    activate(stage.activation, y.plane(c, b), static_cast<std::size_t>(places));
                }
            break;
        case Stage::Kind::dropout: {
            const T rate = static_cast<T>(stage.rate), scale = static_cast<T>(1 / (1 - stage.rate));
            for (int b = 0; b < images; ++b) {
                const int row = chunk.first + b, size = stage.out.size();
                T* mask = memory.masks_[s].data() + std::ptrdiff_t{row} * size;
                uniforms(dropout->key, dropout->number(s, row, size), std::span<T>(mask, static_cast<std::size_t>(size)));
                for (int i = 0; i < size; ++i) mask[i] = mask[i] < rate ? T(0) : scale;
                for (int c = 0; c < channels; ++c) {
                    const T* __restrict in = x.plane(c, b);
                    T* __restrict out = y.plane(c, b);
                    for (int i = 0; i < places; ++i) out[i] = in[i] * mask[c * places + i];
                }
            }
            break;
        }
        case Stage::Kind::pooling:
            pool_forward(PoolingShape{stage.in, stage.out, stage.pool}, x, images, y,
                         memory.places_[s].data() + (stage.pool.kind == Pool::Kind::maximum ? std::ptrdiff_t{chunk.first} * stage.out.size() : 0));
            break;
        case Stage::Kind::normalisation:
            for (int c = 0; c < channels; ++c)
                for (int b = 0; b < images; ++b) normalise(stage.norm, stage.out.height, stage.out.width, x.plane(c, b), y.plane(c, b), scratch.planes.data());
            break;
        }
        sees_inputs = false;
    }
}

template <class T>
int ImageFront<T>::n_groups(int n) const
{
    return std::min(most_groups, (n + images_at_once_ - 1) / images_at_once_);
}

template <class T>
void ImageFront<T>::provide_scratch(Memory& memory, int count) const
{
    while (memory.scratch_.size() < static_cast<std::size_t>(count)) {
        auto scratch = std::make_unique<Scratch>();
        std::size_t columns = 0, planes = 0, gradient = 0;
        for (const Stage& stage : stages_) {
            for (const ImageShape shape : {stage.in, stage.out})
                gradient = std::max(gradient, static_cast<std::size_t>(shape.channels * spread_row<T>(std::ptrdiff_t{images_at_once_} * places_of(shape))));
            if (stage.kind == Stage::Kind::convolution) {
                const ConvolutionShape shape = stage.convolution();
                columns = std::max(columns, shape.matrix_size<T>(images_at_once_));
                planes = std::max(planes, shape.scratch_size(images_at_once_));
            } else if (stage.kind == Stage::Kind::normalisation) {
                planes = std::max(planes, static_cast<std::size_t>(4 * places_of(stage.out)));
            }
        }
        scratch->columns.resize(columns + 64 / sizeof(T));   // the last vector of an image's columns may reach into what follows
        scratch->planes.resize(planes);
        scratch->gradient_size = gradient;
        memory.scratch_.push_back(std::move(scratch));
    }
}

template <class T>
void ImageFront<T>::forward_draws(std::span<const T* const> weights, const T* inputs, int n, Memory& memory, std::span<const DropoutNoise> dropout,
                                  T* outputs) const
{
    provide_scratch(memory, 1);
    Scratch& scratch = *memory.scratch_[0];
    memory.dropped_ = !dropout.empty();
    const auto first_active = std::find_if(stages_.begin(), stages_.end(), [&](const Stage& s) { return s.kind != Stage::Kind::dropout || memory.dropped_; });
    const bool keep = first_active->kind == Stage::Kind::convolution;
    for (int first = 0; first < n; first += images_at_once_) {
        const Chunk chunk{0, std::min(images_at_once_, n - first), keep};
        memory.inputs_ = inputs + std::ptrdiff_t{first} * stages_.front().in.size();
        if (keep) {
            const ConvolutionShape shape = first_active->convolution();
            scratch.columns_of_inputs.resize(shape.matrix_size<T>(images_at_once_) + 64 / sizeof(T));
            patches_to_columns(shape, image_by_image(memory.inputs_, shape.in), chunk.images, scratch.columns_of_inputs.data(), scratch.planes.data());
        }
        for (std::size_t d = 0; d < weights.size(); ++d) {
            memory.output_ = outputs + (static_cast<std::ptrdiff_t>(d) * n + first) * size_;
            std::optional<DropoutNoise> noise;
            if (memory.dropped_) noise = DropoutNoise{dropout[d].key, dropout[d].first_row + static_cast<std::uint64_t>(first)};
            forward(weights[d], chunk, memory, scratch, noise);
        }
    }
}

template <class T>
const T* ImageFront<T>::forward(const T* weights, const T* inputs, int n, Memory& memory, const std::optional<DropoutNoise>& dropout) const
{
    memory.inputs_ = inputs;
    memory.output_ = memory.outputs_.back().data();
    memory.n_ = n;
    memory.dropped_ = dropout.has_value();
    provide_scratch(memory, concurrency());
    const int chunks = (n + images_at_once_ - 1) / images_at_once_;
    parallel_for(static_cast<std::size_t>(chunks), [&](std::size_t c) {
        const int first = static_cast<int>(c) * images_at_once_;
        Loan scratch(memory);
        forward(weights, Chunk{first, std::min(images_at_once_, n - first)}, memory, *scratch, dropout);
    });
    return memory.outputs_.back().data();
}

template <class T>
void ImageFront<T>::backward(const T* weights, Chunk chunk, Memory& memory, Scratch& scratch, T* weight_gradient, bool add, T* input_gradient) const
{
    const int images = chunk.images;
    Planes<const T> dy = image_by_image<const T>(memory.output_gradient_.data() + std::ptrdiff_t{chunk.first} * size_, stages_.back().out);
    int free = 0;   // the scratch that dy does not stand in
    for (std::size_t s = stages_.size(); s-- > (input_gradient ? 0 : first_convolution_);) {
        const Stage& stage = stages_[s];
        if (stage.kind == Stage::Kind::dropout && !memory.dropped_) continue;
        const Planes<const T> x = input_of(s, chunk, memory);
        const Planes<const T> y = output_of(s, chunk, memory);
        const int channels = stage.out.channels, places = places_of(stage.out);
        const Planes<T> dx = channels_as_rows(scratch.gradient[free].data(), stage.in, images);
        switch (stage.kind) {
        case Stage::Kind::convolution: {
            const ConvolutionShape shape = stage.convolution();
            const int n = images * places;
            const bool last = s + 1 == stages_.size();
            const Planes<T> dz = channels_as_rows(scratch.gradient[last ? free : 1 - free].data(), stage.out, images);   // dy, below the last stage
            if (last) {
                copy_planes<T>(dy, stage.out, images, dz);
                free = 1 - free;
            }
            if (stage.activation != ActivationKind::identity)
                for (int c = 0; c < channels; ++c)
                    for (int b = 0; b < images; ++b) multiply_by_derivative(stage.activation, y.plane(c, b), dz.plane(c, b), static_cast<std::size_t>(places));
            patches_to_rows(shape, x, images, scratch.columns.data(), scratch.planes.data());
            wide_product(Strided<T>{dz.data, dz.channel}, scratch.columns.data(), shape.rows_row<T>(), weight_gradient + stage.weights, shape.patch(), channels, n,
                         shape.patch(), add ? Begin::c : Begin::zero);
            bias_gradient(dz, channels, n, weight_gradient + stage.biases, add);
            if (s == first_convolution_ && !input_gradient) return;
            wide_product(Strided<T>{weights + stage.weights, 1, shape.patch()}, dz.data, dz.channel, scratch.column_gradient.data(), shape.columns_row<T>(images),
                         shape.patch(), channels, n, Begin::zero);
            const Planes<T> down = channels_as_rows(scratch.gradient[free].data(), stage.in, images);
            columns_to_patches(shape, scratch.column_gradient.data(), images, down, scratch.planes.data());
            dy = down;
            free = 1 - free;
            continue;
        }
        case Stage::Kind::activation:
            copy_planes<T>(dy, stage.in, images, dx);
            for (int c = 0; c < channels; ++c)
                for (int b = 0; b < images; ++b) multiply_by_derivative(stage.activation, y.plane(c, b), dx.plane(c, b), static_cast<std::size_t>(places));
            break;
        case Stage::Kind::dropout:
            for (int b = 0; b < images; ++b) {
                const T* mask = memory.masks_[s].data() + std::ptrdiff_t{chunk.first + b} * stage.out.size();
                for (int c = 0; c < channels; ++c) {
                    const T* __restrict out = dy.plane(c, b);
                    T* __restrict in = dx.plane(c, b);
                    for (int i = 0; i < places; ++i) in[i] = out[i] * mask[c * places + i];
                }
            }
            break;
        case Stage::Kind::pooling:
            pool_backward(PoolingShape{stage.in, stage.out, stage.pool}, dy,
                          memory.places_[s].data() + (stage.pool.kind == Pool::Kind::maximum ? std::ptrdiff_t{chunk.first} * stage.out.size() : 0), images, dx);
            break;
        case Stage::Kind::normalisation:
            for (int c = 0; c < channels; ++c)
                for (int b = 0; b < images; ++b)
                    normalise_backward(stage.norm, stage.out.height, stage.out.width, x.plane(c, b), dy.plane(c, b), dx.plane(c, b), scratch.planes.data());
            break;
        }
        dy = dx;
        free = 1 - free;
    }
    if (input_gradient) {
        const ImageShape in = stages_.front().in;
        copy_planes<T>(dy, in, images, image_by_image(input_gradient + std::ptrdiff_t{chunk.first} * in.size(), in));
    }
}

template <class T>
void ImageFront<T>::backward(const T* weights, Memory& memory, T* weight_gradient, T* input_gradient) const
{
    const int n = memory.n_, chunks = (n + images_at_once_ - 1) / images_at_once_, groups = n_groups(n);
    for (auto& scratch : memory.scratch_) {   // what a forward pass alone does not need
        scratch->column_gradient.resize(scratch->columns.size());
        for (auto& gradient : scratch->gradient) gradient.resize(scratch->gradient_size);
    }
    memory.weight_gradients_.resize(std::max(memory.weight_gradients_.size(), static_cast<std::size_t>(groups) * n_weights_));
    T* parts = memory.weight_gradients_.data();
    parallel_for(static_cast<std::size_t>(groups), [&](std::size_t g) {
        Loan scratch(memory);
        const int begin = static_cast<int>(g) * chunks / groups, end = (static_cast<int>(g) + 1) * chunks / groups;
        for (int c = begin; c < end; ++c) {
            const int first = c * images_at_once_;
            backward(weights, Chunk{first, std::min(images_at_once_, n - first)}, memory, *scratch, parts + g * n_weights_, c > begin, input_gradient);
        }
    });
    parallel_chunks(n_weights_, elementwise_chunk, [&](std::size_t begin, std::size_t end) {
        std::copy(parts + begin, parts + end, weight_gradient + begin);
        for (int g = 1; g < groups; ++g) {
            const T* part = parts + static_cast<std::size_t>(g) * n_weights_;
            for (std::size_t i = begin; i < end; ++i) weight_gradient[i] += part[i];
        }
    });
}

template <class T>
std::optional<int> ImageFront<T>::first_layer_not_finite(const Memory& memory) const
{
    int layer = 0;
    for (std::size_t s = 0; s < stages_.size(); ++s) {
        if (stages_[s].kind != Stage::Kind::convolution) continue;
        const T* out = memory.outputs_[s].data();
        if (!std::all_of(out, out + static_cast<std::size_t>(memory.n_) * stages_[s].out.size(), [](T value) { return std::isfinite(value); })) return layer;
        ++layer;
    }
    return std::nullopt;
}

template class ImageFront<float>;
template class ImageFront<double>;

}  // namespace credence
