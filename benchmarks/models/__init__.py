"""Language and embedding models: every call goes through `Client`, and nothing else imports the SDK.

settings     which model plays which role, and how far a run may go
prompts      prompts as files, filled
fencing      texts of others inside prompts
client       what all others call: `chat`, `each`, `embed`
many         many items at once, from plain code
stopping     how asking ends: what is on its way is waited for
chat         one completion, of the right shape, asked for again where it is not
one_usable   one reply that is as it must be, without a conversation
whole        a request as it is and its reply as it is
responses    what came back
waiting      how long an answer waited for models, and how long they took

kept/        from a request to its reply: what is kept of each, and shared by processes
endpoint/    what an endpoint takes, and talking to it over HTTP
batches/     requests that are answered within a day, at half the price
money/       tokens and dollars: counted, limited and estimated
embedding/   vectors of texts, and how well texts fit a question
"""
