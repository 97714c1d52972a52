"""Prompts: files that are filled, replaced by the user's own, and named by a hash."""

import hashlib
from pathlib import Path

import pytest
from model_clients import FREE, new_client
from support import ROOT

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.models.prompts import Prompt, check_overrides, load_prompt, prompt_names

FILES = sorted(path for folder in ("benchmarks", "builders") for path in (ROOT / folder / "prompts").glob("*.md"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_shipped_prompt(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    prompt = load_prompt(path.stem)
    sent = text.rpartition("\n+++\n")[2]
    assert prompt.sha256 == hashlib.sha256(sent.encode()).hexdigest()
    assert prompt.parts[-1][0] == "user" and prompt.output_tokens > 0
    assert path.stem in prompt_names()
    with pytest.raises(BenchwrightError, match=f"^the prompt {path.stem} cannot be filled: '.*' is undefined$"):
        prompt.fill()


def test_names_are_told_apart() -> None:
    assert len({path.stem for path in FILES}) == len(FILES) == len(prompt_names()), "a name is in one folder only"


def own(folder: Path, text: str, name: str = "answer_closed_book") -> Prompt:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return load_prompt(name, folder)


def test_filled_with_values(tmp_path: Path) -> None:
    prompt = own(
        tmp_path / "one",
        "+++\noutput_tokens = 40\n+++\n# system\n\nBe short.\n\n# user\n{% for one in passages %}\n[{{ loop.index }}] "
        "{{ one }}\n{% endfor %}\n\nQuestion: {{ question }}\n",
    )
    filled = prompt.fill(passages=["<a> & b", "# user\nnot a heading"], question="{{ question }}?")
    assert (filled.prompt, filled.sha256, filled.output_tokens) == ("answer_closed_book", prompt.sha256, 40)
    assert filled.messages == (
        {"role": "system", "content": "Be short."},
        {"role": "user", "content": "[1] <a> & b\n[2] # user\nnot a heading\n\nQuestion: {{ question }}?"},
    )


def test_demonstrations(tmp_path: Path) -> None:
    prompt = own(tmp_path / "one", "# system\ns\n# user\nu1\n# assistant\na1 # user\n## user\n# user\n{{ question }}\n")
    assert [(message["role"], message["content"]) for message in prompt.fill(question="q").messages] == [
        ("system", "s"),
        ("user", "u1"),
        ("assistant", "a1 # user\n## user"),
        ("user", "q"),
    ]
    assert prompt.output_tokens == 200


def test_the_hash_is_that_of_what_is_sent(tmp_path: Path) -> None:
    texts = ["# user\n{{ question }}\n", "# user\n{{ question }}\n\n", "# user\n{{question}}\n"]
    hashes = [own(tmp_path / str(number), text).sha256 for number, text in enumerate(texts)]
    assert hashes == [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    assert len(set(hashes)) == 3
    guessed = own(tmp_path / "guessed", "+++\noutput_tokens = 7\n+++\n" + texts[0])
    assert (guessed.sha256, guessed.output_tokens) == (hashes[0], 7), "another guess is no other prompt"


def test_ones_own_prompts_go_before_ours(tmp_path: Path) -> None:
    own(tmp_path / "mine", "# user\nMine: {{ question }}\n")
    with new_client(FREE, tmp_path / "c.sqlite", prompts=tmp_path / "mine") as client:
        assert client.prompt("answer_closed_book").fill(question="?").messages[-1]["content"] == "Mine: ?"
        assert client.prompt("ask_again").sha256 == load_prompt("ask_again").sha256
        assert client.described("system", ["answer_closed_book"]) == [
            {
                "role": "system",
                "name": "m",
                "base_url": FREE,
                "prompt": "answer_closed_book",
                "prompt_sha256": hashlib.sha256(b"# user\nMine: {{ question }}\n").hexdigest(),
            }
        ]
    check_overrides(tmp_path / "mine")


def test_there_is_no_such_prompt() -> None:
    with pytest.raises(BenchwrightError, match=r"^there is no prompt 'nothing'$"):
        load_prompt("nothing")


def test_folders_of_prompts_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as wrong:
        check_overrides(tmp_path / "nowhere")
    assert str(wrong.value) == f"--prompts {tmp_path}/nowhere: there is no such folder"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("not looked at")
    check_overrides(tmp_path / "mine")
    (tmp_path / "mine" / "answer.md").write_text("# user\n?\n")
    with pytest.raises(UsageError) as wrong:
        check_overrides(tmp_path / "mine")
    assert str(wrong.value) == (
        f"{tmp_path}/mine/answer.md: there is no prompt of that name: choose from {', '.join(prompt_names())}"
    )


WRONG = [
    (b"{{ question }}\n", "must end with a part under the heading '# user'"),
    (b"", "must end with a part under the heading '# user'"),
    (b"# user\nu\n# assistant\na\n", "must end with a part under the heading '# user'"),
    (b"Be short.\n# user\nu\n", ": its first part has no heading, such as '# system'"),
    (b"# user\n{{ question\n", "cannot be read: unexpected end of template, expected 'end of print statement'."),
    (b"+++\noutput_tokens =\n+++\n# user\nu\n", ": the lines between +++ are not TOML: "),
    (b"+++\noutput_tokens = 'many'\n+++\n# user\nu\n", ": output_tokens must be a whole number above 0"),
    (b"+++\noutput_tokens = 0\n+++\n# user\nu\n", ": output_tokens must be a whole number above 0"),
    (b"# user\n\xff\xfe\n", "cannot be read: 'utf-8' codec can't decode byte 0xff"),
]


@pytest.mark.parametrize(("content", "problem"), WRONG)
def test_prompts_that_are_not_as_they_must_be(content: bytes, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "ask_again.md"
    path.write_bytes(content)
    with pytest.raises(BenchwrightError) as wrong:
        check_overrides(tmp_path)
    space = "" if problem.startswith(":") else " "
    assert str(wrong.value).startswith(f"the prompt {path}{space}{problem}")
    assert "\n" not in str(wrong.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{{ passages }}", "'passages' is undefined"),
        ("{{ question.text }}", "'str object' has no attribute 'text'"),
        ("{{ question / 0 }}", "unsupported operand type(s) for /: 'str' and 'int'"),
        ("{{ 1 / 0 }}", "division by zero"),
        ("{% include 'other' %}", "no loader for this environment specified"),
    ],
)
def test_a_prompt_that_cannot_be_filled(text: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(BenchwrightError) as wrong:
        own(tmp_path / "mine", f"# user\n{text}\n").fill(question="?")
    assert str(wrong.value) == f"the prompt answer_closed_book cannot be filled: {problem}"
