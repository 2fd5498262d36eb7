/// The commit as `make` found it in git, with "-modified" if files had changed; "" if unknown.
const char *cbuild_commit(void);
