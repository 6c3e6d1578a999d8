/* SPDX-License-Identifier: MIT */
/* A library with 64 bytes of thread-local words that a thread finds without a call, as drivers have (tls_test.c). */
int *tls_words(void);

static __attribute__((tls_model("initial-exec"))) _Thread_local int words[16];

int *tls_words(void)
{
    return words;
}
