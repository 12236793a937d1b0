// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/build_info.h"

#include <utility>

namespace credence {
namespace {

std::string compiler()
{
#if defined(__clang__)
    return "Clang " + std::to_string(__clang_major__) + '.' + std::to_string(__clang_minor__) + '.'
           + std::to_string(__clang_patchlevel__);
#elif defined(__GNUC__)
    return "GCC " + std::to_string(__GNUC__) + '.' + std::to_string(__GNUC_MINOR__) + '.'
           + std::to_string(__GNUC_PATCHLEVEL__);
#else
    return "unknown compiler";
#endif
}

Build& running_build()
{
    static Build build{version(), {}, instruction_set(), compiler()};
    return build;
}

}   // namespace

const char* version() { return CREDENCE_VERSION; }

const char* instruction_set()
{
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512CD__) && defined(__AVX512DQ__)                    \
    && defined(__AVX512VL__)
    return "x86-64-v4";
#elif defined(__AVX2__) && defined(__FMA__) && defined(__BMI2__) && defined(__F16C__)
    return "x86-64-v3";
#elif defined(__SSE4_2__) && defined(__POPCNT__)
    return "x86-64-v2";
#else
    return "baseline";
#endif
}

const Build& this_build() { return running_build(); }

void set_commit(std::string commit) { running_build().commit = std::move(commit); }

std::string build_text(const Build& build)
{
    return build.version + " (" + (build.commit.empty() ? "" : "commit " + build.commit + ", ") + "instruction set "
           + build.instruction_set + ", " + build.compiler + ")";
}

}   // namespace credence
