"""What ends a command with exit code 3."""


class ToolError(Exception):
    """The tool could not do its work. The message names the thing, what was found and what to do."""
