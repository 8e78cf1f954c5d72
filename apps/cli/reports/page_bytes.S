// SPDX-License-Identifier: MIT
// The bytes of the pages, each between a begin and an end label. There are none if the viewer was not built.

  .section .rodata
  .globl forkmunk_replay_template_begin
forkmunk_replay_template_begin:
  .incbin FORKMUNK_REPLAY_TEMPLATE
  .globl forkmunk_replay_template_end
forkmunk_replay_template_end:
  .byte 0
  .globl forkmunk_chart_template_begin
forkmunk_chart_template_begin:
  .incbin FORKMUNK_CHART_TEMPLATE
  .globl forkmunk_chart_template_end
forkmunk_chart_template_end:
  .byte 0
  .globl forkmunk_scene_template_begin
forkmunk_scene_template_begin:
  .incbin FORKMUNK_SCENE_TEMPLATE
  .globl forkmunk_scene_template_end
forkmunk_scene_template_end:
  .byte 0

// Without this section the linker makes the stack of the whole program executable.
  .section .note.GNU-stack, "", %progbits
