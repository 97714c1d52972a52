"""What we set right of Arrow."""

import subprocess
import sys


def test_pandas_is_imported_when_it_is_used_and_not_before() -> None:
    code = (
        "import sys, pyarrow as pa\n"
        "from benchwright.benchmarks.arrow import start_without_pandas\n"
        "start_without_pandas()\n"
        "table = pa.table({'a': ['x', None]})\n"
        "assert 'pandas' not in sys.modules\n"
        "assert table.to_pandas()['a'][0] == 'x'\n"
        "import pandas\n"
        "assert pa.array(pandas.Series([1.0, float('nan')])).null_count == 1\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
