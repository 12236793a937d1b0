// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz/changed_inputs.h"

#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <set>
#include <unistd.h>

// Changed inputs, the same ones on every machine, for every reader. More of them: CREDENCE_FUZZ_INPUTS=1000000, from another seed: CREDENCE_FUZZ_SEED=2; a line for
// each reader (name, inputs, seconds, accepted) goes to the file that CREDENCE_FUZZ_TABLE names. A finding is left as fuzz_finding_READER.
namespace {

using namespace credence;
using namespace credence::fuzz;
using Clock = std::chrono::steady_clock;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise)
{
    const char* const text = std::getenv(variable);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// For a handler of signals, which may use nothing else.
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

constexpr unsigned most_seconds = 60;   // for one input

class ChangedInput : public ::testing::TestWithParam<const char*> {};

TEST_P(ChangedInput, IsReadOrRefusedInASentence)
{
    const Reader& reader = reader_named(GetParam());
    const auto seeds     = seeds_of(reader, CREDENCE_SOURCES);
    ASSERT_FALSE(seeds.empty());
    const ChangedInputs inputs(seeds, reader.repair, number_from("CREDENCE_FUZZ_SEED", 1));
    const auto n = seeds.size() + number_from("CREDENCE_FUZZ_INPUTS", 400);
    std::snprintf(finding_name, sizeof finding_name, "fuzz_finding_%s", reader.name);
    for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGALRM})
        std::signal(signal, keep_and_die);

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
    for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGALRM})
        std::signal(signal, SIG_DFL);
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
    EXPECT_GT(different.size(), 900U);
    EXPECT_LT(equal, 100);
}

TEST(Repair, ChecksumsOfAChangedZipAndPngAreRightAgain)
{
    for (const char* name : {"npy", "png"}) {
        if (!std::filesystem::exists(std::filesystem::path(CREDENCE_SOURCES) / "tests/fuzz/seeds" / name))
            continue;
        const Reader* reader = nullptr;
        for (const Reader& one : readers())
            if (std::strcmp(one.name, name) == 0)
                reader = &one;
        if (reader == nullptr)
            continue;   // a build without Qt
        for (const Input& seed : seeds_of(*reader, CREDENCE_SOURCES)) {
            Input repaired = seed;
            reader->repair(repaired);
            EXPECT_EQ(repaired, seed) << "nothing was wrong";
        }
    }
}

}   // namespace
