/* Chipmunk's own cpArray.c, unchanged, but for memory: an array has its first element inside, in what its chunk of the
 * arena has room for. Odd counts of pointers fill a chunk. */
#include <chipmunk/chipmunk_private.h>

static void** element_inside(cpArray* array) { return (void**)(array + 1); }
static void free_elements(cpArray* array) {
  if (array->arr != element_inside(array)) forkmunk_chipmunk_free(array->arr);
}

#define cpArrayNew cpArrayNewStock
#define cpArrayFree cpArrayFreeStock
#define cpArrayPush cpArrayPushStock
#include <cpArray.c>
#undef cpArrayNew
#undef cpArrayFree
#undef cpArrayPush

static void grow(cpArray* array, int count) {
  const size_t bytes = (size_t)count * sizeof(void*);
  void** const inside = element_inside(array);
  if (array->arr == inside) {
    array->arr = forkmunk_chipmunk_allocate(bytes, array, FORKMUNK_KIND_POINTERS);
    array->arr[0] = *inside;
    *inside = NULL;
  } else {
    array->arr = forkmunk_arena_realloc(array->arr, bytes, array, FORKMUNK_KIND_POINTERS);
  }
  array->max = count;
}

cpArray* cpArrayNew(int size) {
  cpArray* array = forkmunk_chipmunk_allocate(sizeof(cpArray) + sizeof(void*), NULL, FORKMUNK_KIND_ARRAY);
  array->arr = element_inside(array);
  array->max = 1;
  if (size > 1) grow(array, size);
  return array;
}

void cpArrayFree(cpArray* array) {
  if (!array) return;
  free_elements(array);
  array->arr = NULL;
  forkmunk_chipmunk_free(array);
}

void cpArrayPush(cpArray* array, void* object) {
  if (array->num == array->max) {
    const int more = array->max < 32 ? array->max / 2 + 2 : array->max / 4;
    grow(array, (array->max + more) | 1);
  }
  array->arr[array->num++] = object;
}
