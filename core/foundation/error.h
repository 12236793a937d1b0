// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>

namespace credence {

/// An error that a user can correct: a wrong file, field or number. The message is one sentence
/// that names the file or field, the value found and the value expected. The window shows it next
/// to the faulty input; the command line prints it and exits with status 2.
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& sentence);
    /// @param field  dotted path of the study's field, e.g. "training.learning_rate"; the window
    ///               marks it
    Error(std::string field, const std::string& sentence);

    /// Empty if the error does not concern a field.
    const std::string& field() const { return field_; }

private:
    std::string field_;
};

/// Returns the English message for a system error: "No such file or directory". std::strerror
/// follows the desktop's language.
/// @param code  errno
std::string system_reason(int code);

}   // namespace credence
