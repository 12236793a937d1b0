// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace/fit_curvature.h"
#include "unit/laplace/small_nets.h"

#include "foundation/error.h"
#include "foundation/parallel.h"

#include "network/architecture.h"
#include "network/network.h"
#include "unit/network/likelihood_properties.h"

#include <gtest/gtest.h>

#include <cmath>

namespace credence {
namespace {

using namespace small_nets;

TEST(Curvature, FullGgnIsTheSumOfJacobiansAroundTheOutputsCurvature)
{
    for (const Small& s :
         {Small(mlp(3, {4, 5}, 3, ActivationKind::tanh), 30), Small(conv_net(), 12), Small(residual_net(), 12),
          Small(mlp(2, {6}, 1, ActivationKind::sigmoid), 20, Likelihood::gaussian(0.4))})
        expect_near(composed(s.curvature(options(full))->data()), ggn_naively(s), 1e-11, "GGN");
}

TEST(Curvature, DiagonalIsThatOfTheFullGgnInDenseLayersAndConvolutions)
{
    for (const Small& s : {Small(mlp(3, {4, 5}, 3, ActivationKind::tanh), 30), Small(conv_net(), 12),
                           Small(conv_net(ActivationKind::relu), 37), Small(residual_net(), 12),
                           Small(mlp(2, {6}, 1, ActivationKind::sigmoid), 20, Likelihood::gaussian(0.4))}) {
        const auto want = diagonal_of(ggn_naively(s));
        expect_near(s.curvature(options(diagonal))->data().diagonal, want, 1e-12, "diagonal");
        const auto last = s.curvature(options(diagonal, CurvatureLayers::last));
        expect_near(last->data().diagonal, {want.end() - static_cast<std::ptrdiff_t>(last->covered()), want.end()},
                    1e-12, "diagonal of the last layer");
    }
}

TEST(Curvature, LearnedNoiseTakesTheFisherInformationOfMeanAndScale)
{
    const Small s(mlp(2, {5}, 2, ActivationKind::tanh), 15, learned_noise());
    // The mean over y of the exact Hessian of the outputs, by the moments of the residual: E r² = s², E r = 0
    const std::vector<double> z = {0.7, 0.2};
    std::vector<double> roots(4), plus(4), minus(4);
    output_curvature_roots<double>(s.model.likelihood, z, 1, 2, roots);
    const double sd = std::log1p(std::exp(z[1])) + 1e-3;
    s.model.likelihood->hessian(z, z[0] + sd, plus);
    s.model.likelihood->hessian(z, z[0] - sd, minus);
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
            EXPECT_NEAR(roots[a] * roots[b] + roots[2 + a] * roots[2 + b], 0.5 * (plus[a * 2 + b] + minus[a * 2 + b]),
                        1e-12);
}

TEST(Curvature, ExactHessianIsTheDerivativeOfTheGradient)
{
    for (const ActivationKind kind : {ActivationKind::tanh, ActivationKind::sigmoid, ActivationKind::softplus,
                                      ActivationKind::elu, ActivationKind::relu}) {
        const Small s(mlp(3, {4, 5}, 3, kind), 11);
        const auto want = hessian_by_differences(s);
        expect_near(composed(s.curvature(options(full, CurvatureLayers::all, CurvatureKind::hessian))->data()), want,
                    2e-8, name_of(kind));
        expect_near(s.curvature(options(diagonal, CurvatureLayers::all, CurvatureKind::hessian))->data().diagonal,
                    diagonal_of(want), 2e-8, name_of(kind));
    }
    for (const Likelihood& likelihood : {learned_noise(), student_t(0.5, 4)}) {
        const Small noisy(mlp(2, {5}, likelihood->n_outputs(0), ActivationKind::tanh), 9, likelihood);
        const auto want = hessian_by_differences(noisy);
        expect_near(composed(noisy.curvature(options(full, CurvatureLayers::all, CurvatureKind::hessian))->data()),
                    want, 2e-8, "noise");
        expect_near(noisy.curvature(options(diagonal, CurvatureLayers::last, CurvatureKind::hessian))->data().diagonal,
                    diagonal_of(want, 15), 2e-8, "noise, last layer");
    }
}

TEST(Curvature, ExactHessianOfTheLastLayerIsItsGgn)
{
    const Small s(conv_net(), 12);
    EXPECT_EQ(s.curvature(options(full, CurvatureLayers::last, CurvatureKind::hessian))->data().eigenvalues,
              s.curvature(options(full, CurvatureLayers::last))->data().eigenvalues);
    const Small dense(mlp(3, {4}, 3, ActivationKind::tanh), 11);
    const auto hessian = hessian_by_differences(dense);
    expect_near(s.curvature(options(diagonal, CurvatureLayers::last, CurvatureKind::hessian))->data().diagonal,
                s.curvature(options(diagonal, CurvatureLayers::last))->data().diagonal, 0, "diagonal");
    expect_near(dense.curvature(options(diagonal, CurvatureLayers::last))->data().diagonal, diagonal_of(hessian, 16),
                1e-7, "last layer");
}

TEST(Curvature, KroneckerFactorsOfOneExampleAreItsExactBlocks)
{
    // With one example A is āāᵀ and B the curvature of the pre-activations: B ⊗ A is exact.
    const Small s(mlp(3, {4, 5}, 3, ActivationKind::tanh), 1);
    const auto ggn       = ggn_naively(s);
    const std::size_t P  = s.weights.size();
    const auto curvature = s.curvature(options(kronecker));
    for (const KroneckerFactor& f : curvature->data().kronecker) {
        const std::size_t size = static_cast<std::size_t>(f.in) * f.out;
        std::vector<double> block(size * size);
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j < size; ++j)
                block[i * size + j] = ggn[(f.weights + i) * P + f.weights + j];
        expect_near(product_of(f), block, 1e-12, "block");
    }
}

TEST(Curvature, KroneckerFactorsOfAConvolutionWithOnePositionAreThoseOfADenseLayer)
{
    // A kernel as large as the image gives one position: the weights are in the same order as a dense layer's.
    const Small conv({2 * 3 * 3, {Conv2d{4, 3}, Activation{ActivationKind::tanh}, Dense{3}}, ImageShape{2, 3, 3}}, 25);
    Small dense(mlp(18, {4}, 3, ActivationKind::tanh), 25);
    ASSERT_EQ(dense.weights, conv.weights);
    const auto a = conv.curvature(options(kronecker)), b = dense.curvature(options(kronecker));
    for (std::size_t l = 0; l < 2; ++l)
        expect_near(product_of(a->data().kronecker[l]), product_of(b->data().kronecker[l]), 1e-12, "factors");
    EXPECT_NEAR(a->log_evidence(0.7), b->log_evidence(0.7), 1e-9);
}

/// A of the first convolution by its definition: the mean of āāᵀ over images and positions, where ā
/// is a patch followed by a 1.
void expect_patches_in_first_factor(const Small& s, const Architecture& architecture)
{
    const auto& conv    = std::get<Conv2d>(architecture.layers[0]);
    const ImageShape in = *architecture.image, out = shapes_of(architecture)[0];
    const std::size_t size = static_cast<std::size_t>(in.channels) * conv.kernel * conv.kernel + 1;
    std::vector<double> want(size * size), got(want.size());
    for (int n = 0; n < s.n; ++n)
        for (int oy = 0; oy < out.height; ++oy)
            for (int ox = 0; ox < out.width; ++ox) {
                std::vector<double> patch;
                for (int c = 0; c < in.channels; ++c)
                    for (int y = oy * conv.stride - conv.padding; y < oy * conv.stride - conv.padding + conv.kernel;
                         ++y)
                        for (int x = ox * conv.stride - conv.padding; x < ox * conv.stride - conv.padding + conv.kernel;
                             ++x)
                            patch.push_back(y < 0 || y >= in.height || x < 0 || x >= in.width
                                                ? 0
                                                : s.inputs[static_cast<std::size_t>(
                                                    ((n * in.channels + c) * in.height + y) * in.width + x)]);
                patch.push_back(1);
                for (std::size_t i = 0; i < size; ++i)
                    for (std::size_t j = 0; j < size; ++j)
                        want[i * size + j] += patch[i] * patch[j] / (out.height * out.width * s.n);
            }
    const KroneckerFactor f = s.curvature(options(kronecker))->data().kronecker[0];
    ASSERT_EQ(f.a_values.size(), size);
    for (std::size_t r = 0; r < size; ++r)
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j < size; ++j)
                got[i * size + j] += f.a_values[r] * f.a_vectors[r * size + i] * f.a_vectors[r * size + j];
    expect_near(got, want, 1e-12, "A");
}

