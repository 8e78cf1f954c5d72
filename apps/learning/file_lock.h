#pragma once

#include <string>

namespace forkmunk::learning {

/// Locks a file that is replaced instead of modified, against other processes of this program: creates and locks an
/// empty file FILE.lock until destruction. A lock file that a killed process left is reused.
class FileLock {
 public:
  /// \throws Error if another process has the lock, or if the lock file cannot be created.
  explicit FileLock(const std::string& file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace forkmunk::learning
