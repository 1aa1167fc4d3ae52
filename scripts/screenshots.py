"""Drives Chromium over its DevTools pipe: opens reports, presses keys, looks at what is on the page, and takes pictures.

Nothing but Python and Chromium is needed. Each thing that is expected of a page is an assertion here: a page that does not do it fails the
script.
"""

import base64
import json
import os
import subprocess
import sys
import tempfile

FOLDER = sys.argv[1]
# How much of each page is shown in the manual.
PAGE = {"race": 1290, "deadlock": 1500, "proof": 1000}


class Browser:
    """A Chromium without windows."""

    def __init__(self):
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()
        self.profile = tempfile.TemporaryDirectory()
        arguments = [
            "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
            f"--user-data-dir={self.profile.name}", "about:blank",
        ]

        # The browser reads its commands from descriptor 3, and answers on descriptor 4.
        def connect():
            os.dup2(to_read, 10)
            os.dup2(from_write, 11)
            os.dup2(10, 3)
            os.dup2(11, 4)

        self.process = subprocess.Popen(
            arguments, preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(to_read)
        os.close(from_write)
        self.input, self.output = os.fdopen(to_write, "wb"), os.fdopen(from_read, "rb")
        self.buffer, self.number, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")
        self.call("Network.enable")
        self.call("Log.enable")

    def receive(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.output.fileno(), 1 << 16)
            if not piece:
                raise SystemExit("the browser has ended")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.input.write(json.dumps(message).encode() + b"\0")
        self.input.flush()
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, url, width=1280, height=800, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.events = []
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        while self.value("document.readyState") != "complete" or not self.value("location.href").startswith("file:"):
            pass
        wrong = [event for event in self.events if event.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded")]
        assert not wrong, f"{url}: {wrong}"
        asked = {event["params"]["request"]["url"].split("#")[0] for event in self.events if event.get("method") == "Network.requestWillBeSent"}
        assert all(address.startswith(("file:", "about:")) for address in asked) and len(asked) <= 2, asked

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def press(self, key):
        text = {"text": key} if len(key) == 1 else {}
        code = {"ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35, "Tab": 9, "Enter": 13}.get(key, ord(key[0].upper()))
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def picture(self, name, whole=False):
        if whole:
            height = self.value("document.documentElement.scrollHeight")
            self.call("Emulation.setDeviceMetricsOverride", width=1280, height=height, deviceScaleFactor=1, mobile=False)
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(f"{FOLDER}/{name}.png", "wb") as file:
            file.write(base64.b64decode(data))

    def printed(self, name):
        data = self.call("Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=11.69)["data"]
        with open(f"{FOLDER}/{name}.pdf", "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.session = None
        self.call("Browser.close")
        self.process.wait(timeout=30)


def stepping(browser, name):
    """Steps through an execution with the keyboard alone."""
    step = lambda: browser.value("document.querySelector('g.step.now').dataset.step * 1")
    count = browser.value("document.querySelectorAll('g.step').length")
    assert count > 3 and step() == count, (name, count, step())
    browser.press("Home")
    assert step() == 1
    later = browser.value("document.querySelectorAll('g.step.later').length")
    assert later == count - 1, later
    said = []
    for number in range(2, count + 1):
        browser.press("ArrowRight" if number % 2 else "j")
        assert step() == number, (number, step())
        said.append(browser.value("document.querySelector('.said').textContent"))
        line = browser.value("document.querySelector('.line.now').dataset.line * 1")
        assert f"line {line}" in said[-1], (line, said[-1])
        assert f"step {number} of {count}" == browser.value("document.querySelector('.counter').value")
    assert len(set(said)) > 2 and all("null" not in text and "[object" not in text for text in said), said
    browser.press("ArrowRight")
    assert step() == count
    browser.press("ArrowLeft")
    assert step() == count - 1
    browser.press("k")
    assert step() == count - 2
    browser.press("End")
    assert step() == count
    assert browser.value("location.hash") == f"#step-0-{count}"
    # The keyboard reaches what the mouse reaches.
    browser.value("document.activeElement.blur()")
    reached = set()
    for _ in range(12):
        browser.press("Tab")
        reached.add(browser.value("document.activeElement.getAttribute('aria-label') || document.activeElement.type || ''"))
    assert {"first step", "step back", "step forward", "last step"} <= reached, reached
    print(f"{name}: {count} steps by keyboard, last: {said[-1]!r}")


def looked_at(browser, name):
    """What a page must have, and no more than it can show."""
    browser.open(f"file://{FOLDER}/{name}.html")
    heading = browser.value("document.querySelector('h1').textContent")
    unlabelled = browser.value(
        "[...document.querySelectorAll('button, input, [role=region], [role=img], [role=group], [role=list], [role=listitem]')]"
        ".filter(e => !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label'))).length"
    )
    assert unlabelled == 0, unlabelled
    wide = browser.value("document.documentElement.scrollWidth")
    assert wide <= 1280, (name, wide)
    print(f"{name}: {heading}")


def main():
    browser = Browser()
    for name in PAGE:
        looked_at(browser, name)
        browser.picture(name)
        if name != "proof":
            stepping(browser, name)
        browser.open(f"file://{FOLDER}/{name}.html")
        browser.picture(f"{name}-whole", whole=True)
        browser.open(f"file://{FOLDER}/{name}.html", dark=True)
        browser.picture(f"{name}-dark", whole=True)
        browser.open(f"file://{FOLDER}/{name}.html", height=PAGE[name])
        browser.picture(f"{name}-docs")
        browser.open(f"file://{FOLDER}/{name}.html", width=600)
        browser.picture(f"{name}-narrow", whole=False)
        browser.printed(name)
    browser.open(f"file://{FOLDER}/race.html#step-0-6")
    assert browser.value("document.querySelector('g.step.now').dataset.step") == "6"
    browser.picture("race-step-6")
    assert browser.value("[...document.querySelectorAll('.bolt')].length") == 1
    lanes = browser.value("[...document.querySelectorAll('.lanes .name')].map(e => e.textContent).join()")
    assert lanes == "main,shop,bar,clerk", lanes
    for kind in ["start", "lock", "flow", "clash"]:
        assert browser.value(f"document.querySelectorAll('.lanes .arrow.{kind}').length") > 0, kind
    browser.open(f"file://{FOLDER}/deadlock.html")
    assert browser.value("document.querySelectorAll('.circle .node').length") == 6
    browser.open(f"file://{FOLDER}/proof.html")
    assert browser.value("document.querySelectorAll('.line.fact').length") > 0
    browser.close()


main()
