"""Runs the plain tests of one file under MicroPython: micropython run_on_micropython.py ROOT FILE.

A plain test file imports nothing but the rooms and fakes.py, and has functions named test_*.
"""

import sys


def run(root, file):
    folder, name = file.rsplit("/", 1)
    sys.path[:] = [folder, root, root + "/tests", ".frozen"]
    module = __import__(name.replace(".py", ""))
    count = failed = 0
    for test in sorted(dir(module)):
        if not test.startswith("test_"):
            continue
        count += 1
        try:
            getattr(module, test)()
        except Exception as error:
            failed += 1
            print("FAILED", test)
            sys.print_exception(error)
    print("%d passed, %d failed" % (count - failed, failed))
    sys.exit(1 if failed or not count else 0)


run(sys.argv[1], sys.argv[2])
