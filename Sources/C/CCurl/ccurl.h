// The functions of libcurl that we call, declared here so that the build needs no curl/curl.h. The declarations are
// those of https://curl.se/libcurl/c/allfuncs.html, the numbers those of include/curl/curl.h.
//
// The library is loaded when the network is first used, because loading it and its dependencies takes as long as
// everything else that a command without network does.
#ifndef BLOG_CCURL_H
#define BLOG_CCURL_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

typedef struct ccurl_easy CURL;
typedef struct ccurl_multi CURLM;
typedef int CURLcode;
typedef int CURLMcode;

struct curl_slist {
    char *data;
    struct curl_slist *next;
};

typedef struct {
    int msg;
    CURL *easy_handle;
    union {
        void *whatever;
        CURLcode result;
    } data;
} CURLMsg;

typedef size_t (*ccurl_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*ccurl_connected_callback)(
    void *context, char *remote_address, char *local_address, int remote_port, int local_port);

// The address to connect to (struct curl_sockaddr), which may be longer than `address`.
typedef struct ccurl_address {
    int family;
    int type;
    int protocol;
    unsigned int length;
    struct sockaddr address;
} ccurl_address;
typedef int (*ccurl_socket_callback)(void *context, int purpose, ccurl_address *address);

// The functions of the loaded library. Sendable, because they never change.
typedef struct __attribute__((swift_attr("@Sendable"))) {
    CURLcode (*global_init)(long flags);
    CURL *(*easy_init)(void);
    void (*easy_cleanup)(CURL *easy);
    CURLcode (*easy_setopt)(CURL *easy, int option, ...);
    CURLcode (*easy_getinfo)(CURL *easy, int info, ...);
    CURLcode (*easy_pause)(CURL *easy, int mask);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
    void (*slist_free_all)(struct curl_slist *list);
    CURLM *(*multi_init)(void);
    CURLMcode (*multi_cleanup)(CURLM *multi);
    CURLMcode (*multi_setopt)(CURLM *multi, int option, ...);
    CURLMcode (*multi_add_handle)(CURLM *multi, CURL *easy);
    CURLMcode (*multi_remove_handle)(CURLM *multi, CURL *easy);
    CURLMcode (*multi_perform)(CURLM *multi, int *running);
    CURLMcode (*multi_poll)(CURLM *multi, void *extra, unsigned count, int milliseconds, int *ready);
    CURLMcode (*multi_wakeup)(CURLM *multi);
    CURLMsg *(*multi_info_read)(CURLM *multi, int *left);
} CCurl;

enum {
    CURL_GLOBAL_DEFAULT = 3,
    CURL_WRITEFUNC_PAUSE = 0x10000001,
    CURLPAUSE_CONT = 0,
    CURLMSG_DONE = 1,
    CURL_HTTP_VERSION_2TLS = 4,

    CURLOPT_NOPROGRESS = 43,
    CURLOPT_FRESH_CONNECT = 74,
    CURLOPT_HTTP_VERSION = 84,
    CURLOPT_BUFFERSIZE = 98,
    CURLOPT_NOSIGNAL = 99,
    CURLOPT_CONNECTTIMEOUT_MS = 156,
    CURLOPT_PROTOCOLS = 181,
    CURLOPT_SUPPRESS_CONNECT_HEADERS = 265,
    CURLOPT_WRITEDATA = 10001,
    CURLOPT_URL = 10002,
    CURLOPT_PROXY = 10004,
    CURLOPT_HTTPHEADER = 10023,
    CURLOPT_HEADERDATA = 10029,
    CURLOPT_CAINFO = 10065,
    CURLOPT_CAPATH = 10097,
    CURLOPT_ACCEPT_ENCODING = 10102,
    CURLOPT_OPENSOCKETDATA = 10164,
    CURLOPT_COPYPOSTFIELDS = 10165,
    CURLOPT_NOPROXY = 10177,
    CURLOPT_PREREQDATA = 10313,
    CURLOPT_WRITEFUNCTION = 20011,
    CURLOPT_HEADERFUNCTION = 20079,
    CURLOPT_OPENSOCKETFUNCTION = 20163,
    CURLOPT_PREREQFUNCTION = 20312,

    CURLINFO_PRIMARY_IP = 0x100020,
    CURLINFO_RESPONSE_CODE = 0x200002,
    CURLINFO_SSL_VERIFYRESULT = 0x20000D,
    CURLINFO_OS_ERRNO = 0x200019,

    CURLMOPT_MAX_HOST_CONNECTIONS = 7,
    CURLMOPT_MAX_TOTAL_CONNECTIONS = 13,

