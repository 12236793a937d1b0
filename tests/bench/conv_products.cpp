// SPDX-License-Identifier: GPL-3.0-or-later
#include "conv_products.h"

#include "foundation/aligned_vector.h"
#include "foundation/wide_product.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>

namespace credence::bench {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using In     = Eigen::Map<const Matrix, Eigen::Aligned64>;
using Out    = Eigen::Map<Matrix, Eigen::Aligned64>;

aligned_vector<float> image_numbers(std::size_t n)
{
    aligned_vector<float> v(n);
    for (std::size_t k = 0; k < n; ++k)
        v[k] = std::sin(0.7f * static_cast<float>(k % 7919));
    return v;
}

struct Way {
    int images;        // of one chunk
    bool transposed;   // images along the rows of the matrices
};

}   // namespace

/// One product of a convolution, its batch in chunks.
struct NetworkProducts::Job {
    enum class Kind { forward, weight_gradient, column_gradient, dense } kind;
    int filters = 0, patch = 0, places = 0, batch = 0;
    std::shared_ptr<BareProducts> dense;
    std::shared_ptr<aligned_vector<float>> columns, z, w, sums;
    Way way{4, false};
    int own_images = 4;   // of a chunk of wide products

    std::ptrdiff_t columns_of(int images) const   // of one chunk, for any of the layouts
    {
        return std::max(patch * padded_row<float>(images * places), images * places * padded_row<float>(patch));
    }

    void run_own(int images)
    {
        const int chunks           = (batch + images - 1) / images;
        const std::ptrdiff_t z_row = padded_row<float>(images * places), w_row = padded_row<float>(patch);
        parallel_for(static_cast<std::size_t>(chunks), [&](std::size_t c) {
            const int n = std::min(images, batch - static_cast<int>(c) * images) * places;
            float* x    = columns->data() + static_cast<std::ptrdiff_t>(c) * columns_of(images);
            float* y    = z->data() + static_cast<std::ptrdiff_t>(c) * filters * z_row;
            float* sum  = sums->data() + c * static_cast<std::size_t>(filters) * patch;
            switch (kind) {
            case Kind::forward:
                wide_product(Strided<float>{w->data(), patch}, x, z_row, y, z_row, filters, patch, n, Begin::zero);
                break;
            case Kind::weight_gradient:
                wide_product(Strided<float>{y, z_row}, x, w_row, sum, patch, filters, n, patch, Begin::zero);
                break;
            default:
                wide_product(Strided<float>{w->data(), 1, patch}, y, z_row, x, z_row, patch, filters, n, Begin::zero);
            }
        });
        add_sums(chunks);
    }
    void add_sums(int chunks)
    {
        if (kind != Kind::weight_gradient)
            return;
        const std::size_t size = static_cast<std::size_t>(filters) * patch;
        for (int c = 1; c < chunks; ++c)
            Eigen::Map<Eigen::ArrayXf>(sums->data(), static_cast<long>(size)) += Eigen::Map<const Eigen::ArrayXf>(
                sums->data() + c * size, static_cast<long>(size));
    }

    double flops() const { return kind == Kind::dense ? dense->flops() : 2.0 * filters * patch * places * batch; }

    void run(Way how)
    {
        const int chunks = (batch + how.images - 1) / how.images;
        const auto w_all = In(w->data(), filters, patch);
        parallel_for(static_cast<std::size_t>(chunks), [&](std::size_t c) {
            const int first = static_cast<int>(c) * how.images, n = std::min(how.images, batch - first) * places;
            float* x   = columns->data() + std::ptrdiff_t{first} * places * patch;
            float* y   = z->data() + std::ptrdiff_t{first} * places * filters;
            float* sum = sums->data() + c * static_cast<std::size_t>(filters) * patch;
            if (!how.transposed) {
                switch (kind) {
                case Kind::forward: Out(y, filters, n).noalias() = w_all * In(x, patch, n); break;
                case Kind::weight_gradient:
                    Out(sum, filters, patch).noalias() = In(y, filters, n) * In(x, patch, n).transpose();
                    break;
                default: Out(x, patch, n).noalias() = w_all.transpose() * In(y, filters, n);
                }
            } else {
                switch (kind) {
                case Kind::forward: Out(y, n, filters).noalias() = In(x, n, patch) * w_all.transpose(); break;
                case Kind::weight_gradient:
                    Out(sum, filters, patch).noalias() = In(y, n, filters).transpose() * In(x, n, patch);
                    break;
                default: Out(x, n, patch).noalias() = In(y, n, filters) * w_all;
                }
            }
        });
        add_sums(chunks);
    }

