"""Programs as systems: a request as a JSON line on stdin, a prediction as a JSON line on stdout.

lines     what a line that a program printed is
process   one process of a program: asked, watched, ended with its children
program   as many processes as questions are asked at once, and what the program says that it can do
"""
