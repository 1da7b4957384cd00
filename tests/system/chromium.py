"""The browser of these tests: Chromium, as the system has it."""

import shutil

from playwright.sync_api import Browser, Playwright


def launch(playwright: Playwright) -> Browser:
    """Start it; the tests may run as root, for whom it has no sandbox."""
    return playwright.chromium.launch(
        executable_path=shutil.which("chromium"), args=["--no-sandbox"]
    )