TEST(Curvature, KroneckerFactorsOfAConvolutionAreSumsOverPatchesAndPositions)
{
    expect_patches_in_first_factor(Small(conv_net(), 6), conv_net());
    const Architecture strided{2 * 7 * 9, {Conv2d{3, 3, 2, 1}, Dense{3}}, ImageShape{2, 7, 9}};
    expect_patches_in_first_factor(Small(strided, 6), strided);
    const Architecture many_channels{
        24 * 8 * 8, {Conv2d{2, 5}, Dense{3}}, ImageShape{24, 8, 8}};   // products of some pixels of a line at a time
    expect_patches_in_first_factor(Small(many_channels, 3), many_channels);
}

TEST(Curvature, FewDataGiveTheSameFullCurvatureByTheirGramMatrix)
{
    // 2-60-60-3: 4,023 weights, more than the size of an eigenvalue problem; 20 examples give 40 directions.
    const Small s(mlp(2, {60, 60}, 3, ActivationKind::tanh), 20);
    const auto curvature      = s.curvature(options(full));
    const CurvatureData& data = curvature->data();
    ASSERT_LE(data.eigenvalues.size(), 40u);
    // The trace is that of the diagonal, and each direction of the last layer agrees with its own curvature
    const auto diag = s.curvature(options(diagonal))->data().diagonal;
    std::vector<double> got(diag.size());
    for (std::size_t r = 0; r < data.eigenvalues.size(); ++r)
        for (std::size_t p = 0; p < got.size(); ++p)
            got[p] += data.eigenvalues[r] * data.eigenvectors_float[r * got.size() + p]
                      * data.eigenvectors_float[r * got.size() + p];
    expect_near(got, diag, 1e-5, "diagonal");
}

