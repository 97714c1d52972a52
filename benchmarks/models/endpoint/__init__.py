"""What an endpoint takes, and talking to it over HTTP.

addresses          where endpoints are, checked and shown without secrets
abilities          what an endpoint takes: learned once, and remembered
rejections         what an endpoint does not take, as each of them says it
sending            one request for a completion, as its endpoint takes it
structured         replies of a given shape
thinking           what a model thought, told apart from its answer
transport          one endpoint over HTTP, with repetitions
connecting         the SDK, set up
bounded            how much of a reply is read
streamed           a streamed reply, whole
silence            what is sent again where nothing answers
rate_limit         how fast requests leave
http_errors        responses that say that a request failed: what that means and what to do
connection_errors  requests that got no response
"""
