"""The image's last line starts a process of the Procfile by its name."""

import json
import subprocess
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


def start(name: str, folder: Path) -> subprocess.Popen[str]:
    """What the image starts under that name, in a folder with a Procfile."""
    lines = (CHECKOUT / "Containerfile").read_text().splitlines()
    [entry] = [json.loads(line.partition(" ")[2]) for line in lines if line.startswith("ENTRYPOINT")]
    return subprocess.Popen([*entry, name], cwd=folder, stdout=subprocess.PIPE, text=True)


def test_a_process_takes_the_shells_place_so_that_signals_reach_it(tmp_path: Path) -> None:
    (tmp_path / "Procfile").write_text("web: sh -c 'echo $$ ${PORT:-8000}'\n")
    process = start("web", tmp_path)
    assert process.communicate(timeout=10)[0] == f"{process.pid} 8000\n"


def test_of_several_commands_each_is_run_while_they_succeed(tmp_path: Path) -> None:
    (tmp_path / "Procfile").write_text(
        "release: echo one && echo two && sh -c 'echo $$'\nbad: false && echo no\n"
    )
    process = start("release", tmp_path)
    assert process.communicate(timeout=10)[0].split() == ["one", "two", str(process.pid)]
    process = start("bad", tmp_path)
    assert (process.communicate(timeout=10)[0], process.returncode) == ("", 1)
