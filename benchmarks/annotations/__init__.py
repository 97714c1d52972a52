"""What people are asked about answers and pairs, and what comes of it.

items        texts and tasks: what a person reads, and is asked
run_items    of the sampled answers of a run, and of the steps that a judge took over them
pair_items   of the pairs of a release
exports      what pages saved, checked against what was asked
merge        several people's files put together: who agrees, what is open
agreement    how far they say the same
import_files pairs for Label Studio and Argilla; tool_exports: what comes back from them
results      the files that come of it: verdicts of a run, labels of a release
"""
