"""MinHash LSH of datasketch on pairs: words and character 3-grams, thresholds 0.5 to 0.9.

Reads JSON lines {one, other}; prints a line {name, same: [bool]} for each way. All first texts
are in one index, and a pair is the same where its second text finds its first.
"""

import json
import re
import sys

from datasketch import MinHash, MinHashLSH

PERMUTATIONS = 128


def words(text):
    return set(re.findall(r"[\u4e00-\u9fff]|\w+", text.lower()))


def grams(text):
    text = re.sub(r"\s+", " ", text.lower())
    return {text[at : at + 3] for at in range(max(1, len(text) - 2))}


def digest(shingles):
    minhash = MinHash(num_perm=PERMUTATIONS, seed=1)
    minhash.update_batch([shingle.encode() for shingle in shingles])
    return minhash


pairs = [json.loads(line) for line in sys.stdin]
for cut_name, cut in (("words", words), ("3-grams", grams)):
    digests = [(digest(cut(pair["one"])), digest(cut(pair["other"]))) for pair in pairs]
    for threshold in (0.5, 0.6, 0.7, 0.8, 0.9):
        index = MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS)
        for key, (one, _) in enumerate(digests):
            index.insert(key, one)
        same = [key in set(index.query(other)) for key, (_, other) in enumerate(digests)]
        print(json.dumps({"name": f"datasketch {cut_name} {threshold}", "same": same}))
