#pragma once

/// What a step computes is compiled once for each kind of processor (engine/CMakeLists.txt), each time in a namespace
/// of its own: no function of one kind is ever called by another, and what all of them share lies in flat itself. The
/// same bits come of all, because the instructions differ in width only; products and sums are never contracted.
#ifndef FORKMUNK_KERNEL
#define FORKMUNK_KERNEL baseline
#endif
