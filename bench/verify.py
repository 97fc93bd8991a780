"""Find published results again and write what came out: `python bench/verify.py seconds` writes `bench/VERIFY.md`."""

import json
import subprocess
import sys
from pathlib import Path


def main() -> None:
    """Run `plyground verify` and make a page of its answer."""
    cost = sys.argv[1] if len(sys.argv) > 1 else "seconds"
    command = [sys.executable, "-m", "plyground", "verify", "--cost", cost, "--json"]
    answer = json.loads(subprocess.run(command, check=False, capture_output=True, encoding="utf-8").stdout)
    lines = ["# Published results, found again", "", f"Written by `python bench/verify.py {cost}`.", ""]
    lines += [f"{answer['agreed']} agreed, {len(answer['differs'])} differ, {answer['not_tried']} were not tried."]
    lines += ["The seconds of the first result of a size include compiling it.", ""]
    lines += [f"- differs: {entry}" for entry in answer["differs"]]
    lines += ["| game | asked | seconds |", "|---|---|--:|"]
    lines += [f"| {entry['game']} | {entry['ask']} | {entry['seconds']:.2f} |" for entry in answer["entries"]]
    Path(__file__).with_name("VERIFY.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
