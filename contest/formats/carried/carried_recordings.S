// SPDX-License-Identifier: MIT
// The bytes of the program's built-in recordings, each between a begin and an end label. CMake generates the list, with
// one RECORDING(index, arithmetic, name, path) per line.

#define RECORDING(index, arithmetic, name, path)  \
  .balign 16;                                     \
  .globl forkmunk_recording_##index##_begin;      \
  forkmunk_recording_##index##_begin:;            \
  .incbin path;                                   \
  .globl forkmunk_recording_##index##_end;        \
  forkmunk_recording_##index##_end:;

  .section .rodata
#include "carried_recordings.def"

// Without this section the linker makes the stack of the whole program executable.
  .section .note.GNU-stack, "", %progbits
