"""Language and embedding models: every call goes through `Client`, and nothing else imports the SDK.

addresses        where endpoints are, checked and shown without secrets
settings         which model plays which role, and how far a run may go
prompts          prompts as files, filled
client           what all others call: `chat`, `each`, `embed`
stopping         how asking ends: what is on its way is waited for
many             many items at once, from plain code
chat             one completion, of the right shape, asked for again where it is not
sending          one request for it, as its endpoint takes it
abilities        what an endpoint takes: learned once, and remembered
embeddings       vectors of texts
embedding_folder an embedding model in a folder, without an endpoint
onnx_embedding   one that is ONNX
reranking        how well texts fit a question, by a cross-encoder
structured       replies of a given shape
cached_requests  from a request to its reply: the cache, else the endpoint
cache            the response cache on disk
tries            replies that were paid for, in their order, usable or not
left_over        what the last start of a command has no usable reply to
one_usable       one reply that is as it must be, without a conversation
waiting          how long an answer waited for models, and how long they took
claims           requests that another process has sent already
space            room on the disk for replies on their way
batches          requests that are answered within a day, at half the price
batch_work       sending those that are noted, and waiting for them
batch_calls      files and batches at an endpoint
batch_lines      their requests and replies, one a line
batch_notes      what is noted of them, so that a stop loses none
keys             what a reply is cached under
transport        one endpoint over HTTP, with repetitions
http_errors      responses that say that a request failed: what that means and what to do
connecting       connections to it, by the official SDK
bounded          replies unpacked and read, as far as they may go
silence          an endpoint that says nothing: one request finds out whether it does again
rejections       what an endpoint does not take, as each of them says it
connection_errors  requests that got no response
rate_limit       how fast requests leave
responses        what came back
thinking         what a model thought, told apart from its answer
costs            tokens and dollars for each step and role
budget           the limits of a run
spread           what calls seen before say of the next ones
estimates        how many tokens texts are
usage_notes      what requests took before, and so what further ones will
expected_calls   what would be asked, and what it would take
samples          which items an estimate asks about really
"""
