"""Questions by rule about what an article says of its subject, each with a short answer that a sentence states.

questions_by_rule
                 the questions of an article, and those that their own checks rejected
subjects         an article's subject, and its sentences about it
definitions      what its first sentence says that it is
naming           how a question names it, so that only one thing is meant
candidates       what a sentence or an infobox line can be asked for
clauses          among it: when somebody did something
uniqueness       whether that happened once, as far as the article tells
dates            the dates in a text
fact_dates       when the fact of a question came to be
peoples          words of peoples and countries
guessing         whether the name of a subject gives an answer away
wordings         a question before it is checked, and with its subject named
vocabulary       the words that these rules know (`questions.toml`)
article_questions
                 questions of an article, and those that are not used
languages/       what is known of each: dates, sentences, what to ask
pattern_subjects, questions_by_pattern
                 the same of articles in German, French, Spanish and Japanese, by the patterns of `languages/`
"""
