"""What the Hub says about a card's YAML, as far as its documentation and its clients tell.

Unlike the Hub, which knows more fields, this looks at those that benchmarks use. An unknown licence is an error there,
an unknown task a warning.
"""

import re
from typing import Any

import yaml


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LICENSES = _words(
    """
    apache-2.0 mit openrail bigscience-openrail-m creativeml-openrail-m bigscience-bloom-rail-1.0
    bigcode-openrail-m afl-3.0 artistic-2.0 bsl-1.0 bsd bsd-2-clause bsd-3-clause bsd-3-clause-clear c-uda cc
    cc0-1.0 cc-by-2.0 cc-by-2.5 cc-by-3.0 cc-by-4.0 cc-by-sa-3.0 cc-by-sa-4.0 cc-by-nc-2.0 cc-by-nc-3.0
    cc-by-nc-4.0 cc-by-nd-4.0 cc-by-nc-nd-3.0 cc-by-nc-nd-4.0 cc-by-nc-sa-2.0 cc-by-nc-sa-3.0 cc-by-nc-sa-4.0
    cdla-sharing-1.0 cdla-permissive-1.0 cdla-permissive-2.0 wtfpl ecl-2.0 epl-1.0 epl-2.0 etalab-2.0 eupl-1.1
    eupl-1.2 agpl-3.0 gfdl gpl gpl-2.0 gpl-3.0 lgpl lgpl-2.1 lgpl-3.0 isc lppl-1.3c ms-pl mpl-2.0 odc-by odbl
    openrail++ osl-3.0 postgresql ofl-1.1 ncsa unlicense zlib pddl lgpl-lr deepfloyd-if-license llama2 llama3
    llama3.1 llama3.2 llama3.3 gemma unknown other
    """
)
TASK_CATEGORIES = _words(
    """
    text-classification token-classification table-question-answering question-answering
    zero-shot-classification translation summarization feature-extraction text-generation text2text-generation
    fill-mask sentence-similarity text-to-speech text-to-audio automatic-speech-recognition audio-to-audio
    audio-classification audio-text-to-text voice-activity-detection depth-estimation image-classification
    object-detection image-segmentation text-to-image image-to-text image-to-image image-to-video
    unconditional-image-generation video-classification reinforcement-learning robotics tabular-classification
    tabular-regression tabular-to-text table-to-text multiple-choice text-ranking text-retrieval
    time-series-forecasting text-to-video image-text-to-text visual-question-answering
    document-question-answering zero-shot-image-classification graph-ml mask-generation
    zero-shot-object-detection text-to-3d image-to-3d image-feature-extraction video-text-to-text
    keypoint-detection visual-document-retrieval any-to-any other
    """
)
SIZE_CATEGORIES = (
    *("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B", "1B<n<10B"),
    *("10B<n<100B", "100B<n<1T", "n>1T", "unknown", "other"),
)
WORDS_OF_FIELDS = {
    "annotations_creators": _words("crowdsourced found expert-generated machine-generated no-annotation other"),
    "language_creators": _words("crowdsourced found expert-generated machine-generated other"),
    "multilinguality": _words("monolingual multilingual translation other"),
    "task_ids": _words("closed-domain-qa open-domain-qa extractive-qa open-book-qa closed-book-qa document-retrieval"),
}
"""Fields of datasets → words of the Hub's lists; of `task_ids` those about questions and documents."""
_SOURCES = re.compile(r"original|extended(\|.+)?")
_SPLIT = re.compile(r"\w+(\.\w+)*")
_HEADER = re.compile(r"\A\ufeff?\s*---[ \t]*\r?\n(.*?)\r?\n?---[ \t]*(?:\r?\n|\Z)", re.DOTALL)


def read_header(content: str) -> Any:
    """The YAML between the first two lines of dashes; nothing where there is none.

    Raises:
        yaml.YAMLError
    """
    match = _HEADER.match(content)
    return yaml.safe_load(match[1]) if match else None


