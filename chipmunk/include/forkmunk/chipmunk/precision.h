// SPDX-License-Identifier: MIT
#pragma once

#include <chipmunk/chipmunk_types.h>

/// The precision of Chipmunk's numbers, cpFloat. Chipmunk and everything that depends on its types is compiled twice:
/// with doubles, and with floats in the inline namespaces `single`. A program may link both, because no name is the
/// same. The headers of forkmunk::space_single, which come before any other Chipmunk's, select floats.
#ifdef FORKMUNK_SINGLE
#define FORKMUNK_CHIPMUNK chipmunk::inline single
#define FORKMUNK_SPACE space::inline single
#else
#define FORKMUNK_CHIPMUNK chipmunk
#define FORKMUNK_SPACE space
#endif

/// A constant that depends on the rounding of cpFloat.
#define FORKMUNK_BY_PRECISION(of_double, of_float) (sizeof(cpFloat) == sizeof(double) ? (of_double) : (of_float))

/// The largest distance of a contact from a surface, in parts of the sum of the coordinates and radii.
#define FORKMUNK_SURFACE_TOLERANCE FORKMUNK_BY_PRECISION(1e-9, 1e-5)

#if defined(FORKMUNK_SINGLE) == CP_USE_DOUBLES
#error \
    "Chipmunk's headers are not those of the linked library: CP_USE_DOUBLES is no setting; link forkmunk::space_single"
#endif
