"""What the tool-info module makes of Braid's answers."""

import unittest

from benchexec.tools.template import BaseTool2
from benchexec.util import ProcessExitCode

import braid


class Answers(unittest.TestCase):
    def check(self, lines, status, expected, timeout=False):
        output = BaseTool2.Run(
            ("braid",), ProcessExitCode.create(value=status), BaseTool2.RunOutput(lines), "cputime" if timeout else None
        )
        self.assertEqual(braid.Tool().determine_result(output), expected)

    def test_answers(self):
        self.check(["verdict: safe\n", "true\n"], 0, "true")
        self.check(["verdict: unsafe\n", "false(no-data-race)\n"], 10, "false(no-data-race)")
        self.check(["verdict: unknown (timeout)\n", "unknown\n", "\n"], 20, "unknown")

    def test_no_answers(self):
        self.check(["a.c:1:1: error: this is no C\n"], 3, "ERROR (input rejected)")
        self.check([], 70, "ERROR (internal error)")
        self.check([], 0, "TIMEOUT", timeout=True)


if __name__ == "__main__":
    unittest.main()
