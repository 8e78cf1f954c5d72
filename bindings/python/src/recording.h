// SPDX-License-Identifier: MIT
#pragma once

#include "guarded.h"

#include <forkmunk/formats/recording.h>
#include <forkmunk/io/recording_writer.h>

#include <memory>
#include <string>

#include <pybind11/pybind11.h>

namespace forkmunk::python {

/// A recording that was read from a file, or of a game that was played here.
class PythonRecording : public Guarded {
 public:
  PythonRecording(formats::Recording recording, std::string name, std::string bytes, io::RecordingExtras extras = {})
      : recording_(std::move(recording)),
        extras_(std::move(extras)),
        name_(std::move(name)),
        bytes_(std::move(bytes)) {}

  [[nodiscard]] const formats::Recording& get() const {
    check_usable("Recording");
    return recording_;
  }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// Returns the file's bytes, gzip.
  [[nodiscard]] std::string visio_gz() const;
  /// Convert to the state that pickle keeps, and back. \throws Error
  [[nodiscard]] pybind11::tuple state() const;
  [[nodiscard]] static std::unique_ptr<PythonRecording> of_state(const pybind11::tuple& state);

 private:
  formats::Recording recording_;
  io::RecordingExtras extras_;
  std::string name_;
  std::string bytes_;  // as they were read; empty: not yet written
};

/// Returns the recording of a path, or the recording itself.
[[nodiscard]] std::shared_ptr<PythonRecording> recording_of(pybind11::handle object, const char* what);
/// Returns the text of a str or an os.PathLike.
[[nodiscard]] std::string path_of(pybind11::handle object, const char* what);

}  // namespace forkmunk::python
