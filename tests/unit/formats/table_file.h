// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/csv.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string_view>

/// A file with `text` that is deleted at the end of the test.
class TableFile {
public:
    explicit TableFile(std::string_view text, const char* name = "table.csv")
        : folder_(std::filesystem::temp_directory_path()
                  / ("credence_table_" + std::to_string(::getpid()) + "_" + std::to_string(count_++)))
    {
        std::filesystem::create_directory(folder_);
        path_ = folder_ / name;
        std::ofstream(path_, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
    }
    ~TableFile()
    {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    TableFile(const TableFile&)            = delete;
    TableFile& operator=(const TableFile&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    static inline int count_ = 0;
    std::filesystem::path folder_, path_;
};

/// The table that is read from a file with `text`; it has passed its own check.
inline credence::Dataset read_table(std::string_view text, const credence::CsvOptions& options = {})
{
    const TableFile file(text);
    credence::Dataset data = credence::read_csv(file.path(), options);
    data.check();
    return data;
}
