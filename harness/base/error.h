#pragma once

#include <exception>
#include <string>

#include "harness/base/text.h"

// The one exception of the program, and the exit codes every command shares.
// A cluster that failed is no error: that is data (exit state, issue, finding).

namespace harness::base {

/// Exit codes; the numbers are a published interface and never change. Source: harness/README.md,
/// "Exit codes". 128 + n: ended by signal n (as a shell reports it).
enum class ExitCode : int {
  pass = 0,          ///< pass or waived
  fail = 1,          ///< missed criterion, invalid run, regression
  usage = 2,         ///< usage, configuration, suite or input file of ours is wrong
  inconclusive = 3,  ///< also: nothing measured
  error = 4,         ///< launcher, tool, workload, node or disk failed: no valid measurement
  busy = 5,          ///< another run holds the lock
  bug = 70,          ///< a bug of ours
};

/// The code that wins when several apply: 2 > 70 > 128+n > 1 > 4 > 3 > 0. Takes and returns plain
/// exit statuses.
int graver_exit_code(int a, int b);

enum class ErrorKind {
  usage,        ///< exit 2: the call, a configuration, a suite or an input file is wrong
  environment,  ///< exit 4: something we need is missing, broken, full or not writable
  busy,         ///< exit 5
  bug,          ///< exit 70
};

/// We could not do our job. Each field is a part of one message: what was tried, on what, what
/// happened, what to do.
struct ErrorParts {
  Text tried;  ///< "read the suite"
  std::string
      on;  ///< a path, a command, a place such as "gpt3.json:12"; printed quoted, may be empty
  Text happened;  ///< "unknown key \"limitt\""
  Text next;      ///< "did you mean \"limit\"?"; may be empty
};

class Error : public std::exception {
 public:
  Error(ErrorKind kind, ErrorParts parts);

  ErrorKind kind() const { return kind_; }
  ExitCode exit_code() const;
  const ErrorParts& parts() const { return parts_; }

  /// Two lines at most: "cannot read the suite 'x.json': …" and "next: …" when there is one.
  std::string message(Language language) const;
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  ErrorKind kind_;
  ErrorParts parts_;
  std::string what_;
};

/// "No such file or directory" and its like for an errno value, with a Chinese reading for the
/// frequent ones.
Text system_error_text(int error_number);

}  // namespace harness::base
