// SPDX-License-Identifier: MIT
#pragma once

#include <chipmunk/chipmunk_types.h>

/// Chipmunk and everything that depends on its types is compiled twice: with doubles, and with floats in the inline
/// namespaces `single`. A program may link both. The headers of forkmunk::space_single select floats, and must come
/// before any other header of Chipmunk.
#ifdef FORKMUNK_SINGLE
#define FORKMUNK_CHIPMUNK chipmunk::inline single
#define FORKMUNK_SPACE space::inline single
#else
#define FORKMUNK_CHIPMUNK chipmunk
#define FORKMUNK_SPACE space
#endif

/// A constant that depends on the rounding of cpFloat.
#define FORKMUNK_BY_PRECISION(of_double, of_float) (sizeof(cpFloat) == sizeof(double) ? (of_double) : (of_float))

/// The largest distance of a contact from a surface, in parts of the sum of coordinates and radii.
#define FORKMUNK_SURFACE_TOLERANCE FORKMUNK_BY_PRECISION(1e-9, 1e-5)

#if defined(FORKMUNK_SINGLE) == CP_USE_DOUBLES
#error \
    "Chipmunk's headers are not those of the linked library: CP_USE_DOUBLES is no setting; link forkmunk::space_single"
#endif
