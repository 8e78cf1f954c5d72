#pragma once

namespace forkmunk::io {

/// Opens those of stdin, stdout and stderr that are closed, so that no file opened later takes their numbers and gets
/// their text. What was closed stays useless: reading such a stdin and writing such a stdout fail; what is written to
/// such a stderr is dropped.   For the first line of main().
void secure_standard_streams() noexcept;

/// Hands what was printed on to the system. \param error  what printing has failed with, where that is known: stdio
/// keeps no reason. \throws Error if some of what was printed since the start is lost.
void flush_stdout(int error = 0);

/// For after the last line of stdin. \throws Error if that was no end but a failure.
void check_stdin();

}  // namespace forkmunk::io
