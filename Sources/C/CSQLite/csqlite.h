// The functions of SQLite's C interface that BlogKit calls, declared here so that building needs no
// sqlite3.h. Each declaration is that of https://www.sqlite.org/c3ref/funclist.html.
#ifndef BLOG_CSQLITE_H
#define BLOG_CSQLITE_H

#include <stdint.h>

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef struct sqlite3_context sqlite3_context;
typedef struct sqlite3_value sqlite3_value;
typedef struct sqlite3_backup sqlite3_backup;
typedef void (*sqlite3_destructor_type)(void *);

// Result codes: https://www.sqlite.org/rescode.html
#define SQLITE_OK 0
#define SQLITE_PERM 3
#define SQLITE_BUSY 5
#define SQLITE_LOCKED 6
#define SQLITE_READONLY 8
#define SQLITE_INTERRUPT 9
#define SQLITE_IOERR 10
#define SQLITE_CORRUPT 11
#define SQLITE_FULL 13
#define SQLITE_CANTOPEN 14
#define SQLITE_TOOBIG 18
#define SQLITE_NOTADB 26
#define SQLITE_ROW 100
#define SQLITE_DONE 101

#define SQLITE_NULL 5

#define SQLITE_LIMIT_LENGTH 0

#define SQLITE_STMTSTATUS_VM_STEP 4

#define SQLITE_OPEN_READONLY 0x00000001
#define SQLITE_OPEN_READWRITE 0x00000002
#define SQLITE_OPEN_CREATE 0x00000004
#define SQLITE_OPEN_URI 0x00000040
#define SQLITE_OPEN_NOMUTEX 0x00008000

#define SQLITE_UTF8 1
#define SQLITE_DETERMINISTIC 0x000000800

int sqlite3_config(int option, ...);
int sqlite3_db_config(sqlite3 *database, int option, ...);

int sqlite3_open_v2(const char *filename, sqlite3 **database, int flags, const char *vfs);
int sqlite3_close_v2(sqlite3 *database);
int sqlite3_extended_result_codes(sqlite3 *database, int on);
int sqlite3_busy_timeout(sqlite3 *database, int milliseconds);
int sqlite3_limit(sqlite3 *database, int category, int value);
void sqlite3_progress_handler(sqlite3 *database, int steps, int (*stops)(void *), void *context);
int sqlite3_extended_errcode(sqlite3 *database);
const char *sqlite3_errmsg(sqlite3 *database);
int sqlite3_exec(
    sqlite3 *database, const char *sql, int (*row)(void *, int, char **, char **), void *context, char **message);
int sqlite3_changes(sqlite3 *database);
int64_t sqlite3_last_insert_rowid(sqlite3 *database);

int sqlite3_prepare_v3(
    sqlite3 *database, const char *sql, int bytes, unsigned int flags, sqlite3_stmt **statement, const char **tail);
int sqlite3_step(sqlite3_stmt *statement);
int sqlite3_reset(sqlite3_stmt *statement);
int sqlite3_finalize(sqlite3_stmt *statement);
int sqlite3_stmt_status(sqlite3_stmt *statement, int operation, int reset);
int sqlite3_bind_parameter_count(sqlite3_stmt *statement);
int sqlite3_bind_null(sqlite3_stmt *statement, int index);
int sqlite3_bind_int64(sqlite3_stmt *statement, int index, int64_t value);
int sqlite3_bind_double(sqlite3_stmt *statement, int index, double value);
int sqlite3_bind_text64(
    sqlite3_stmt *statement, int index, const char *text, uint64_t bytes, sqlite3_destructor_type destructor,
    unsigned char encoding);
int sqlite3_column_type(sqlite3_stmt *statement, int column);
int64_t sqlite3_column_int64(sqlite3_stmt *statement, int column);
const unsigned char *sqlite3_column_text(sqlite3_stmt *statement, int column);
int sqlite3_column_bytes(sqlite3_stmt *statement, int column);

int sqlite3_create_function_v2(
    sqlite3 *database, const char *name, int arguments, int flags, void *context,
    void (*function)(sqlite3_context *, int, sqlite3_value **), void (*step)(sqlite3_context *, int, sqlite3_value **),
    void (*final)(sqlite3_context *), void (*destroy)(void *));
const unsigned char *sqlite3_value_text(sqlite3_value *value);
int sqlite3_value_bytes(sqlite3_value *value);
void sqlite3_result_text64(
    sqlite3_context *context, const char *text, uint64_t bytes, sqlite3_destructor_type destructor,
    unsigned char encoding);

sqlite3_backup *sqlite3_backup_init(
    sqlite3 *destination, const char *destinationName, sqlite3 *source, const char *sourceName);
int sqlite3_backup_step(sqlite3_backup *backup, int pages);
int sqlite3_backup_finish(sqlite3_backup *backup);

// Memory statistics aren't used and take a lock per allocation. Wrapped because Swift can't call variadic functions.
static inline int csqlite_disable_memory_statistics(void) { return sqlite3_config(9 /* SQLITE_CONFIG_MEMSTATUS */, 0); }

// Whether closing the last connection leaves the write-ahead log as it is.
static inline int csqlite_keep_log(sqlite3 *database, int keeps) {
    return sqlite3_db_config(database, 1006 /* SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE */, keeps, (int *)0);
}

// SQLITE_TRANSIENT (SQLite copies the text at once) is a cast that Swift can't import.
static inline int csqlite_bind_copied_text(sqlite3_stmt *statement, int index, const void *text, uint64_t bytes) {
    return sqlite3_bind_text64(statement, index, (const char *)text, bytes, (sqlite3_destructor_type)(intptr_t)-1, SQLITE_UTF8);
}

// SQLITE_STATIC: the text stays valid until another one is bound.
static inline int csqlite_bind_kept_text(sqlite3_stmt *statement, int index, const void *text, uint64_t bytes) {
    return sqlite3_bind_text64(statement, index, (const char *)text, bytes, (sqlite3_destructor_type)0, SQLITE_UTF8);
}

static inline void csqlite_result_text(sqlite3_context *context, const char *text, uint64_t bytes) {
    sqlite3_result_text64(context, text, bytes, (sqlite3_destructor_type)(intptr_t)-1, SQLITE_UTF8);
}

#endif
