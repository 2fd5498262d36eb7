// glibc's settings of its allocator, which Swift's module of it leaves out.

#ifdef __linux__
#include <malloc.h>
#endif
