/* SPDX-License-Identifier: MIT */
/* Prints what the documents have as custom_stype_list, for as many bits as it was built for. */
#include "stype_list.h"

int main(void)
{
    char text[STYPE_LIST_SIZE];
    stype_list(text);
    puts(text);
    return 0;
}
