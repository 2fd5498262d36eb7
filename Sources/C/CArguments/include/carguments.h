/// The number of the program's arguments, its name among them. Swift reads them from /proc, which a bare container may
/// not have.
int carguments_count(void);
/// The argument at an index below the number.
const char *carguments_at(int index);
