// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

// Comparing what the core computes with a file of reference values (format: README.md of the values, rule below).
namespace credence::reference {

using Json = nlohmann::json;

/// max |got - want| <= atol + rtol * max |want|
struct Tolerance {
    double rtol = 1e-12;
    double atol = 1e-12;
};
inline constexpr Tolerance in_float{2e-5, 1e-5};

/// All numbers below `json` in row order; flags as 0 and 1.
inline void append_numbers(const Json& json, std::vector<double>& out)
{
    if (json.is_array())
        for (const Json& part : json)
            append_numbers(part, out);
    else
        out.push_back(json.is_boolean() ? (json.get<bool>() ? 1.0 : 0.0) : json.get<double>());
}
inline std::vector<double> numbers(const Json& json)
{
    std::vector<double> out;
    append_numbers(json, out);
    return out;
}
/// [n] from a list, or n times the same from one number.
inline std::vector<double> numbers(const Json& json, std::size_t n)
{
    return json.is_array() ? numbers(json) : std::vector<double>(n, json.get<double>());
}
template <class T>
std::vector<T> as(const std::vector<double>& values)
{
    return {values.begin(), values.end()};
}

/// Counts cases and prints a line for each that fails or is skipped.
class Report {
public:
    void begin_file(std::string name) { file_ = std::move(name); }
    void pass() { ++passed_; }
    void fail(const std::string& name, const std::string& why)
    {
        ++failed_;
        std::printf("failed: %s: %s: %s\n", file_.c_str(), name.c_str(), why.c_str());
    }
    void skip(const std::string& name, const std::string& why)
    {
        ++skipped_;
        std::printf("skipped: %s: %s: %s\n", file_.c_str(), name.c_str(), why.c_str());
    }
    int failed() const { return failed_; }
    void print_summary() const { std::printf("%d passed, %d failed, %d skipped\n", passed_, failed_, skipped_); }

private:
    std::string file_;
    int passed_ = 0, failed_ = 0, skipped_ = 0;
};

/// One case: compares named values with those in `expected`; values missing there are not compared.
class Case {
public:
    Case(Report& report, std::string name, const Json& expected, Tolerance usual)
        : report_(report), name_(std::move(name)), expected_(expected), usual_(usual)
    {}
    /// Reports the case: failed with the worst of its differences, skipped if nothing could be compared, else passed.
    ~Case()
    {
        if (n_bad_ > 0)
            report_.fail(name_, worst_ + (n_bad_ > 1 ? " (and " + std::to_string(n_bad_ - 1) + " more)" : ""));
        else if (n_compared_ == 0)
            report_.skip(name_, "nothing to compare");
        else
            report_.pass();
    }
    Case(const Case&)            = delete;
    Case& operator=(const Case&) = delete;

    bool wants(const std::string& key) const { return expected_.contains(key); }

    void near(const std::string& key, const std::vector<double>& got, Tolerance tolerance)
    {
        if (!wants(key))
            return;
        const std::vector<double> want = numbers(expected_.at(key));
        ++n_compared_;
        if (got.size() != want.size())
            return bad(key, std::numeric_limits<double>::infinity(),
                       "has " + std::to_string(got.size()) + " values, expected " + std::to_string(want.size()));
        double largest = 0, worst = 0;
        std::size_t at = 0;
        for (std::size_t i = 0; i < want.size(); ++i) {
            largest                 = std::max(largest, std::fabs(want[i]));
            const double difference = std::fabs(got[i] - want[i]);
            if (!(difference <= worst)) {   // NaN counts as worst
                worst = std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
                at    = i;
            }
        }
        within(key, worst, tolerance.atol + tolerance.rtol * largest, got.empty() ? 0 : got[at],
               want.empty() ? 0 : want[at], at);
    }
    void near(const std::string& key, const std::vector<double>& got) { near(key, got, usual_); }
    void near(const std::string& key, double got, Tolerance tolerance)
    {
        near(key, std::vector<double>{got}, tolerance);
    }
    void near(const std::string& key, double got) { near(key, std::vector<double>{got}, usual_); }

    /// Integers, flags and lists of indices.
    template <class Range>
    void exact(const std::string& key, const Range& got)
    {
        near(key, std::vector<double>(std::begin(got), std::end(got)), {0, 0});
    }
    /// @param scale  what the tolerance is relative to
    void relative_to(const std::string& key, double got, double want, double scale, Tolerance tolerance)
    {
        ++n_compared_;
        const double difference = std::fabs(got - want);
        within(key, std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference,
               tolerance.atol + tolerance.rtol * scale, got, want, 0);
    }

private:
    void within(const std::string& key, double difference, double allowed, double got, double want, std::size_t at)
    {
        if (difference <= allowed)
            return;
        char text[160];
        std::snprintf(text, sizeof text, "[%zu] is %.17g, expected %.17g, difference %.3g, allowed %.3g", at, got, want,
                      difference, allowed);
        bad(key, difference / allowed, text);
    }
    void bad(const std::string& key, double excess, const std::string& text)
    {
        ++n_bad_;
        if (n_bad_ == 1 || excess > worst_excess_) {
            worst_excess_ = excess;
            worst_ = key + text.substr(0, text[0] == '[' ? std::string::npos : 0) + (text[0] == '[' ? "" : " " + text);
        }
    }

    Report& report_;
    std::string name_;
    const Json& expected_;
    Tolerance usual_;
    int n_compared_ = 0, n_bad_ = 0;
    double worst_excess_ = 0;
    std::string worst_;
};

}   // namespace credence::reference
