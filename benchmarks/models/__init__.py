"""Language and embedding models: every call goes through `Client`, and nothing else imports the SDK.

settings → client → (cache, or limits → sending) → replies; `costs` counts what each step and role takes.
"""
