// The bytes of the replay page between a begin and an end label; none if it was not built.

  .section .rodata
  .globl forkmunk_viewer_page_begin
forkmunk_viewer_page_begin:
  .incbin FORKMUNK_VIEWER_PAGE
  .globl forkmunk_viewer_page_end
forkmunk_viewer_page_end:
  .byte 0

// Without it the linker would make the whole program's stack executable.
  .section .note.GNU-stack, "", %progbits
