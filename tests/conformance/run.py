# SPDX-License-Identifier: MIT
"""Runs cases in configurations, several processes at a time, and again what differs."""
import os
import shutil
import threading
import time

from compare import excuse, unlike
from suite import CannotRun, Process

ROUNDS, MORE_ROUNDS = 2, 6  # how often a case that differs runs again alone; and if it does not always differ


class Runner:
    def __init__(self, suite, results, environments, against, options, say):
        """environments: configuration -> what the suite's program finds in its environment."""
        self.suite, self.results, self.environments, self.against = suite, results, environments, against
        self.options, self.say = options, say
        self.lock, self.stopping, self.running, self.device = threading.Lock(), False, set(), ""
        self.failure, self.finished, self.processes = None, 0, 0

    # ---- one process after the other, until each case of a list has come to something ----

    def process(self, name, cases, work, timeout, kept):
        """kept: the result counts; else it runs again to judge, and what the layer says and counts goes to other files."""
        with self.lock:
            self.processes += 1
            number = f"{time.time_ns()}.{self.processes}"
        environment = dict(self.environments[name])
        if not kept:
            for kind in ("LOG", "STATS"):
                if f"VK_CLAMPLER_{kind}_FILE" in environment:
                    environment[f"VK_CLAMPLER_{kind}_FILE"] = os.path.join(work, kind.lower())
            if "LIMITED_DRIVER_LOG" in environment:
                environment["LIMITED_DRIVER_LOG"] = os.path.join(work, "violations")

        def report(done):
            if kept and not self.stopping:
                self.results.add(name, number, *done)
        process = Process(self.suite, cases, environment, work, timeout, report)
        with self.lock:
            if self.stopping:
                raise InterruptedError
            self.running.add(process)
        try:
            process.run()
        finally:
            with self.lock:
                self.running.discard(process)
        if process.stopped:
            raise InterruptedError
        self.device = process.device or self.device
        if kept:
            self.results.add_outside(name, process.outside)
            for identifier, (case, line) in process.examples.items():
                self.results.append(name, "messages", identifier, case, line)
        return process

    def run_list(self, name, cases, work, timeout, kept=True):
        """Case -> result. A process that crashes or hangs is followed by one with the cases that are left."""
        found, left, idle = {}, list(cases), 0
        while left:
            process = self.process(name, left, work, timeout, kept)
            found.update((done[0], done[1]) for done in process.done)
            before, left = len(left), [case for case in left if case not in found]
            idle = idle + 1 if len(left) == before else 0
            if idle and process.complete:
                for case in left:  # It has no such cases.
                    found[case] = "Missing"
                    if kept:
                        self.results.add(name, "-", case, "Missing", 0, "the program has no such case", ())
                break
            if idle == 2:
                raise CannotRun(f"{name}: {self.suite.program} ends before its first case: {process.ended}\n{process.errors}")
        return found

    # ---- everything ----

    def work_folder(self, number):
        folder = os.path.join(self.options.state, "work", str(number))
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        return folder

    def left_out(self, name, case):
        """Cases that take too long without the layer already do not run with it."""
        first = self.results.by[self.against].get(case)
        return bool(self.options.longest and name != self.against and first and first.seconds > self.options.longest)

    def run_part(self, part, work):
        """The first configuration writes the cache of shaders that the others read."""
        for name in self.environments:
            cases = [case for case in part if case not in self.results.by[name] and not self.left_out(name, case)]
            self.run_list(name, cases, work, self.options.timeout)

    def run_parts(self, parts):
        """All parts, by as many threads as there are jobs."""
        queue, began = list(reversed(parts)), time.monotonic()

        def worker(number):
            while True:
                with self.lock:
                    late = self.options.seconds and time.monotonic() - began > self.options.seconds
                    if not queue or self.stopping or self.failure or late:
                        return
                    part = queue.pop()
                try:
                    self.run_part(part, self.work_folder(number))
                except InterruptedError:
                    return
                except Exception as failure:  # Whatever it is, the main thread says it.
                    with self.lock:
                        self.failure = self.failure or failure
                    return
                with self.lock:
                    self.finished += 1
                    done = self.finished
                self.say(f"{done} of {len(parts)} parts, {time.monotonic() - began:.0f} s")
        threads = [threading.Thread(target=worker, args=(number,)) for number in range(self.options.jobs)]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except BaseException:  # interrupted: no process is left behind
            self.stop()
            for thread in threads:
                thread.join()
            raise
        if self.failure:
            raise self.failure

    def stop(self):
        with self.lock:
            self.stopping = True
            running = list(self.running)
        for process in running:
            process.stop()

    # ---- what differs, again ----

    def judge(self, name, case):
        """Whether a difference is there each time: ("differs" | "flaky" | "not seen again", why)."""
        here, there = self.results.by[name][case].result, self.results.by[self.against][case].result
        work = self.work_folder("again")

        def alone(configuration):
            return self.run_list(configuration, [case], work, 2 * self.options.timeout, kept=False)[case]

        with_layer, without = [], []
        for number in range(ROUNDS + MORE_ROUNDS):
            without.append(alone(self.against))
            with_layer.append(alone(name))
            if number + 1 >= ROUNDS and here in without:
                return "flaky", f"{self.against} alone: {', '.join(without)}"
            if number + 1 == ROUNDS and len(set(with_layer)) == 1:
                break
        if set(with_layer) == {here} and set(without) == {there}:
            return "differs", f"alone as well, {len(without)} times"
        if set(with_layer) != set(without):
            return "differs", f"alone {', '.join(with_layer)}; {self.against} {', '.join(without)}"
        company = self.results.company(name, case)
        if len(company) > 1:
            found = self.run_list(name, company, work, self.options.timeout, kept=False)[case]
            other = self.run_list(self.against, company, work, self.options.timeout, kept=False)[case]
            if found == here and other != here:
                return "differs", f"behind the {len(company) - 1} cases that ran before it, not alone"
            if other == here:
                return "flaky", f"{self.against} gives {other} as well behind {len(company) - 1} other cases"
        return "not seen again", f"run {len(with_layer)} times alone, and once behind those that ran before it"

    def judge_differences(self, names, cases, entries):
        """Runs again what differs, is not expected and has no verdict yet."""
        for name in names:
            for case in unlike(self.results, cases, self.against, name):
                before, after = self.results.by[self.against][case].result, self.results.by[name][case].result
                if (name, case) not in self.results.verdicts and not excuse(entries, name, case, before, after):
                    verdict, why = self.judge(name, case)
                    self.results.add_verdict(name, case, verdict, why)
                    self.say(f"{verdict}: {name} {before}>{after} {case}: {why}")
