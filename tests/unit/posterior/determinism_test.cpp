// SPDX-License-Identifier: GPL-3.0-or-later
#include "posteriors.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <new>

namespace {
thread_local long allocations = 0;   // a worker thread finishing an earlier test does not count

void* counted(std::size_t bytes, std::size_t line)
{
    ++allocations;
    void* const p = std::aligned_alloc(line, (bytes + line - 1) / line * line);
    if (p == nullptr)
        throw std::bad_alloc();
    return p;
}
}   // namespace

void* operator new(std::size_t bytes) { return counted(bytes, 16); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept   // what std::stable_sort asks for
{
    ++allocations;
    return std::malloc(bytes);
}
void* operator new(std::size_t bytes, std::align_val_t line) { return counted(bytes, static_cast<std::size_t>(line)); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace credence::testing {
namespace {

/// Cut into short chunks, see WeightTiles.
const ParameterLayout& large_layout()
{
    static const ParameterLayout layout = layout_with({elementwise_chunk * 3 + 77, 100, 5000, 1, elementwise_chunk});
    return layout;
}

/// Into long ones.
const ParameterLayout& larger_layout()
{
    static const ParameterLayout layout = layout_with(
        {elementwise_chunk * 13 + 77, 100, 5000, 1, elementwise_chunk * 3});
    return layout;
}

PosteriorOptions options_of(const std::string& family) { return {.family = family, .initial_rho = {0.3, -0.48}}; }

struct Outcome {
    std::vector<float> weights, parameters;
    double kl, sampled;
};

/// Draws, updates the parameters inside the sink as the optimiser does, guards; three times.
Outcome three_steps(const ParameterLayout& layout, const std::string& family, int threads)
{
    const Prior prior    = gaussian_prior(layout);
    const auto posterior = make_posterior<float>(layout, options_of(family), some_means(layout.size()));
    Draw<float> draw     = posterior->make_draw();
    Outcome outcome;
    Threads(threads).run([&] {
        for (std::uint32_t step = 0; step < 3; ++step) {
            posterior->draw({4, Stream::weight_noise, step}, draw);
            const auto theta = posterior->parameters();
            // Large steps change the signs of many means while their neighbours are processed.
            posterior->pullback(draw, draw.weights, {.prior = &prior, .weight = 1e-3},
                                [&](std::size_t first, std::span<const float> gradient) {
                for (std::size_t k = 0; k < gradient.size(); ++k)
                    theta[first + k] -= (first < layout.size() ? 1.5f : 1e-4f) * gradient[k];
            });
            posterior->apply_guards({4, Stream::guards, step});
        }
        outcome.kl      = posterior->kl(prior).value_or(0);
        outcome.sampled = posterior->sampled_complexity(draw, prior).value_or(0);
    });
    outcome.weights.assign(draw.weights.begin(), draw.weights.end());
    outcome.parameters.assign(posterior->parameters().begin(), posterior->parameters().end());
    return outcome;
}

TEST(PosteriorDeterminism, OneTwoAndSevenThreadsGiveTheSameBits)
{
    for (const ParameterLayout* layout : {&large_layout(), &larger_layout()})
        for (const std::string& family : every_family) {
            const Outcome one = three_steps(*layout, family, 1);
            for (const int threads : {2, 7}) {
                const Outcome many = three_steps(*layout, family, threads);
                EXPECT_EQ(many.weights, one.weights) << family << ", " << threads << " threads";
                EXPECT_EQ(many.parameters, one.parameters) << family << ", " << threads << " threads";
                EXPECT_EQ(many.kl, one.kl) << family << ", " << threads << " threads";
                EXPECT_EQ(many.sampled, one.sampled) << family << ", " << threads << " threads";
            }
        }
}

TEST(PosteriorDeterminism, AnUpdateInsideTheSinkIsTheUpdateAfterwards)
{
    const auto& layout = large_layout();
    const Prior prior  = gaussian_prior(layout);
    for (const std::string& family : every_family) {
        const auto inside = make_posterior<float>(layout, options_of(family), some_means(layout.size()));
        const auto after  = inside->clone();
        Draw<float> draw  = inside->make_draw();
        inside->draw({4, Stream::weight_noise, 0}, draw);
        const Complexity complexity{.prior = &prior, .weight = 1e-3};
        const auto gradient = gradient_of<float>(*after, draw, draw.weights, complexity);
        inside->pullback(draw, draw.weights, complexity, [&](std::size_t first, std::span<const float> piece) {
            for (std::size_t k = 0; k < piece.size(); ++k)
                inside->parameters()[first + k] -= 1.5f * piece[k];
        });
        for (std::size_t j = 0; j < gradient.size(); ++j) {
            float expected = after->parameters()[j];
            expected -= 1.5f * gradient[j];
            ASSERT_EQ(inside->parameters()[j], expected) << family << ", parameter " << j;
        }
    }
}

TEST(PosteriorDeterminism, ThreadsCanSampleOnePosteriorConcurrently)
{
    const auto& layout            = large_layout();
    const auto posterior          = make_posterior<float>(layout, options_of("tridiagonal"), some_means(layout.size()));
    constexpr std::size_t n_draws = 6;
    std::vector<Draw<float>> together, alone;
    for (std::size_t s = 0; s < n_draws; ++s) {
        together.push_back(posterior->make_draw());
        alone.push_back(posterior->make_draw());
    }
    Threads(4).run([&] {
        parallel_for(n_draws, [&](std::size_t s) {
            posterior->draw({4, Stream::prediction, static_cast<std::uint32_t>(s)}, together[s]);
        });
    });
    for (std::size_t s = 0; s < n_draws; ++s) {
        posterior->draw({4, Stream::prediction, static_cast<std::uint32_t>(s)}, alone[s]);
        EXPECT_EQ(together[s].weights, alone[s].weights) << "draw " << s;
    }
}

TEST(PosteriorDeterminism, AStepAllocatesNothingAfterTheFirst)
{
    const auto& layout = large_layout();
    const Prior normal = gaussian_prior(layout), mixture = mixture_prior(layout);
    for (const std::string& family : every_family)
        for (const bool closed : {true, false}) {
            const auto posterior = make_posterior<float>(layout, options_of(family), some_means(layout.size()));
            Draw<float> draw     = posterior->make_draw();
            const Complexity complexity{.prior  = closed ? &normal : &mixture,
                                        .kind   = closed ? Complexity::Kind::closed : Complexity::Kind::sampled,
                                        .weight = 1e-3,
                                        .l2     = 1e-3};
            long counted = 0;
            Threads(1).run([&] {   // one thread: all of a step happens in this one
                const auto step = [&](std::uint32_t i) {
                    posterior->draw({4, Stream::weight_noise, i}, draw);
                    posterior->transform(draw);
                    posterior->pullback(draw, draw.weights, complexity, [](std::size_t, std::span<const float>) {});
                    posterior->apply_guards({4, Stream::guards, i});
                };
                step(0);
                const long before = allocations;
                for (std::uint32_t i = 1; i < 4; ++i)
                    step(i);
                counted = allocations - before;
            });
            EXPECT_EQ(counted, 0) << family << (closed ? ", closed" : ", sampled");
        }
}

}   // namespace
}   // namespace credence::testing
