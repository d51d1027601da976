#!/usr/bin/env python3
"""Runs a command under the list of system calls of a unit of systemd, where no systemd runs.

usage: filtered.py UNIT COMMAND...

The lines SystemCallFilter=, SystemCallErrorNumber= and RestrictNamespaces= become a filter of the kernel as systemd makes it of
them: calls that are not listed fail, and so do namespaces of other kinds.
"""
import ctypes
import errno
import os
import platform
import re
import struct
import subprocess
import sys

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
ARCHITECTURES = {"x86_64": (0xC000003E, "asm/unistd_64.h"), "aarch64": (0xC00000B7, "asm-generic/unistd.h")}
NAMESPACES = {"mnt": 0x00020000, "cgroup": 0x02000000, "uts": 0x04000000, "ipc": 0x08000000, "user": 0x10000000,
              "pid": 0x20000000, "net": 0x40000000}


def numbers(header):
    text = subprocess.run(["cpp", "-dM", "-include", header, "/dev/null"], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^#define __NR_(\w+) (\d+)$", text, re.M)
    return {name: int(number) for name, number in found}


def members(word):
    """The calls of a word, groups of groups included."""
    if not word.startswith("@"):
        return {word}
    lines = subprocess.run(
        ["systemd-analyze", "syscall-filter", "--no-pager", word], capture_output=True, text=True, check=True).stdout
    words = [line.split("#")[0].strip() for line in lines.splitlines()[1:]]
    return set().union(*(members(word) for word in words if word))


def read(unit):
    calls, namespaces, failure, started = set(members("@default")), None, errno.EPERM, False
    for line in open(unit):
        name, _, value = line.strip().partition("=")
        if name == "SystemCallFilter":
            isRefusal = value.startswith("~")
            listed = set().union(*(members(word) for word in value.lstrip("~").split()))
            calls, started = (calls - listed if isRefusal else calls | listed), True
        elif name == "SystemCallErrorNumber":
            failure = getattr(errno, value)
        elif name == "RestrictNamespaces":
            namespaces = value.split()
    if not started:
        sys.exit(f"{unit} has no list of system calls.")
    return calls, namespaces, failure


def program(calls, namespaces, failure):
    architecture, header = ARCHITECTURES[platform.machine()]
    number = numbers(header)
    LOAD, EQUAL, SET, RETURN = 0x20, 0x15, 0x45, 0x06
    code = [(LOAD, 0, 0, 4), (EQUAL, 1, 0, architecture), (RETURN, 0, 0, KILL), (LOAD, 0, 0, 0)]
    if namespaces is not None:
        refused = sum(flag for name, flag in NAMESPACES.items() if name not in namespaces)
        for call in ("clone", "unshare"):
            code += [(EQUAL, 0, 4, number[call]), (LOAD, 0, 0, 16), (SET, 0, 1, refused),
                     (RETURN, 0, 0, ERRNO | errno.EPERM), (LOAD, 0, 0, 0)]
        # Its flags are in memory, which no filter reads; systemd lets C libraries fall back as well.
        code += [(EQUAL, 0, 1, number["clone3"]), (RETURN, 0, 0, ERRNO | errno.ENOSYS)]
    for name in sorted(calls & set(number)):
        code += [(EQUAL, 0, 1, number[name]), (RETURN, 0, 0, ALLOW)]
    code.append((RETURN, 0, 0, ERRNO | failure))
    return code


def main():
    unit, command = sys.argv[1], sys.argv[2:]
    code = program(*read(unit))
    data = b"".join(struct.pack("HBBI", *step) for step in code)
    buffer = ctypes.create_string_buffer(data)

    class Filter(ctypes.Structure):
        _fields_ = [("count", ctypes.c_ushort), ("code", ctypes.c_void_p)]

    libc = ctypes.CDLL(None, use_errno=True)
    filter = Filter(len(code), ctypes.addressof(buffer))
    path = command[0]
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(filter)):
        sys.exit(f"The filter is refused: {os.strerror(ctypes.get_errno())}")
    os.execv(path, command)


main()
