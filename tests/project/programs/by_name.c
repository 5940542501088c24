/* Linked with the vendor's libraries by name. */
#include <stdio.h>

#include "acl/acl.h"

int main(void) { return puts(aclrtGetSocName()) < 0; }
