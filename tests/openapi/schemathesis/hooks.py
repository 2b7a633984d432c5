"""What Schemathesis can't know from the document of the service.

How lines and server-sent events are written, which are texts to OpenAPI 3.1; what takes long and finds little; and rules
between the parts of a request, which no schema can say: a request that breaks one of those fits its schema and is
refused, as documented.
"""

import itertools
import json
import re

import schemathesis

EVENTS = "/planner/sessions/{session_id}/steps/{plan_step_id}/subagents/{key}/events"


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Lines and server-sent events are arrays of small events here, so that they are made of events: `application/json`
    has whole ones. The largest limits are left out, as a body of that size costs a second: tests/limits has those."""
    content = raw_schema["paths"][EVENTS]["post"]["requestBody"]["content"]
    small = {
        "type": "object",
        "required": ["status"],
        "properties": {"status": {"$ref": "#/components/schemas/SenderStatus"}, "payload": {}},
        "additionalProperties": False,
    }
    for media in ("application/x-ndjson", "text/event-stream"):
        content[media] = {"schema": {"type": "array", "items": small}}
    # What a call needs is between its protocol and the configuration: tests/invoke has those.
    raw_schema["components"]["schemas"]["Invoke"] = {"enum": [False]}
    without_large_limits(raw_schema)


def without_large_limits(part):
    if isinstance(part, dict):
        for limit in ("maxLength", "maxItems"):
            if isinstance(part.get(limit), int) and part[limit] > 300:
                del part[limit]
        part = list(part.values())
    if isinstance(part, list):
        for item in part:
            without_large_limits(item)


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    return "".join(f"{json.dumps(item)}\n" for item in each(value)).encode()


@schemathesis.serializer("text/event-stream")
def server_sent_events(context, value):
    return "".join(f"data: {json.dumps(item)}\n\n" for item in each(value)).encode()


def each(value):
    return value if isinstance(value, list) else [value]


FRESH = itertools.count()


@schemathesis.hook
def before_call(context, case, kwargs):
    """Another key for each request: a second request under the same one is refused, whatever it is. No wrong event as
    raw output, which may be any JSON."""
    if not case.meta.generation.mode.is_positive and str((case.query or {}).get("raw")).lower() == "true":
        del case.query["raw"]
    key = case.headers.get("Idempotency-Key") if case.headers else None
    if isinstance(key, str) and re.fullmatch("[!-~]{1,255}", key):
        case.headers["Idempotency-Key"] = f"{key[:240]}.{next(FRESH)}"


# What a request that fits its schema may still be refused for: code and detail.
BETWEEN_PARTS = [
    # Ids of one request that must differ.
    ("invalid_event", "a step isn't (its own parent|in its own `(expected_children|depends_on)`)"),
    ("invalid_event", "(the (task_)?id |`result_key` )?`.*` is there twice.*"),
    # Ids that stand in two places.
    ("invalid_event", "`.*` doesn't agree with the path, .*"),
    # Ids of one request that must be there.
    ("invalid_event", "`.*` depends on (`.*`, which isn't (in the tree|a sibling)|itself, through `depends_on`)"),
    ("invalid_event", "`.*` is the `id` of none of the `sources`"),
    # Names and limits from the configuration.
    ("limit_reached", "`deadline_ms` is [0-9]+; the limit is [0-9]+"),
    ("invalid_event", "no prompt `.*` is configured; .*"),
    # A decision and what follows from it.
    ("invalid_event", "what is allowed isn't ended by that: .*"),
    # A parameter that wants another one, or a type of body.
    ("invalid_cursor", "`live` wants an `offset`.*"),
    ("unsupported_media_type", "a body of type `.*` isn't taken here, only application/json or text/plain with raw=true"),
    ("unsupported_media_type", "a body of type `text/plain` isn't taken here, .*"),
    # 1.0, which is a whole number only to JSON Schema.
    ("invalid_event", "an id is a string or a whole number"),
    # All but one value of a pattern (not every language's patterns can say so).
    ("invalid_event", "`(trace|span|parent_span)_id` is [0-9]+ lowercase hex digits, not all of them zeros .*"),
]


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Drops the failure "valid data should have been accepted" where the request broke only such rules, and "invalid data
    should have been rejected" where that isn't looked at."""
    if type(failure).__name__ == "AcceptedNegativeData":
        return not is_unread(failure, case)
    if type(failure).__name__ != "RejectedPositiveData":
        return True
    problem = response.json()
    details = [issue["detail"] for issue in problem.get("errors", [])] or [problem["detail"]]
    known = [rule for code, rule in BETWEEN_PARTS if code == problem["code"]]
    return not all(any(re.fullmatch(rule, detail, re.DOTALL) for rule in known) for detail in details)


def is_unread(failure, case):
    """Whether what is wrong is a place to read from that another one goes before: the header, `last_event_id`, `after`."""
    wrong = re.search("Invalid component: parameter `(last_event_id|after)` in query", failure.message)
    if not wrong:
        return False
    headers = {name.lower(): value for name, value in (case.headers or {}).items()}
    before = [headers.get("last-event-id")]
    if wrong[1] == "after":
        before.append((case.query or {}).get("last_event_id"))
    return any(place not in (None, "") for place in before)
