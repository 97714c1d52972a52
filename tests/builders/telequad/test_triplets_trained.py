"""sentence-transformers trains on triplets as they load, where `scripts/peers embeddings` has installed it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from alike_documents import write_alike
from built import Built
from support import ROOT

SCRIPT = Path(ROOT) / "scripts" / "measure" / "peers_train_triplets.py"


def test_a_step_of_training_lowers_the_loss(built: Built) -> None:
    if not os.environ.get("BENCHWRIGHT_REQUIRE_EMBEDDINGS"):
        pytest.importorskip("sentence_transformers", reason="it is not installed: scripts/peers embeddings")
    source = built.folder("alike", write_alike)
    release = built.release("telequad", source=source, forms="short", wordings=1, readable="none")
    done = subprocess.run(
        [sys.executable, "-P", str(SCRIPT), str(release.folder), "3"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["columns"] == ["anchor", "positive", *(f"negative_{number}" for number in range(1, 5))]
    assert found["rows"] == release.manifest.splits["triplets"]["train"]
    assert found["after"] < found["before"]
