"""Referee and peers of the row `summaries`. Reads {sentences, gold, ours, count} lines, prints for each
{system: {rouge1, rouge2, rougeL}}: F1 with stemming, the mean over the gold summaries.
pip install rouge-score sumy
"""

import json
import re
import sys

from rouge_score.rouge_scorer import RougeScorer
from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence
from sumy.nlp.stemmers import Stemmer
from sumy.summarizers.lex_rank import LexRankSummarizer
from sumy.summarizers.lsa import LsaSummarizer
from sumy.summarizers.sum_basic import SumBasicSummarizer
from sumy.summarizers.text_rank import TextRankSummarizer

MEASURES = ["rouge1", "rouge2", "rougeL"]
PEERS = {"SumBasic": SumBasicSummarizer, "LexRank": LexRankSummarizer, "LSA": LsaSummarizer, "TextRank": TextRankSummarizer}


class Tokenizer:
    """sumy's own needs data that is downloaded; each sentence is given as one."""

    def to_words(self, text):
        return tuple(re.findall(r"[^\W\d_]+", text))

    def to_sentences(self, text):
        return (text,)


def main():
    scorer, stemmer, tokenizer = RougeScorer(MEASURES, use_stemmer=True), Stemmer("english"), Tokenizer()
    for item in map(json.loads, sys.stdin):
        document = ObjectDocumentModel([Paragraph([Sentence(text, tokenizer) for text in item["sentences"]])])
        systems = {name: "\n".join(map(str, peer(stemmer)(document, item["count"]))) for name, peer in PEERS.items()}
        answer = {}
        for name, summary in {"ours": item["ours"], **systems}.items():
            scores = [scorer.score(gold, summary) for gold in item["gold"]]
            answer[name] = {key: sum(score[key].fmeasure for score in scores) / len(scores) for key in MEASURES}
        print(json.dumps(answer))


main()