    void choose()
    {
        if (kind == Kind::dense) {
            dense->fastest();
            return;
        }
        std::vector<Way> ways;
        for (int images : {1, 4, 16, (batch + 1) / 2, batch})
            for (bool transposed : {false, true})
                ways.push_back({std::min(images, batch), transposed});
        std::vector<std::vector<double>> times(ways.size());
        for (int repetition = 0; repetition < 9; ++repetition)
            for (std::size_t k = 0; k < ways.size(); ++k)
                times[k].push_back(seconds_of([&] { run(ways[k]); }));
        std::vector<double> medians;
        for (const auto& t : times)
            medians.push_back(median(t));
        way = ways[static_cast<std::size_t>(std::min_element(medians.begin(), medians.end()) - medians.begin())];
        double best = 1e9;
        for (int images : {1, 4, 8}) {
            std::vector<double> own;
            for (int repetition = 0; repetition < 9; ++repetition)
                own.push_back(seconds_of([&] { run_own(std::min(images, batch)); }));
            if (median(own) >= best)
                continue;
            best       = median(own);
            own_images = std::min(images, batch);
        }
    }
};

NetworkProducts::NetworkProducts(const Architecture& architecture, int batch, Pass pass)
{
    const std::vector<ImageShape> shapes = shapes_of(architecture);
    ImageShape in                        = architecture.image.value_or(ImageShape{architecture.inputs, 1, 1});
    std::vector<LayerShape> dense;
    bool first = true;
    for (std::size_t l = 0; l < shapes.size(); ++l) {
        if (const auto* conv = std::get_if<Conv2d>(&architecture.layers[l])) {
            Job job{Job::Kind::forward,
                    conv->filters,
                    in.channels * conv->kernel * conv->kernel,
                    shapes[l].height * shapes[l].width,
                    batch,
                    {},
                    {},
                    {},
                    {},
                    {}};
            const auto make = [](std::size_t size) {
                return std::make_shared<aligned_vector<float>>(image_numbers(size));
            };
            job.columns = make(static_cast<std::size_t>(job.columns_of(1))
                               * (batch + 1));   // as many as chunks of any size need
            job.z       = make(static_cast<std::size_t>(job.filters * padded_row<float>(job.places)) * (batch + 1));
            job.w       = make(static_cast<std::size_t>(job.filters) * job.patch);
            job.sums    = make(static_cast<std::size_t>(job.filters) * job.patch * batch);
            jobs_.push_back(std::make_unique<Job>(job));
            if (pass == Pass::training_step) {
                job.kind = Job::Kind::weight_gradient;
                jobs_.push_back(std::make_unique<Job>(job));
                job.kind = Job::Kind::column_gradient;
                if (!first) {
                    job.columns = make(job.columns->size());   // the numbers do not change
                    jobs_.push_back(std::make_unique<Job>(job));
                }
            }
            first = false;
        } else if (const auto* layer = std::get_if<Dense>(&architecture.layers[l])) {
            dense.push_back({in.size(), layer->units});
        }
        in = shapes[l];
    }
    Job job{Job::Kind::dense, 0, 0, 0, batch, std::make_shared<BareProducts>(dense, batch, pass), {}, {}, {}, {}};
    jobs_.push_back(std::make_unique<Job>(job));
    threads().run([&] {
        for (auto& each : jobs_)
            each->choose();
    });
}

NetworkProducts::~NetworkProducts() = default;

void NetworkProducts::run(By by)
{
    for (auto& job : jobs_) {
        if (job->kind == Job::Kind::dense)
            job->dense->run(job->dense->fastest());
        else if (by == By::eigen)
            job->run(job->way);
        else
            job->run_own(job->own_images);
    }
}

double NetworkProducts::flops() const
{
    double sum = 0;
    for (const auto& job : jobs_)
        sum += job->flops();
    return sum;
}

std::string NetworkProducts::ways() const
{
    std::string text = "products:";
    for (const auto& job : jobs_)
        text += job->kind == Job::Kind::dense
                    ? " dense"
                    : " " + std::to_string(job->way.images) + (job->way.transposed ? "t" : "");
    return text;
}

}   // namespace credence::bench
