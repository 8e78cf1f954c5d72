#pragma once

#include <forkmunk/base/error.h>

namespace forkmunk::io {

/// Opens the descriptors of stdin, stdout and stderr that are closed, so that no file opened later gets their numbers
/// and their output. Reading a closed stdin and writing a closed stdout still fail; a closed stderr drops its output.
/// Call it first in main().
void secure_standard_streams() noexcept;

/// Flushes stdout. \param error  errno of an earlier failed print, if known: stdio does not store it. \throws Error if
/// any output since the start of the program was lost.
void flush_stdout(int error = 0);

/// Call it after the last line of stdin. \throws Error if reading ended by an error, not by the end of input.
void check_stdin();

}  // namespace forkmunk::io