    CURLE_UNSUPPORTED_PROTOCOL = 1,
    CURLE_URL_MALFORMAT = 3,
    CURLE_COULDNT_RESOLVE_PROXY = 5,
    CURLE_COULDNT_RESOLVE_HOST = 6,
    CURLE_COULDNT_CONNECT = 7,
    CURLE_WEIRD_SERVER_REPLY = 8,
    CURLE_HTTP2 = 16,
    CURLE_WRITE_ERROR = 23,
    CURLE_OUT_OF_MEMORY = 27,
    CURLE_OPERATION_TIMEDOUT = 28,
    CURLE_SSL_CONNECT_ERROR = 35,
    CURLE_RECV_ERROR = 56,
    CURLE_PEER_FAILED_VERIFICATION = 60,
    CURLE_BAD_CONTENT_ENCODING = 61,
    CURLE_FILESIZE_EXCEEDED = 63,
    CURLE_SSL_CACERT_BADFILE = 77,
    CURLE_SSL_ISSUER_ERROR = 83,
    CURLE_HTTP2_STREAM = 92,
    CURLE_PROXY = 97,
    CURLE_TOO_LARGE = 100,
};

// Loads the library; false if it is missing, or lacks a function.
static inline bool ccurl_load(CCurl *curl) {
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.4.dylib"};
    void *library = NULL;
    for (size_t index = 0; library == NULL && index < sizeof names / sizeof *names; index += 1)
        library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return false;
#define CCURL_FIND(field, name) \
    if ((*(void **)&curl->field = dlsym(library, name)) == NULL) return false
    CCURL_FIND(global_init, "curl_global_init");
    CCURL_FIND(easy_init, "curl_easy_init");
    CCURL_FIND(easy_cleanup, "curl_easy_cleanup");
    CCURL_FIND(easy_setopt, "curl_easy_setopt");
    CCURL_FIND(easy_getinfo, "curl_easy_getinfo");
    CCURL_FIND(easy_pause, "curl_easy_pause");
    CCURL_FIND(slist_append, "curl_slist_append");
    CCURL_FIND(slist_free_all, "curl_slist_free_all");
    CCURL_FIND(multi_init, "curl_multi_init");
    CCURL_FIND(multi_cleanup, "curl_multi_cleanup");
    CCURL_FIND(multi_setopt, "curl_multi_setopt");
    CCURL_FIND(multi_add_handle, "curl_multi_add_handle");
    CCURL_FIND(multi_remove_handle, "curl_multi_remove_handle");
    CCURL_FIND(multi_perform, "curl_multi_perform");
    CCURL_FIND(multi_poll, "curl_multi_poll");
    CCURL_FIND(multi_wakeup, "curl_multi_wakeup");
    CCURL_FIND(multi_info_read, "curl_multi_info_read");
#undef CCURL_FIND
    return curl->global_init(CURL_GLOBAL_DEFAULT) == 0;
}

// Swift can't call variadic functions, so each kind of option is wrapped.
static inline CURLcode ccurl_set_long(CCurl curl, CURL *easy, int option, long value) {
    return curl.easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_text(CCurl curl, CURL *easy, int option, const char *text) {
    return curl.easy_setopt(easy, option, text);
}

static inline CURLcode ccurl_set_headers(CCurl curl, CURL *easy, const struct curl_slist *headers) {
    return curl.easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

static inline CURLcode ccurl_set_data_callback(
    CCurl curl, CURL *easy, int option, ccurl_data_callback callback, int context_option, void *context) {
    CURLcode code = curl.easy_setopt(easy, option, callback);
    return code != 0 ? code : curl.easy_setopt(easy, context_option, context);
}

static inline CURLcode ccurl_set_connected_callback(
    CCurl curl, CURL *easy, ccurl_connected_callback callback, void *context) {
    CURLcode code = curl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
    return code != 0 ? code : curl.easy_setopt(easy, CURLOPT_PREREQDATA, context);
}

static inline CURLcode ccurl_set_socket_callback(
    CCurl curl, CURL *easy, ccurl_socket_callback callback, void *context) {
    CURLcode code = curl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
    return code != 0 ? code : curl.easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
}

// A pointer to the address itself; Swift would copy only its first bytes.
static inline const struct sockaddr *ccurl_sockaddr(const ccurl_address *address) { return &address->address; }

// The socket that libcurl would open, but closed on exec.
static inline int ccurl_open_socket(const ccurl_address *address) {
#ifdef SOCK_CLOEXEC
    return socket(address->family, address->type | SOCK_CLOEXEC, address->protocol);
#else
    return socket(address->family, address->type, address->protocol);
#endif
}

static inline CURLMcode ccurl_multi_set_long(CCurl curl, CURLM *multi, int option, long value) {
    return curl.multi_setopt(multi, option, value);
}

static inline long ccurl_get_long(CCurl curl, CURL *easy, int info) {
    long value = 0;
    return curl.easy_getinfo(easy, info, &value) == 0 ? value : 0;
}

static inline const char *ccurl_get_text(CCurl curl, CURL *easy, int info) {
    const char *text = NULL;
    return curl.easy_getinfo(easy, info, &text) == 0 ? text : NULL;
}

// Swift can't import a field of a union.
static inline CURLcode ccurl_result(const CURLMsg *message) { return message->data.result; }

#endif
