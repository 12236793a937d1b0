// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "study/study.h"

#include <cstdint>
#include <cstdlib>
#include <string>

using namespace credence;

/// Any text as a Study: what is accepted is the same after it was written and read again, and its sentences are one line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    try {
        const Study study = study_from_text({reinterpret_cast<const char*>(data), size}, "a.json");
        if (!(study_from_text(to_text(study), "b.json") == study))
            std::abort();
        check(study);
    } catch (const Error& error) {
        if (std::string(error.what()).find('\n') != std::string::npos)
            std::abort();
    }
    return 0;
}
