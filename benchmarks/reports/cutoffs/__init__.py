"""What the cutoff of a benchmark is worth: how answers differ from one side of it to the other.

runs         which runs it is drawn from
figure       the shares and means of each part
differences  what differs, tested
blocks       the same as tables and texts
"""
