// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/csv.h"
#include "foundation/error.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

using namespace credence;

/// Any bytes as a table; what is read is a sound data set.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const int memory       = memfd_create("table.csv", 0);
    static const std::string path = "/proc/self/fd/" + std::to_string(memory);
    if (memory < 0 || ftruncate(memory, 0) != 0 || pwrite(memory, data, size, 0) != static_cast<ssize_t>(size))
        std::abort();
    const auto attempt = [](auto&& read) {
        try {
            read();
        } catch (const Error&) {}
    };
    attempt([] { preview_csv(path, {}); });
    attempt([] { preview_csv(path, {.header = CsvHeader::no, .separator = ';', .decimal_comma = true}); });
    attempt([] {
        const Dataset read = read_csv(path, {});
        try {
            read.check();
        } catch (const Error& error) {
            if (read.n_rows == 0 || read.n_features == 0 || read.n_classes() < 2)
                throw;
            std::abort();
        }
    });
    return 0;
}
