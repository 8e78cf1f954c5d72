#include "file_lock.h"

#include <forkmunk/base/error.h>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace forkmunk::learning {
namespace {

// The last owner of the lock removes its file: the open descriptor may be of a removed file.
bool exists_still(int descriptor, const std::string& path) {
  struct stat opened {};
  struct stat found {};
  return fstat(descriptor, &opened) == 0 && stat(path.c_str(), &found) == 0 && opened.st_ino == found.st_ino &&
         opened.st_dev == found.st_dev;
}

}  // namespace

FileLock::FileLock(const std::string& file) : path_(file + ".lock") {
  while (true) {
    descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor_ < 0) throw Error("cannot write " + path_ + ": " + std::strerror(errno));
    const bool locked = flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
    if (locked && exists_still(descriptor_, path_)) return;
    const int error = errno;
    close(descriptor_);
    if (!locked) {
      throw Error(error == EWOULDBLOCK ? file + ": another process is writing this file"
                                       : "cannot lock " + path_ + ": " + std::strerror(error));
    }
  }
}

FileLock::~FileLock() {
  unlink(path_.c_str());
  close(descriptor_);
}

}  // namespace forkmunk::learning
