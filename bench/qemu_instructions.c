// SPDX-License-Identifier: MIT
// A plugin of qemu-user 7 that counts the instructions of counted_steps() (space_instructions.cpp) and its callees.
// Debian packages no qemu header, which would declare these functions. With -d, qemu reads the program's symbols.
//   gcc -shared -fPIC -o build/qemu_instructions.so bench/qemu_instructions.c
//   qemu-aarch64 -d plugin -plugin build/qemu_instructions.so PROGRAM space pyramid 200
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef uint64_t Id;
typedef struct qemu_plugin_tb Block;
typedef struct qemu_plugin_insn Instruction;
enum { kAdd = 0, kNoRegisters = 0 };
size_t qemu_plugin_tb_n_insns(const Block*);
Instruction* qemu_plugin_tb_get_insn(const Block*, size_t);
const char* qemu_plugin_insn_symbol(const Instruction*);
char* qemu_plugin_insn_disas(const Instruction*);
void qemu_plugin_register_vcpu_tb_trans_cb(Id, void (*)(Id, Block*));
void qemu_plugin_register_vcpu_tb_exec_inline(Block*, int, void*, uint64_t);
void qemu_plugin_register_vcpu_insn_exec_cb(Instruction*, void (*)(unsigned, void*), int, void*);
void qemu_plugin_register_atexit_cb(Id, void (*)(Id, void*), void*);

int qemu_plugin_version = 1;

static uint64_t executed, at_begin, at_end;

static void begin(unsigned cpu, void* data) {
  (void)cpu, (void)data;
  if (at_begin == 0) at_begin = executed;
}

static void end(unsigned cpu, void* data) {
  (void)cpu, (void)data;
  at_end = executed;
}

static void translate(Id id, Block* block) {
  (void)id;
  const size_t count = qemu_plugin_tb_n_insns(block);
  qemu_plugin_register_vcpu_tb_exec_inline(block, kAdd, &executed, count);
  for (size_t i = 0; i < count; ++i) {
    Instruction* instruction = qemu_plugin_tb_get_insn(block, i);
    const char* symbol = qemu_plugin_insn_symbol(instruction);
    if (symbol == NULL || strstr(symbol, "counted_steps") == NULL) continue;
    const char* text = qemu_plugin_insn_disas(instruction);
    const int returns = text != NULL && strncmp(text, "ret", 3) == 0;
    qemu_plugin_register_vcpu_insn_exec_cb(instruction, returns ? end : begin, kNoRegisters, NULL);
  }
}

static void print(Id id, void* data) {
  (void)id, (void)data;
  fprintf(stderr, "%" PRIu64 "\n", at_end - at_begin);
}

int qemu_plugin_install(Id id, const void* info, int argc, char** argv) {
  (void)info, (void)argc, (void)argv;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
  qemu_plugin_register_atexit_cb(id, print, NULL);
  return 0;
}
