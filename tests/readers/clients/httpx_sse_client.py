"""Python's httpx-sse: doesn't come back by itself, so this does, with Last-Event-ID.

Prints what it gets, a line of JSON each: python httpx_sse_client.py URL
"""

import json
import sys
import time

import httpx
from httpx_sse import connect_sse


def say(event, last, data):
    print(json.dumps({"event": event, "id": last, "data": data}), flush=True)


def read(client, url, last):
    """Reads until the stream ends; where to go on, and whether there is more."""
    headers = {"last-event-id": last} if last else {}
    try:
        with connect_sse(client, "GET", url, headers=headers) as source:
            if source.response.status_code == 204:
                say("closed", "", {"status": 204})
                return last, False
            for event in source.iter_sse():
                last = event.id or last
                say(event.event, event.id, event.json())
    except httpx.TransportError:
        pass
    return last, True


def main(url):
    last, more = "", True
    # `trust_env`: no proxy between this and the loopback address.
    with httpx.Client(timeout=30, trust_env=False) as client:
        while more:
            last, more = read(client, url, last)
            if more:
                time.sleep(0.05)


main(sys.argv[1])
