#include "carguments.h"

static int count;
static char **values;

// glibc hands them to constructors.
__attribute__((constructor)) static void keep(int argc, char **argv) {
    count = argc;
    values = argv;
}

int carguments_count(void) { return count; }
const char *carguments_at(int index) { return values[index]; }
