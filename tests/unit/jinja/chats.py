"""Conversations that every template of templates/ is rendered with."""

WEATHER = {"type": "function", "function": {
    "name": "get_weather", "description": "Weather of a place.\nNow.",
    "parameters": {"type": "object", "required": ["city"], "properties": {
        "city": {"type": "string", "description": "The city, e.g. \"Zürich\""},
        "unit": {"type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius"},
        "days": {"type": ["integer", "null"]},
        "at": {"type": "array", "items": {"type": "number"}}}}}}
CLOCK = {"type": "function", "function": {"name": "clock", "description": "The time.", "parameters": {"type": "object", "properties": {}}}}


def message(role, content, **more):
    return {"role": role, "content": content, **more}


def call(name, arguments, id="call00001"):
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


USER = message("user", "What is a mortise?")
SYSTEM = message("system", "You are a carpenter.\nBe brief. ")
ODD = "  <b>'q' & \"p\"</b>\t{{ 7 * 7 }} {% raw %} <|im_end|></s>[INST]\r\n\\n 木 👩\u200d🔧 ß \n"
TURNS = [SYSTEM, message("user", "2 + 2?"), message("assistant", "4"), message("user", ODD), message("assistant", "No. "), message("user", "Why?")]
TOOLED = [message("user", "Weather in Zürich?"),
          message("assistant", "", tool_calls=[call("get_weather", {"city": "Zürich", "days": 2, "at": [1.5, 2]})]),
          message("tool", "{\"temp\": 3.5}", name="get_weather", tool_call_id="call00001"),
          message("assistant", "3.5 degrees."), message("user", "Thanks, the time?")]
TWO_CALLS = [SYSTEM, message("user", "Weather and time?"),
             message("assistant", "I look.", tool_calls=[call("get_weather", {"city": "Rome"}), call("clock", {}, "call00002")]),
             message("tool", "12 C", name="get_weather", tool_call_id="call00001"),
             message("tool", "10:30", name="clock", tool_call_id="call00002")]
THINKING = [message("user", "3 * 7?"), message("assistant", "<think>\nThree sevens.\n</think>\n\n21", reasoning_content="Three sevens."),
            message("user", "And 3 * 8?"), message("assistant", "<think>\nMore.\n</think>\n\n24")]
PARTS = [message("user", [{"type": "text", "text": "Look: "}, {"type": "image"}, {"type": "text", "text": "what is it?"}])]


def conversations():
    base = {"bos_token": "<s>", "eos_token": "</s>", "add_generation_prompt": True}
    return [
        ("one turn", {"messages": [USER], **base}),
        ("a system message", {"messages": [SYSTEM, USER], **base}),
        ("turns, odd text", {"messages": TURNS, **base}),
        ("nothing to generate", {"messages": TURNS[:3], **base, "add_generation_prompt": False}),
        ("tools offered", {"messages": [SYSTEM, USER], "tools": [WEATHER, CLOCK], **base}),
        ("a tool called", {"messages": TOOLED, "tools": [WEATHER, CLOCK], **base}),
        ("two tools called", {"messages": TWO_CALLS, "tools": [WEATHER, CLOCK], **base}),
        ("thinking", {"messages": THINKING, **base, "add_generation_prompt": False}),
        ("no thinking wanted", {"messages": THINKING[:3], **base, "enable_thinking": False}),
        ("content in parts", {"messages": PARTS, **base}),
        ("roles out of order", {"messages": [USER, USER], **base}),
        ("an unknown role", {"messages": [message("narrator", "Once.")], **base}),
        ("a date, documents", {"messages": [USER], **base, "date_string": "26 Jul 2024", "reasoning_effort": "high",
                               "documents": [{"title": "On joints", "text": "A mortise is a hole.", "doc_id": 1}]}),
        ("no messages", {"messages": [], **base}),
    ]
