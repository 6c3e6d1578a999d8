/* SPDX-License-Identifier: MIT */
/* A library with a thread-local word that is found without a call, as drivers have them (reload_test.c). */
int *reload_word(void);

static __attribute__((tls_model("initial-exec"))) _Thread_local int word;

int *reload_word(void)
{
    return &word;
}
