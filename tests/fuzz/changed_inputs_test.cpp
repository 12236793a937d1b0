// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz/changed_inputs.h"

#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <set>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CREDENCE_UNDER_ASAN
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define CREDENCE_UNDER_ASAN
#endif
#ifdef CREDENCE_UNDER_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

// Mutated inputs, the same on every machine, for every reader. More of them:
// CREDENCE_FUZZ_INPUTS=1000000, from another seed: CREDENCE_FUZZ_SEED=2; a line for each reader
// (name, inputs, seconds, accepted) goes to the file that CREDENCE_FUZZ_TABLE names. A finding is
// left as fuzz_finding_READER.
namespace {

using namespace credence;
using namespace credence::fuzz;
using Clock = std::chrono::steady_clock;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise)
{
    const char* const text = std::getenv(variable);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Async-signal-safe, for a signal handler.
char finding_name[64];
const std::uint8_t* input_data = nullptr;
std::size_t input_size         = 0;

void keep_finding()
{
    const int file                      = ::open(finding_name, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    [[maybe_unused]] const auto written = ::write(file, input_data, input_size);
    ::close(file);
}
void keep_and_die(int signal)
{
    keep_finding();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

/// A crash of any kind leaves the input file; a sanitizer's own report is kept.
void watch(bool on)
{
#ifdef CREDENCE_UNDER_ASAN
    __sanitizer_set_death_callback(on ? &keep_finding : nullptr);
    constexpr int deadly[] = {SIGALRM};
#else
    constexpr int deadly[] = {SIGABRT, SIGSEGV, SIGFPE, SIGALRM};
#endif
    for (const int signal : deadly)
        std::signal(signal, on ? &keep_and_die : SIG_DFL);
}

constexpr unsigned most_seconds = 60;   // for one input

class ChangedInput : public ::testing::TestWithParam<const char*> {};

TEST_P(ChangedInput, IsReadOrRejectedWithOneSentence)
{
    const Reader& reader = reader_named(GetParam());
    const auto seeds     = seeds_of(reader, CREDENCE_SOURCES);
    ASSERT_FALSE(seeds.empty());
    const ChangedInputs inputs(seeds, reader.repair, number_from("CREDENCE_FUZZ_SEED", 1));
    const auto n = seeds.size() + number_from("CREDENCE_FUZZ_INPUTS", 400);
    std::snprintf(finding_name, sizeof finding_name, "fuzz_finding_%s", reader.name);
    watch(true);

    const auto start       = Clock::now();
    std::uint64_t accepted = 0, seeds_accepted = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
        const Input input = inputs.input(i);
        input_data        = input.data();
        input_size        = input.size();
        ::alarm(most_seconds);
        try {
            const bool taken = feed(reader, input);
            accepted += taken ? 1 : 0;
            seeds_accepted += taken && i < seeds.size() ? 1 : 0;
        } catch (const std::exception& broken) {
            keep_finding();
            ADD_FAILURE() << reader.name << ", input " << i << ": " << broken.what() << "; kept as " << finding_name;
            break;
        }
    }
    ::alarm(0);
    watch(false);
    EXPECT_GT(seeds_accepted, 0U) << "no seed is a file that can be read";
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (const char* const table = std::getenv("CREDENCE_FUZZ_TABLE"))
        std::ofstream(table, std::ios::app) << reader.name << ' ' << n << ' ' << seconds << ' ' << accepted << '\n';
}

std::vector<const char*> names()
{
    std::vector<const char*> all;
    for (const Reader& reader : readers())
        all.push_back(reader.name);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Readers, ChangedInput, ::testing::ValuesIn(names()),
                         [](const auto& info) { return std::string(info.param); });

TEST(ChangedInputs, AreFunctionsOfSeedAndNumberAndDiffer)
{
    const std::vector<Input> seeds = {{'{', '"', 'a', '"', ':', '1', '}', '\n'},
                                      {'[', '2', ']', '\n', '3', '\n', '4', '\n'}};
    const ChangedInputs first(seeds, nullptr, 1), again(seeds, nullptr, 1), other(seeds, nullptr, 2);
    std::set<Input> different;
    int equal = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        EXPECT_EQ(first.input(i), again.input(i));
        equal += first.input(i) == other.input(i) ? 1 : 0;
        different.insert(first.input(i));
    }
    EXPECT_EQ(first.input(0), seeds[0]);
    EXPECT_GT(different.size(), 700U);   // of so small ones
    EXPECT_LT(equal, 100);
}

TEST(Repair, LeavesCorrectFilesAndRepairsChecksums)
{
    std::size_t repaired_ones = 0;
    for (const Reader& reader : readers()) {
        if (reader.repair == nullptr)
            continue;
        for (const Input& seed : seeds_of(reader, CREDENCE_SOURCES)) {
            Input repaired = seed;
            reader.repair(repaired);
            EXPECT_EQ(repaired, seed) << reader.name;
            for (std::size_t at = 0; at < seed.size(); ++at) {   // some byte belongs to a checksum
                Input wrong = seed;
                wrong[at] ^= 1;
                reader.repair(wrong);
                repaired_ones += wrong == seed ? 1 : 0;
            }
        }
    }
    EXPECT_GE(repaired_ones, 4U * 4);
}

}   // namespace
