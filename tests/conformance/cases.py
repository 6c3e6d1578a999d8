# SPDX-License-Identifier: MIT
"""Which cases run: a share of every group, always the same ones, and those of a smaller share among those of a greater."""
import hashlib


def names_of(case):
    """The names of a case below its package. All that is tested of OpenGL ES is below one, which says nothing."""
    names = case.split(".")[1:]
    return names[1:] if names[0] == "functional" and len(names) > 1 else names


def group_of(case):
    """The first two names below the package, where a case has more than these and its own."""
    names = names_of(case)
    return ".".join(names[:2] if len(names) > 2 else names[:1])


def top_group(case):
    return names_of(case)[0]


def order(case):
    return hashlib.blake2s(case.encode(), digest_size=8).digest()


def grouped(cases, group=group_of):
    groups = {}
    for case in cases:
        groups.setdefault(group(case), []).append(case)
    return {group: sorted(members, key=order) for group, members in groups.items()}


def count(size, fraction, least, most):
    return min(size, most or size, max(least, -(-size // fraction)))


def choose(cases, fraction, least=1, most=None, group=group_of):
    """One of fraction cases of every group, but at least some and at most some, in the order of the list."""
    chosen = {case for members in grouped(cases, group).values()
              for case in members[:count(len(members), fraction, least, most)]}
    return [case for case in cases if case in chosen]


def fraction_for(cases, wanted, least=1, most=None):
    """The fraction that gives about the wanted number: never fewer, if there are as many."""
    sizes = [len(members) for members in grouped(cases).values()]
    low, high = 1, max(sizes, default=1)
    while low < high:
        middle = (low + high + 1) // 2
        if sum(count(size, middle, least, most) for size in sizes) >= wanted:
            low = middle
        else:
            high = middle - 1
    return low


def chunks(cases, size):
    """Neighbours run in one process; the chunks' own order is mixed, so that a part of a run has been everywhere."""
    parts = [cases[at:at + size] for at in range(0, len(cases), size)]
    return sorted(parts, key=lambda part: order(part[0]))