TEST(Curvature, AnyNumberOfBatchesGivesTheSameCurvature)
{
    Small s(mlp(3, {4}, 3, ActivationKind::tanh), 1300);   // several batches
    const auto whole = s.curvature(options(diagonal))->data();
    std::vector<double> sum(whole.diagonal.size());
    for (int first = 0; first < 1300; first += 100) {
        const auto part = curvature_of<double>(
            s.model, s.weights, std::span(s.inputs).subspan(static_cast<std::size_t>(first) * 3, 300),
            Targets{std::span(s.labels).subspan(static_cast<std::size_t>(first), 100), {}}, 100, options(diagonal));
        for (std::size_t p = 0; p < sum.size(); ++p)
            sum[p] += part->data().diagonal[p];
    }
    expect_near(whole.diagonal, sum, 1e-13, "sum over batches");
}

TEST(Curvature, IsTheSameForAnyNumberOfThreads)
{
    const Architecture lenet     = lenet_caffe(ImageShape{1, 28, 28}, 30, 10);
    const ParameterLayout layout = layout_of(lenet);
    const auto map               = initial_weights(layout, Initialisation::caffe, 1);
    SplitData data;
    data.training.task   = Task::classification;
    data.training.n_rows = 70;
    data.training_inputs.resize(70 * 784);
    uniforms({1, Stream::data, 0}, 0, std::span<float>(data.training_inputs));
    for (int i = 0; i < 70; ++i)
        data.training.labels.push_back(i % 10);
    for (const CurvatureStructure structure : {diagonal, kronecker}) {
        std::shared_ptr<const Curvature> first;
        for (const int count : {1, 2, 7}) {
            Threads threads(count);
            std::shared_ptr<const Curvature> curvature;
            threads.run([&] { curvature = fit_curvature({lenet, {}, false}, map, data, options(structure)); });
            if (!first)
                first = curvature;
            else
                EXPECT_TRUE(curvature->data() == first->data()) << count << " threads";
        }
    }
}

