/* SPDX-License-Identifier: MIT */
/* Asks every window of the X server in $DISPLAY to close, as a window manager does when its cross is pressed. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

static xcb_atom_t atom(xcb_connection_t *connection, const char *name)
{
    xcb_intern_atom_reply_t *reply =
        xcb_intern_atom_reply(connection, xcb_intern_atom(connection, 0, (uint16_t)strlen(name), name), NULL);
    const xcb_atom_t got = reply ? reply->atom : XCB_ATOM_NONE;
    free(reply);
    return got;
}

int main(void)
{
    xcb_connection_t *connection = xcb_connect(NULL, NULL);
    if (xcb_connection_has_error(connection))
        return 1;
    const xcb_atom_t protocols = atom(connection, "WM_PROTOCOLS"), close = atom(connection, "WM_DELETE_WINDOW");
    const xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(connection)).data->root;
    xcb_query_tree_reply_t *tree = xcb_query_tree_reply(connection, xcb_query_tree(connection, root), NULL);
    for (int i = 0; tree && i < xcb_query_tree_children_length(tree); i++) {
        xcb_client_message_event_t event = {
            .response_type = XCB_CLIENT_MESSAGE,
            .format = 32,
            .window = xcb_query_tree_children(tree)[i],
            .type = protocols,
            .data.data32 = {close, XCB_CURRENT_TIME},
        };
        xcb_send_event(connection, 0, event.window, XCB_EVENT_MASK_NO_EVENT, (const char *)&event);
    }
    free(tree);
    xcb_flush(connection);
    free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), NULL));
    xcb_disconnect(connection);
    return 0;
}
