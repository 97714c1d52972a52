"""What each metric gave, and how far it and its judges can be believed.

figures             means with intervals
scale               what a metric's values mean
truth               each metric against the truth, or against what people said (human_verdicts)
baseline            the same metrics of another run
blocks              these as tables
human_sample        the recorded random sample of answers that people judge
judge_agreement     how far judges say the same; agreement_blocks: as tables
retrieval_split     where retrieval was right and where it was wrong
retriever_accuracy  how often the first contexts state all that is needed
"""
