"""What is scored: systems, however they are given, and the baselines.

base, opening     what a system and a kind of systems is, and which one a command line means
conditions        what a system is given in each condition

kinds, a module with `KIND` each
baseline          a name: one of `baselines/`, each of which says what it retrieves
predictions_file  predictions made elsewhere
trace_files       traces of answers given elsewhere; read in `traces/`
http_service      services behind HTTP, as they are or described in a file; asked in `services/`
command           programs, asked by JSON lines in `commands/`
openai_model      a model, closed book
openai_rag        an endpoint that retrieves itself; `citations` reads what it says that it read
python_object     module:object; `calling` calls it, `framework_objects` where it is LangChain's, LlamaIndex's or
                  Haystack's, and `framework_watches` looks what their retrievers and models did meanwhile

what they return
replies           a prediction of what a system returned; by `frameworks`, `messages`, `streams`

what baselines are made of
ranked_passages   the best passages by any measure; `dense_search` by vectors, which `vector_file` keeps and which
                  `hashed_words` makes without a model
reranking         more passages retrieved than read
agents            whether to retrieve is decided first
language_model    a model reads passages; without one the built-in extractive `reader/` does
"""
