"""What production publishes under /static/."""

import os
import subprocess
import sys
from pathlib import Path

from nardysite.tests.test_settings import COMPLETE


def test_files_are_published_compressed_and_without_what_is_for_their_authors(
    tmp_path: Path,
) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"],
        env={
            **os.environ,
            **COMPLETE,
            "DJANGO_SETTINGS_MODULE": "nardysite.settings.prod",
            "STATIC_ROOT": str(tmp_path),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    published = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert {"css/base.css", "css/base.css.gz", "img/mark.svg"} <= published
    assert any(name.startswith("admin/") for name in published)
    assert [name for name in published if name.endswith((".test.js", ".d.ts"))] == []
