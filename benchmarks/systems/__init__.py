"""What is scored: systems, however they are given, and the baselines.

base        what a system is                  opening     which system a command line means
modules     module:object                     files       predictions made elsewhere
baselines   closed-book, oracle, keyword, bm25  reader    the built-in extractive reader
services    systems behind HTTP
replies     what a system returned, as a prediction
"""
