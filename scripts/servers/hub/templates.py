"""What a new repository holds: the Hub's rules of what is LFS, and a static Space's first page."""

import base64
import fnmatch

_LFS = (
    *("7z", "arrow", "bin", "bz2", "ckpt", "ftz", "gz", "h5", "joblib", "lz4", "mlmodel", "model", "msgpack", "npy"),
    *("npz", "onnx", "ot", "parquet", "pb", "pickle", "pkl", "pt", "pth", "rar", "safetensors", "tar", "tflite", "tgz"),
    *("wasm", "xz", "zip", "zst"),
)
_LFS_PATTERNS = ("*.tar.*", "*tfevents*", "saved_model/**/*")
_LFS_OF_DATASETS = (
    *("mds", "pcm", "sam", "raw", "aac", "flac", "mp3", "ogg", "wav", "bmp", "gif", "png", "tiff", "jpg", "jpeg"),
    *("webp", "mp4", "webm"),
)
LARGE = 10 << 20
"""Bytes above which a file is LFS whatever its name."""


def git_attributes(kind: str) -> str:
    """The `.gitattributes` of a new repository."""
    names = [*_LFS, *(_LFS_OF_DATASETS if kind == "dataset" else ())]
    patterns = [*(f"*.{name}" for name in names), *_LFS_PATTERNS]
    return "".join(f"{pattern} filter=lfs diff=lfs merge=lfs -text\n" for pattern in patterns)


def first_files(kind: str, repo_id: str) -> dict[str, bytes]:
    """What the first commit holds."""
    files = {".gitattributes": git_attributes(kind)}
    if kind == "space":
        name = repo_id.split("/")[1]
        files["README.md"] = f"---\ntitle: {name}\nsdk: static\npinned: false\n---\n"
        files["index.html"] = (
            f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{name}</title>'
            '<link rel="stylesheet" href="style.css"></head>\n<body><h1>A new Space</h1></body>\n</html>\n'
        )
        files["style.css"] = "body { font-family: sans-serif; }\n"
    return {path: text.encode() for path, text in files.items()}


def is_lfs(path: str, size: int, sample: str, attributes: str) -> bool:
    """Whether a file is to be uploaded over LFS: for its size, its name, or because it begins like a binary file.

    Args:
        sample: The first bytes of the file, in base64.
        attributes: The repository's `.gitattributes`; as in git the last line that fits counts.
    """
    if size > LARGE or b"\0" in base64.b64decode(sample or ""):
        return True
    found = False
    for line in attributes.splitlines():
        pattern, *words = line.split() or [""]
        if pattern and not pattern.startswith("#") and matches(path, pattern):
            chosen = [word for word in words if word.lstrip("-!").startswith("filter")]
            found = chosen[-1] == "filter=lfs" if chosen else found
    return found


def matches(path: str, pattern: str) -> bool:
    """Whether a line of `.gitattributes` or `.gitignore` means a path; without a slash it is about names."""
    pattern = pattern.rstrip("/")
    if "/" in pattern:
        whole = pattern.lstrip("/").replace("**/*", "*").replace("**", "*")
        return fnmatch.fnmatchcase(path, whole) or path.startswith(whole + "/")
    return any(fnmatch.fnmatchcase(part, pattern) for part in path.split("/"))


def is_ignored(path: str, rules: str) -> bool:
    """Whether `.gitignore` leaves a file out."""
    found = False
    for line in rules.splitlines():
        pattern = line.strip()
        if pattern and not pattern.startswith("#") and matches(path, pattern.removeprefix("!")):
            found = not pattern.startswith("!")
    return found
