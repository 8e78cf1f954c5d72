/* Chipmunk's own cpSpaceComponent.c, unchanged, but for contacts: they stay with their arbiter while its bodies sleep,
 * and are filed under their shapes' ids. */
#include "fast/stock_step.h"

#include <chipmunk/chipmunk_private.h>
#include <string.h>

#undef cpcalloc
#undef cpfree
#undef CP_HASH_PAIR
#define cpcalloc(count, bytes) cpArbiterOwnContacts(arb)
#define cpfree(contacts) ((void)(contacts))
#define memcpy memmove /* to the same address */
#define cpContactBufferGetArray(space) cpArbiterOwnContacts(arb)
#define cpSpacePushContacts(space, count) cpSpaceWriteContacts(space, arb)
#define cpSpaceUncacheArbiter cpSpaceUncacheContacts
#define CP_HASH_PAIR(A, B) cpSpaceContactHash(arb->a, arb->b)
#include <cpSpaceComponent.c>
