"""Writes a model of random weights as llama.cpp reads it; run by the environment that `scripts/peers llama` makes.

python make_gguf.py FILE
"""

import sys

WIDTH, INNER, HEADS, TOKENS_BEFORE = 64, 128, 4, 259
"""Of the model: numbers a token, of the inner layer, heads, and the tokens before the letters."""


def main(path: str) -> None:
    """Writes it: its tokens are bytes and letters, so that any grammar can be followed."""
    import gguf  # type: ignore[import-not-found]
    import numpy as np

    random = np.random.default_rng(7)
    tokens = [b"<unk>", b"<s>", b"</s>", *(f"<0x{byte:02X}>".encode() for byte in range(256))]
    tokens += [*(bytes([letter]) for letter in range(33, 127)), "\u2581".encode()]
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(4096)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    letters = len(tokens) - TOKENS_BEFORE
    writer.add_token_scores([0.0] * TOKENS_BEFORE + [-1.0] * letters)
    kinds = gguf.TokenType
    special, bytes_, normal = [kinds.UNKNOWN, kinds.CONTROL, kinds.CONTROL], [kinds.BYTE] * 256, [kinds.NORMAL]
    writer.add_token_types([*special, *bytes_, *(normal * letters)])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_chat_template("{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:")
    shapes = {"token_embd": (len(tokens), WIDTH), "output": (len(tokens), WIDTH), "output_norm": (WIDTH,)}
    shapes |= {f"blk.0.{name}": (WIDTH, WIDTH) for name in ("attn_q", "attn_k", "attn_v", "attn_output")}
    shapes |= {f"blk.0.{name}": (INNER, WIDTH) for name in ("ffn_gate", "ffn_up")}
    shapes |= {"blk.0.ffn_down": (WIDTH, INNER), "blk.0.attn_norm": (WIDTH,), "blk.0.ffn_norm": (WIDTH,)}
    for name, shape in shapes.items():
        numbers = np.ones(shape) if len(shape) == 1 else random.normal(0, 0.5, shape)
        writer.add_tensor(f"{name}.weight", numbers.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main(sys.argv[1])
