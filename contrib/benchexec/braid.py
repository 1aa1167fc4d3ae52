"""Braid for BenchExec: how it is called for a task, and what its answers mean."""

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task


class Tool(benchexec.tools.template.BaseTool2):
    """Braid, a verifier for concurrent programs."""

    # As scripts/archive has it.
    REQUIRED_PATHS = ["bin", "lib"]

    # The part of a time limit that Braid may use; it answers `unknown` when that is over.
    SHARE = 0.95

    ANSWERS = {"true": result.RESULT_TRUE_PROP, "unknown": result.RESULT_UNKNOWN}

    # What the exit status means where there is no answer.
    STATUSES = {2: "wrong usage", 3: "input rejected", 70: "internal error", 74: "no output"}

    def name(self):
        return "Braid"

    def executable(self, tool_locator):
        return tool_locator.find_executable("braid", subdir="bin")

    def program_files(self, executable):
        return self._program_files_from_executable(executable, self.REQUIRED_PATHS, parent_dir=True)

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="braid")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "verify", "--svcomp", *options]
        # `braid bench --benchexec` names properties that have no formula.
        if task.property_file and "--property" not in options:
            command += ["--property", task.property_file]
        model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"})
        if model and "--data-model" not in options:
            command += ["--data-model", model]
        limit = rlimits.walltime or rlimits.cputime
        if limit and "--timeout" not in options:
            command += ["--timeout", f"{limit * self.SHARE:.0f}s"]
        return command + [task.single_input_file]

    def determine_result(self, run):
        last = next((line.strip() for line in reversed(run.output) if line.strip()), "")
        if last in self.ANSWERS:
            return self.ANSWERS[last]
        if last == "false":
            return result.RESULT_FALSE_PROP
        if last.startswith("false(") and last.endswith(")"):
            return last
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        status = run.exit_code.value
        return result.RESULT_ERROR + f" ({self.STATUSES.get(status, status)})"
