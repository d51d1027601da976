#!/usr/bin/env python3
"""Does the jobs of jobs.py with the first command that one would guess, and looks at what was made.

    run.py BINARY [--only NUMBER,…] [--keep FOLDER] [--least N]

A job is done where size, frames, times and bytes are right, as programs read them that are not ours. Some first guesses are
words of other programs: these are refused, with the right word. Prints a line for each that fails, and the count; exit status 1 if
fewer than N (all but those that no version does) are done. Needs ffmpeg, Pillow, libavif's programs and webp's.
"""
import argparse
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path

from jobs import JOBS, Inputs, Work


def attempt(job, work):
    """Why it is not done, or None."""
    try:
        job.check(work)
    except AssertionError as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return f'{error or frame.line}\n      {work.said}'
    except Exception as error:  # a result that cannot be read
        return f'{type(error).__name__}: {error}\n      {work.said}'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('binary', type=Path)
    parser.add_argument('--only', default='')
    parser.add_argument('--keep', type=Path, metavar='FOLDER')
    parser.add_argument('--least', type=int)
    options = parser.parse_args()
    chosen = [job for job in JOBS if not options.only or str(job.number) in options.only.split(',')]
    done = 0
    with tempfile.TemporaryDirectory(prefix='jobs-') as scratch:
        root = (options.keep or Path(scratch)).resolve()
        inputs = Inputs(root / 'inputs')
        for job in chosen:
            folder = root / f'{job.number:02}'
            shutil.rmtree(folder, ignore_errors=True)
            began = time.monotonic()
            fault = attempt(job, Work(options.binary.resolve(), folder, inputs))
            done += fault is None
            if fault or options.only:
                print(f'{job.number:2}  {job.title} ({time.monotonic() - began:.1f} s): {fault or "done"}', flush=True)
    print(f'{done} of {len(chosen)} jobs are done at the first guess.')
    least = len(chosen) if options.least is None else options.least
    sys.exit(done < least)


if __name__ == '__main__':
    main()
