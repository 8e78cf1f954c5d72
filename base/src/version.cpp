#include <forkmunk/version.h>

#define FORKMUNK_TEXT_OF(number) #number
#define FORKMUNK_VERSION_TEXT(major, minor, patch) \
  FORKMUNK_TEXT_OF(major) "." FORKMUNK_TEXT_OF(minor) "." FORKMUNK_TEXT_OF(patch)

namespace forkmunk {

const char* version() noexcept {
  return FORKMUNK_VERSION_TEXT(FORKMUNK_VERSION_MAJOR, FORKMUNK_VERSION_MINOR, FORKMUNK_VERSION_PATCH);
}

}  // namespace forkmunk
