"""What a user of sentence-transformers runs: loads the config `triplets` and trains a retriever on it.

.peers/embeddings/bin/python -P scripts/measure/peers_train_triplets.py RELEASE [STEPS]

(-P: the modules beside this file have names of the standard library.)

The model is a small BERT with random weights, whose vocabulary is that of the triplets, so that nothing is downloaded.
Prints as JSON the loss (MultipleNegativesRankingLoss, with all negatives) of one batch before and after so many steps.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import datasets
import torch  # type: ignore[import-not-found]
from sentence_transformers import (  # type: ignore[import-not-found]
    SentenceTransformer,
    SentenceTransformerTrainer,
    SentenceTransformerTrainingArguments,
    losses,
    models,
)
from tokenizers import Tokenizer, pre_tokenizers  # type: ignore[import-not-found]
from tokenizers import models as words
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast  # type: ignore[import-not-found]

BATCH, LENGTH = 16, 128
SPECIAL = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"}


def main() -> None:
    """Trains once."""
    steps = int(sys.argv[2]) if sys.argv[2:] else 1
    loaded = datasets.load_dataset(sys.argv[1], "triplets")
    rows = loaded["train"] if "train" in loaded else loaded["test"]
    with tempfile.TemporaryDirectory() as folder:
        model = _model(rows, Path(folder) / "bare")
        loss = losses.MultipleNegativesRankingLoss(model)
        batch = rows.select(range(min(BATCH, len(rows))))
        before = _loss(model, loss, batch)
        settings = SentenceTransformerTrainingArguments(
            output_dir=f"{folder}/run",
            max_steps=steps,
            per_device_train_batch_size=BATCH,
            learning_rate=1e-3,
            use_cpu=True,
            report_to=[],
            save_strategy="no",
            logging_strategy="no",
            disable_tqdm=True,
            seed=5,
        )
        SentenceTransformerTrainer(model=model, args=settings, train_dataset=rows, loss=loss).train()
        after = _loss(model, loss, batch)
    found = {"rows": len(rows), "columns": rows.column_names, "before": before, "after": after}
    sys.stdout.write(json.dumps(found) + "\n")


def _model(rows: Any, folder: Path) -> SentenceTransformer:
    """A BERT of two layers with random weights."""
    torch.manual_seed(5)
    split = pre_tokenizers.Whitespace()
    found = {word for name in rows.column_names for text in rows[name] for word, _ in split.pre_tokenize_str(text)}
    vocabulary = {word: number for number, word in enumerate([*SPECIAL.values(), *sorted(found)])}
    tokenizer = Tokenizer(words.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = split
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **SPECIAL).save_pretrained(folder)
    sizes = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 128}
    BertModel(BertConfig(vocab_size=len(vocabulary), max_position_embeddings=LENGTH, **sizes)).save_pretrained(folder)
    transformer = models.Transformer(str(folder), max_seq_length=LENGTH)
    return SentenceTransformer(modules=[transformer, models.Pooling(64, pooling_mode="mean")], device="cpu")


def _loss(model: SentenceTransformer, loss: Any, rows: Any) -> float:
    model.eval()
    with torch.no_grad():
        texts = [model.tokenize(list(rows[name])) for name in rows.column_names]
        return round(float(loss(texts, None)), 4)


if __name__ == "__main__":
    main()
