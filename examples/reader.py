"""Reads a step's stream, checks that nothing is missing, comes back where it was, stops at the end.

    pip install httpx httpx-sse
    python examples/reader.py http://127.0.0.1:8080/planner/sessions/s1/steps/step-1/events

A token goes into `TRIBUTARY_TOKEN`.
"""

import json
import os
import sys
import time

import httpx
from httpx_sse import connect_sse

covered = None  # everything through this sequence was read
cursor = None  # the last id: where to come back to
heartbeat = 15.0  # seconds; `open` says how often a quiet stream gives a sign of life
token = os.environ.get("TRIBUTARY_TOKEN")
PASSING = ("over_capacity", "rate_limited", "draining", "store_unavailable")  # come back later
SILENT_HEARTBEATS = 3  # after so many that didn't come the line is dead, even if nobody said so


def take(name: str, data: dict) -> None:
    global covered, heartbeat
    if name == "open":
        if data["reason"] == "ok" and covered is not None and data["from"] != covered:
            raise SystemExit(f"{covered} was read, {data['from']} follows")
        if not data["recovered"]:
            print(f"starting over: {data['reason']}")  # a snapshot replaces what was read
        covered = data["from"]
        heartbeat = data["heartbeat_ms"] / 1000 or heartbeat
    elif name in ("planner_stream", "snapshot"):
        if data["from"] != covered + 1:
            raise SystemExit(f"{covered + 1} is missing, {data['from']} came")
        covered = data["to"]
        for event in data["events"]:
            content = event["content"]
            print(event["sequence"], content.get("stage", "plan"), content.get("status", event["type"]))
    elif name == "error":
        refused(data["status"], data)


def refused(status: int, problem: dict) -> None:
    """Says what the service says; ends where it would say so again."""
    told = f"{status} {problem.get('code')}: {problem.get('detail')}"
    if status < 500 and problem.get("code") not in PASSING:
        raise SystemExit(f"refused: {told}")
    print(told, file=sys.stderr)


def read(client: httpx.Client, url: str) -> bool:
    """Reads one connection; true when nothing more will come."""
    global cursor
    headers = {"Last-Event-ID": cursor} if cursor else {}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    patience = httpx.Timeout(10, read=SILENT_HEARTBEATS * heartbeat)
    with connect_sse(client, "GET", url, headers=headers, timeout=patience) as source:
        response = source.response
        if response.status_code == 204:
            return True
        if response.status_code != 200:
            is_problem = response.headers.get("content-type", "").startswith("application/problem+json")
            refused(response.status_code, json.loads(response.read()) if is_problem else {})
            return False
        for event in source.iter_sse():
            if not event.data:
                continue  # only says how long to wait before coming back
            take(event.event, json.loads(event.data))
            cursor = event.id or cursor
            if event.event == "end":
                return True
    return False


with httpx.Client() as client:
    while True:
        try:
            if read(client, sys.argv[1]):
                break
        except httpx.TransportError as error:
            print(f"reconnecting after {covered or 0}: {error}", file=sys.stderr)
        time.sleep(2)
