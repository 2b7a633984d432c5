"""Peers of the row `support`. Reads {claim, evidence, features, supported} lines, prints {name: score} lines.

ours_cross_validated: our features with coefficients fitted on the other four fifths (ridge logistic regression); to see
that the constants in the code aren't made for the set.
pip install ragground rank-bm25 rouge-score numpy
"""

import json
import re
import sys

import numpy as np
from ragground.matchers.deterministic import DeterministicMatcher
from rank_bm25 import BM25Okapi
from rouge_score.rouge_scorer import RougeScorer

PENALTY = 1.0
FOLDS = 5


def words(text):
    return re.findall(r"\w+", text.lower())


def fitted(x, y):
    """Coefficients of a logistic regression with an L2 penalty, by Newton's method; the last is the intercept."""
    x = np.hstack([x, np.ones((len(x), 1))])
    weights, penalty = np.zeros(x.shape[1]), PENALTY * np.diag([1.0] * (x.shape[1] - 1) + [0.0])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ weights))
        hessian = (x * (p * (1 - p))[:, None]).T @ x + penalty
        weights -= np.linalg.solve(hessian, x.T @ (p - y) + penalty @ weights)
    return weights


def cross_validated(items):
    x = np.array([item["features"] for item in items], float)
    y = np.array([item["supported"] for item in items], float)
    scores, order = np.zeros(len(y)), np.random.default_rng(0).permutation(len(y))
    for test in np.array_split(order, FOLDS):
        train = np.setdiff1d(order, test)
        mean, scale = x[train].mean(0), x[train].std(0) + 1e-9
        weights = fitted((x[train] - mean) / scale, y[train])
        logits = (x[test] - mean) / scale @ weights[:-1] + weights[-1]
        scores[test] = 1 / (1 + np.exp(-logits))
    return scores


def main():
    items = [json.loads(line) for line in sys.stdin]
    ours, matcher = cross_validated(items), DeterministicMatcher()
    rouge = RougeScorer(["rougeL"], use_stemmer=True)
    for item, score in zip(items, ours):
        claim, evidence = item["claim"], item["evidence"]
        tokens = [words(sentence) or [""] for sentence in evidence]
        known, asked = set().union(*tokens), set(words(claim))
        print(json.dumps({
            "ours_cross_validated": float(score),
            "ragground": matcher.match("\n".join(evidence), claim).confidence,
            "bm25": float(max(BM25Okapi(tokens).get_scores(words(claim)))),
            "rouge_l": max(rouge.score(claim, sentence)["rougeL"].recall for sentence in evidence),
            "jaccard": max(len(asked & set(t)) / len(asked | set(t)) for t in tokens),
            "words_found": len(asked & known) / max(1, len(asked)),
        }))


main()
