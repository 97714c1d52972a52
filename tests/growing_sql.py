"""SQL of at most a few kilobytes whose derived columns, written out, have millions of parts; of a table t(name, size)."""


def _times(name: str, times: int = 10) -> str:
    return "||".join([name] * times)


def with_of(expression: str, levels: int = 8, first: str = "name") -> str:
    """A WITH that names the column `x` of the query before in each of so many queries."""
    queries = [f"d0 AS (SELECT {first} AS x FROM t)"]
    queries += [f"d{i + 1} AS (SELECT {expression} AS x FROM d{i})" for i in range(levels)]
    return f"WITH {', '.join(queries)} SELECT x FROM d{levels}"


def _within(level: str, first: str = "SELECT name AS x FROM t", levels: int = 8) -> str:
    sql = first
    for number in range(levels):
        sql = level.replace("{sql}", sql).replace("{n}", str(number))
    return sql


def _replaced(levels: int = 6) -> str:
    text = "name"
    for _ in range(levels):
        text = f"REPLACE({text}, 'a', '{'a' * 100}')"
    return f"SELECT {text} FROM t"


_DEEP = _within(f"SELECT {_times('s.x')} AS x FROM ({{sql}}) AS s")
GROWING = {
    "with": with_of(f"CONCAT({', '.join(['x'] * 10)})"),
    "sums": with_of("+".join(["x"] * 10), first="size"),
    "subqueries": _DEEP,
    "names of an alias": _within(f"SELECT {_times('x')} FROM ({{sql}}) AS s(x)", "SELECT name FROM t"),
    "stars": _within(f"SELECT * FROM (SELECT {_times('x')} AS x FROM ({{sql}}) AS a{{n}}) AS b{{n}}"),
    "columns of its own": "SELECT name AS a0, " + ", ".join(f"{_times(f'a{i}')} AS a{i + 1}" for i in range(8)) + " FROM t",
    "unions": _within(f"SELECT {_times('x')} AS x FROM ({{sql}}) AS u UNION SELECT 'a' AS y"),
    "correlated": _within(f"SELECT (SELECT {_times('s.x')}) AS x FROM ({{sql}}) AS s"),
    "a join in brackets": f"SELECT j.x FROM (t CROSS JOIN ({_DEEP}) AS j)",
    "a WITH within": f"SELECT x FROM ({with_of(_times('x'))}) AS z",
    "ranges": with_of("CAST(x BETWEEN x AND x AS int)", 12, "size"),
    "lists": with_of("CAST(x IN (x, 2, x + 1, 4) AS int)", 9, "size"),
    "replaced": _replaced(),
    "an order": f"SELECT {_times('name', 150)} AS b FROM t ORDER BY CONCAT({', '.join(['b'] * 800)})",
    "powers": f"SELECT CONCAT({', '.join(['POWER(2.5, 100000)'] * 30)}) FROM t",
}  # fmt: skip