def check_card(content: str, kind: str) -> tuple[list[str], list[str]]:
    """Errors and warnings about a README.md."""
    try:
        header = read_header(content)
    except yaml.YAMLError as error:
        return [f"Invalid YAML: {error}"], []
    if header is None or header == {}:
        return [], ["empty or missing yaml metadata in repo card"]
    if not isinstance(header, dict):
        return ["The metadata must be a mapping"], []
    errors, warnings = _check_lists(header), []
    for licence in _several(header.get("license")):
        if licence not in LICENSES:
            errors.append(f'"license" must be one of [{", ".join(sorted(LICENSES))}]: {licence!r} is not')
    if kind == "dataset":
        errors += _check_configs(header.get("configs"))
        for task in _several(header.get("task_categories")):
            if task not in TASK_CATEGORIES:
                warnings.append(f'The task_categories "{task}" is not in the official list: {sorted(TASK_CATEGORIES)}')
        warnings += _check_words(header)
        for size in _several(header.get("size_categories")):
            if size not in SIZE_CATEGORIES:
                warnings.append(f'"size_categories" must be one of [{", ".join(SIZE_CATEGORIES)}]: {size!r} is not')
    if kind == "space" and header.get("sdk") not in ("static", "gradio", "docker", "streamlit"):
        errors.append('"sdk" must be one of [gradio, docker, static, streamlit]')
    return errors, warnings


def card_tags(header: Any) -> list[str]:
    """The tags that the Hub makes of a card's header."""
    if not isinstance(header, dict):
        return []
    found = []
    for name in ("task_categories", "task_ids", "language", "license", "size_categories"):
        found += [f"{name}:{value}" for value in _several(header.get(name))]
    return [*found, *map(str, _several(header.get("tags"))), "region:us"]


def _check_words(header: dict[str, Any]) -> list[str]:
    """Warnings about fields whose words are on a list."""
    warnings = [
        f'The {name} "{value}" is not in the official list: {sorted(known)}'
        for name, known in WORDS_OF_FIELDS.items()
        for value in _several(header.get(name))
        if value not in known
    ]
    return warnings + [
        f'The source_datasets "{value}" must be original or extended|NAME'
        for value in _several(header.get("source_datasets"))
        if not _SOURCES.fullmatch(str(value))
    ]


def _several(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _check_lists(header: dict[str, Any]) -> list[str]:
    errors = []
    for name in ("tags", "language", "task_categories", "size_categories"):
        value = header.get(name)
        if name == "tags" and value is not None and not isinstance(value, list):
            errors.append('"tags" must be an array')
        for place, item in enumerate(_several(value)):
            if not isinstance(item, str):
                errors.append(f'"{name}[{place}]" must be a string')
    if "pretty_name" in header and not isinstance(header["pretty_name"], str):
        errors.append('"pretty_name" must be a string')
    return errors


def _check_configs(configs: Any) -> list[str]:
    if configs is None:
        return []
    if not isinstance(configs, list):
        return ['"configs" must be an array']
    errors = []
    for place, config in enumerate(configs):
        name = f"configs[{place}]"
        if not isinstance(config, dict):
            errors.append(f'"{name}" must be of type object')
            continue
        if not isinstance(config.get("config_name"), str) or not config["config_name"]:
            errors.append(f'"{name}.config_name" is required')
        if "data_dir" not in config:
            errors += _check_data_files(f"{name}.data_files", config.get("data_files"))
    names = [config.get("config_name") for config in configs if isinstance(config, dict)]
    errors += [
        f'"configs" has {name!r} more than once' for name in sorted({str(n) for n in names if names.count(n) > 1})
    ]
    if sum(isinstance(config, dict) and config.get("default") is True for config in configs) > 1:
        errors.append('"configs" has more than one default')
    return errors


def _check_data_files(name: str, files: Any) -> list[str]:
    if files is None:
        return [f'"{name}" is required']
    if isinstance(files, str):
        return []
    if not isinstance(files, list) or not files:
        return [f'"{name}" must be a string or a list']
    errors = []
    for place, item in enumerate(files):
        if isinstance(item, str):
            continue
        if not isinstance(item, dict) or set(item) != {"split", "path"}:
            errors.append(f'"{name}[{place}]" must be a string, or have exactly split and path')
        elif not isinstance(item["split"], str) or not _SPLIT.fullmatch(item["split"]):
            errors.append(f'"{name}[{place}].split" is not a name of a split')
        elif not all(isinstance(path, str) for path in _several(item["path"])):
            errors.append(f'"{name}[{place}].path" must be a string or a list of strings')
    return errors
