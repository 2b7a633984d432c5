"""Peers of row `urls`: w3lib's canonicalize_url and url-normalize, as they are and, where it has one, with the option
that drops parameters.

Reads lines `[left, right]`, prints `{"peer", "merged"}` for each and peer, at the end `{"peer", "ns"}`, the CPU time of one URL in the fastest of
five rounds.
A URL that a peer refuses (an exception) is merged with nothing.
"""

import json
import sys
import time

from url_normalize import url_normalize
from w3lib.url import canonicalize_url

PEERS = {
    "w3lib": canonicalize_url,
    "url-normalize": url_normalize,
    "url-normalize (filter_params)": lambda url: url_normalize(url, filter_params=True),
}


def key(normalize, url):
    try:
        return normalize(url)
    except Exception:  # a refusal, whatever its type
        return None


pairs = [json.loads(line) for line in sys.stdin]
for name, normalize in PEERS.items():
    for left, right in pairs:
        keys = key(normalize, left), key(normalize, right)
        print(json.dumps({"peer": name, "merged": keys[0] is not None and keys[0] == keys[1]}))
    fastest = None
    for _ in range(5):
        start = time.process_time_ns()
        for left, right in pairs:
            key(normalize, left), key(normalize, right)
        spent = time.process_time_ns() - start
        fastest = spent if fastest is None else min(fastest, spent)
    print(json.dumps({"peer": name, "ns": fastest / (2 * len(pairs))}))