TEST(Curvature, ReportsItsProgressAndStopsOnRequest)
{
    const Small s(mlp(3, {4}, 3, ActivationKind::tanh), 3000);
    std::vector<double> shares;
    s.curvature(options(diagonal));
    const auto curvature = curvature_of<double>(s.model, s.weights, s.inputs, s.targets(), s.n, options(kronecker), {},
                                                [&](double share, std::optional<double>) { shares.push_back(share); });
    ASSERT_GE(shares.size(), 1u);
    EXPECT_EQ(shares.back(), 1.0);
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    std::stop_source source;
    source.request_stop();
    for (const CurvatureStructure structure : {diagonal, kronecker, full})
        EXPECT_EQ(curvature_of<double>(s.model, s.weights, s.inputs, s.targets(), s.n, options(structure),
                                       source.get_token()),
                  nullptr);
    EXPECT_EQ(curvature_of<double>(s.model, s.weights, s.inputs, s.targets(), s.n,
                                   options(full, CurvatureLayers::all, CurvatureKind::hessian), source.get_token()),
              nullptr);
}

std::string refusal(const Model& model, long n, CurvatureOptions wanted)
{
    return refusal_of_curvature(model, n, wanted).value_or("none");
}

TEST(Curvature, RejectsWhatIsTooLargeOrHasNoHessian)
{
    const Model lenet{lenet_caffe(ImageShape{1, 28, 28}, 100, 10), {}, false};
    EXPECT_EQ(refusal(lenet, 60000, options(full)),
              "The network has 106680 weights and 60000 training examples (540000 directions), and the full structure "
              "is made for at most 2000 of one or the other: choose Kronecker or diagonal, or the last layer alone.");
    EXPECT_EQ(refusal(lenet, 60000, options(full, CurvatureLayers::last)), "none");   // 1,010 weights
    EXPECT_EQ(refusal(lenet, 200, options(full)),
              "The network has 106680 weights, and with 200 training examples the full structure would hold 192 "
              "million numbers, of which at most 50 million fit: choose Kronecker or diagonal, or the last layer "
              "alone.");
    EXPECT_EQ(refusal(lenet, 60000, options(diagonal, CurvatureLayers::all, CurvatureKind::hessian)),
              "none");   // piecewise linear: the diagonal of the GGN
    EXPECT_EQ(refusal(lenet, 100, options(full, CurvatureLayers::all, CurvatureKind::hessian)),
              "The network has 106680 weights, and an exact full Hessian is made for at most 2000 (this one is a "
              "matrix of 91 GB): choose the last layer alone (1010 weights), whose exact Hessian is the GGN, the "
              "structure diagonal, the directions of largest curvature alone (posterior.laplace_rank), or the GGN.");
    const Model bent{mlp(2, {100, 100}, 4, ActivationKind::tanh), {}, false};
    EXPECT_EQ(refusal(bent, 100, options(diagonal, CurvatureLayers::all, CurvatureKind::hessian)),
              "The network has 10804 weights, and an exact diagonal Hessian is made for at most 4000 where activations "
              "bend: choose ReLU, under which the diagonals of Hessian and GGN are the "
              "same at any size, or the GGN.");
    const Model toy{mlp(2, {100, 100}, 4), {}, false};
    EXPECT_EQ(refusal(toy, 100, options(full, CurvatureLayers::all, CurvatureKind::hessian)),
              "The network has 10804 weights, and an exact full Hessian is made for at most 2000 (this one is a matrix "
              "of 0.93 GB): choose the last layer alone (404 weights), whose exact Hessian is the GGN, the structure "
              "diagonal, the directions of largest curvature alone (posterior.laplace_rank), or the GGN.");
    EXPECT_EQ(refusal(toy, 100, options(diagonal, CurvatureLayers::all, CurvatureKind::hessian)), "none");
    EXPECT_EQ(refusal(toy, 100, options(kronecker, CurvatureLayers::all, CurvatureKind::hessian)),
              "An exact Hessian has no Kronecker factors: choose the structure diagonal or full, or the GGN.");
    const Small s(mlp(3, {4}, 3), 5);
    EXPECT_THROW(curvature_of<double>(s.model, s.weights, s.inputs, s.targets(), s.n,
                                      options(kronecker, CurvatureLayers::all, CurvatureKind::hessian)),
                 Error);
}

TEST(Curvature, RejectsOutputsThatAreNotFinite)
{
    Small s(mlp(3, {4}, 3), 5);
    s.weights.back() = std::nan("");
    try {
        s.curvature(options(diagonal));
        FAIL() << "nothing was refused";
    } catch (const Error& error) {
        EXPECT_STREQ(
            error.what(),
            "The curvature cannot be computed: the network's outputs for the training data are not finite numbers.");
    }
}

}   // namespace
}   // namespace credence
