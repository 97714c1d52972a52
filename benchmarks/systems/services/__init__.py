"""Systems behind HTTP: what is sent to a service, and where things stand in what it replies.

connection   requests, sent again where that can help      bodies     what came back: JSON, a text, a stream of events
description  FILE.toml: a service described                templates  what is sent, with its placeholders
expressions  JMESPath: where answer and contexts stand     service    asks
"""
