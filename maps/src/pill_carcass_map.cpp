#include "blueprints.h"

namespace forkmunk::maps {

// The pill with a bar across its middle, above the cars.
Blueprint pill_carcass_map() { return extended(pill_map(), 4, {{{300, 400}, {900, 400}}}, {}); }

}  // namespace forkmunk::maps
