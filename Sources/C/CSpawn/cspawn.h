// What glibc lets a started program begin with, besides what POSIX does, which Swift's module of it leaves out.

#ifdef __linux__
#include <spawn.h>

int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
#endif
