"""The reference of these tests: the `jinja2` package as the `transformers` package sets it up for chat templates."""
import copy
import json

import jinja2
import jinja2.ext
from jinja2.sandbox import ImmutableSandboxedEnvironment


class Generation(jinja2.ext.Extension):
    """{% generation %}: its content is written as it stands, in a scope of its own."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("write"), [], [], body).set_lineno(line)

    def write(self, caller):
        return caller()


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def environment() -> ImmutableSandboxedEnvironment:
    made = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])
    made.filters["tojson"] = tojson
    made.globals["raise_exception"] = raise_exception
    return made


def render(source: str, values: dict) -> dict:
    """{"text": ...}, or {"error": ...} where jinja2 raises."""
    try:
        text = environment().from_string(source).render(**copy.deepcopy(values))  # a filter may change a list
        text.encode("utf-8")
        return {"text": text}
    except Exception as error:  # whatever it is, ours has to end with a message too
        return {"error": f"{type(error).__name__}: {error}"}
