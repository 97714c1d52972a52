"""Whatever a declared config names is there: the pairs of labels, the questions of rows that belong to one."""

from benchwright.benchmarks.releases.proofs.base import Material, Proof
from benchwright.benchmarks.schemas import BASIC, in_order


def check(material: Material) -> None:
    """Looks up every reference of the configs beyond the four that every release has."""
    known: dict[str, frozenset[str]] = {}
    for config in in_order(material.release.manifest.splits):
        if config in BASIC:
            continue
        for column, target in material.release.config(config).references.items():
            if target not in known:
                known[target] = _ids(material, target)
            for split in material.splits(config):
                for row in material.rows(config, split, [column]):
                    if row[column] not in known[target]:
                        text = f"{config} names {row[column]} as its {column}, which is not in {target}"
                        material.found.problem("reference", text)
                    else:
                        material.found.proved[f"references of {config}"] += 1


def _ids(material: Material, config: str) -> frozenset[str]:
    column = material.release.config(config).id
    if column is None:
        return frozenset()
    return frozenset(row[column] for split in material.splits(config) for row in material.rows(config, split, [column]))


PROOF = Proof("references", "whatever a declared config names is there", 95, whole=check, is_of_rows=True)
