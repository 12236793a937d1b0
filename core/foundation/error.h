// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>

namespace credence {

/// What a user can get wrong: a file, a field, a number. The message is one sentence that names the file or field, what was found
/// and what was expected. The window shows it where the mistake was made; the command line prints it and exits 2.
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& sentence);
    /// @param field  dotted path of the study's field, e.g. "training.learning_rate", so that the window can mark it
    Error(std::string field, const std::string& sentence);

    const std::string& field() const { return field_; }   ///< empty if the mistake is not in a field

private:
    std::string field_;
};

}   // namespace credence
