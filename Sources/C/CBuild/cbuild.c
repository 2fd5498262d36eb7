#include "cbuild.h"

const char *cbuild_commit(void) { return BLOG_COMMIT; }
