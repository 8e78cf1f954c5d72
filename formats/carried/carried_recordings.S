// The bytes of the recordings that the program carries, each between a begin and an end label. The list is CMake's:
// RECORDING(index, arithmetic, name, path), one a line.

#define RECORDING(index, arithmetic, name, path)  \
  .balign 16;                                     \
  .globl forkmunk_recording_##index##_begin;      \
  forkmunk_recording_##index##_begin:;            \
  .incbin path;                                   \
  .globl forkmunk_recording_##index##_end;        \
  forkmunk_recording_##index##_end:;

  .section .rodata
#include "carried_recordings.def"

// Without it the linker would make the whole program's stack executable.
  .section .note.GNU-stack, "", %progbits
