#pragma once

#include <string>

namespace forkmunk::learning {

/// Keeps other processes of ours off a file that is replaced rather than written to: an empty file beside it,
/// FILE.lock, which is there and locked as long as this lives. One that a killed process left behind is taken over.
class FileLock {
 public:
  /// \throws Error if another process has it, or if it cannot be made.
  explicit FileLock(const std::string& file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace forkmunk::learning
