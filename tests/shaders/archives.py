# SPDX-License-Identifier: MIT
"""
SPIR-V modules in files: SPIR-V itself, of either byte order; archives of Fossilize (.foz); the project's own packs
(tests/corpus/pack.h); assembly and GLSL (assembly.py).

An archive of Fossilize begins with 0x81 "FOSSILIZEDB", three zeros and its version. Entries follow: 24 hexadecimal digits
of a tag, 16 of a hash, then four 32-bit words, lowest byte first: bytes stored, 1 for plain or 2 for deflated bytes (zlib's
form), the CRC of what is stored (0: none), bytes behind that. The last one may be cut off. Tag 4 is a shader module: JSON,
a byte 0, and the words that `shaderModules` tells of with `varintOffset`, `varintSize` and `codeSize` (bytes of SPIR-V),
seven bits a byte, the lowest first, the highest bit set where more follow. Older ones have the words in base64, as `code`.
"""
import array
import base64
import json
import os
import re
import struct
import sys
import zlib

import assembly

SPIRV_MAGIC = 0x07230203
FOZ_MAGIC = b"\x81FOSSILIZEDB\0\0\0"
FOZ_SHADER_MODULE = 4
PACK_MAGIC = b"CPAK"
HEADER_BYTES = 20
# What the layer's setting dump_dir leaves beside the program's modules: they are its own work.
REWRITTEN = re.compile(r"[0-9a-f]{16}\.tier\d\.[0-9a-f]{8}\.spv$")


class Broken(Exception):
    """Something in a file is not as its format has it."""


def decode_varint(data, count):
    """`count` words of seven bits a byte."""
    words, at = array.array("I"), 0
    for _ in range(count):
        word, shift = 0, 0
        while True:
            if at == len(data) or shift > 28:
                raise Broken("words end early, or one has too many bytes")
            byte = data[at]
            at += 1
            word |= (byte & 0x7f) << shift
            shift += 7
            if not byte & 0x80:
                break
        words.append(word & 0xffffffff)
    if at != len(data):
        raise Broken("bytes are left behind the words")
    if sys.byteorder == "big":
        words.byteswap()
    return words.tobytes()


def modules_of_payload(payload):
    """The SPIR-V of one entry of an archive."""
    text, _, binary = payload.partition(b"\0")
    try:
        modules = json.loads(text)["shaderModules"]
        for module in modules.values():
            if "varintOffset" in module:
                start, size = int(module["varintOffset"]), int(module["varintSize"])
                if start < 0 or size < 0 or start + size > len(binary):
                    raise Broken("words lie beyond the entry")
                yield decode_varint(binary[start:start + size], int(module["codeSize"]) // 4)
            else:
                yield base64.b64decode(module["code"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Broken(f"an entry's JSON: {error}") from error


def modules_of_foz(data):
    """Yields modules, and for what is broken an instance of Broken; what is cut off at the end is not there."""
    at, header = len(FOZ_MAGIC) + 1, 40 + 16
    while at + header <= len(data):
        stored, how, crc, size = struct.unpack_from("<4I", data, at + 40)
        payload = data[at + header:at + header + stored]
        try:
            tag = int(data[at:at + 24], 16)
        except ValueError:
            yield Broken("an entry without a tag: nothing is read behind it")
            return
        at += header + stored
        if at > len(data):
            return
        if tag != FOZ_SHADER_MODULE:
            continue
        try:
            if crc and zlib.crc32(payload) != crc:
                raise Broken("an entry's sum is wrong")
            if how not in (1, 2):
                raise Broken(f"an entry is packed in form {how}")
            payload = zlib.decompress(payload) if how == 2 else payload
            if len(payload) != size:
                raise Broken("an entry has another size than it says")
            yield from modules_of_payload(payload)
        except (Broken, zlib.error) as error:
            yield error if isinstance(error, Broken) else Broken(f"an entry cannot be unpacked: {error}")


def modules_of_pack(data):
    """The corpus's own."""
    words = array.array("I", data[:len(data) // 4 * 4])
    at = 1
    while at + 5 <= len(words):
        start = at + 5 + words[at]
        end = start + words[at + 1]
        yield words[start:end].tobytes()
        at = end


def in_file_order(data):
    """SPIR-V as this machine has words; None if it is none."""
    if len(data) < HEADER_BYTES or len(data) % 4:
        return None
    words = array.array("I", data)
    if words[0] != SPIRV_MAGIC:
        words.byteswap()
    return words.tobytes() if words[0] == SPIRV_MAGIC else None


def may_have_modules(path):
    """Whether a file looks like one with modules or with texts of such: others need not be read as texts."""
    try:
        with open(path, "rb") as file:
            data = file.read(assembly.MOST_BYTES)
    except OSError:
        return True  # modules_of_file says why
    return (data.startswith((FOZ_MAGIC, PACK_MAGIC)) or SPIRV_MAGIC in (int.from_bytes(data[:4], order) for order in (
        "little", "big")) or assembly.may_have_modules(path, data))


def modules_of_file(path, maker):
    """Yields modules as bytes, or instances of Broken; nothing of files that are something else. `maker` takes texts."""
    try:
        with open(path, "rb") as file:
            head = file.read(len(FOZ_MAGIC) + 1)
            foz, pack = head.startswith(FOZ_MAGIC), head.startswith(PACK_MAGIC)
            number = int.from_bytes(head[:4], "little"), int.from_bytes(head[:4], "big")
            binary = foz or pack or SPIRV_MAGIC in number
            data = head + file.read()
    except OSError as error:
        yield Broken(str(error))
        return
    if not binary:
        for module in assembly.modules_of_text(path, data, maker):
            yield module if module is not None else Broken("a text that spirv-as or glslang does not take")
        return
    for module in modules_of_foz(data) if foz else modules_of_pack(data) if pack else [data]:
        if isinstance(module, Broken):
            yield module
        else:
            module = in_file_order(module)
            yield module if module is not None else Broken("no whole module")


def files_below(path):
    """The file itself, or all regular files of a folder, in a settled order, but for what the layer rewrote."""
    if not os.path.isdir(path):
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            file = os.path.join(folder, name)
            if os.path.isfile(file) and not os.path.islink(file) and not REWRITTEN.match(name):
                yield file
