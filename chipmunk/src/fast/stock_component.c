/* Chipmunk's own cpSpaceComponent.c, unchanged, but for contacts: they stay with their arbiter while its bodies sleep.
 */
#include "fast/stock_step.h"

#include <chipmunk/chipmunk_private.h>
#include <string.h>

#undef cpcalloc
#undef cpfree
#define cpcalloc(count, bytes) cpArbiterOwnContacts(arb)
#define cpfree(contacts) ((void)(contacts))
#define memcpy memmove /* to the same place */
#define cpContactBufferGetArray(space) cpArbiterOwnContacts(arb)
#define cpSpacePushContacts(space, count) ((void)(count))
#include <cpSpaceComponent.c>
