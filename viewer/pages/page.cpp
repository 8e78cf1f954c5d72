#include "viewer/pages/page.h"

#include <cstddef>

extern "C" {
extern const char forkmunk_viewer_page_begin[];
extern const char forkmunk_viewer_page_end[];
}

namespace forkmunk::viewer {

std::string_view page() noexcept {
  return {forkmunk_viewer_page_begin, static_cast<std::size_t>(forkmunk_viewer_page_end - forkmunk_viewer_page_begin)};
}

}  // namespace forkmunk::viewer
