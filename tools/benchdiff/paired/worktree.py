"""Sources of each arm in a worktree of its own. The developer's tree is read, never written."""

import hashlib
import os
import subprocess
import tempfile
from pathlib import Path

from .errors import ToolError

WORKTREE = "worktree"  # as a revision: what lies in the developer's tree now, committed or not


def git(repository: Path, *arguments: str, variables: dict[str, str] | None = None) -> str:
    done = subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True, text=True, check=False,
                          env={**os.environ, **(variables or {})})
    if done.returncode != 0:
        raise ToolError(f"git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout.strip()


def root_of(folder: Path) -> Path:
    return Path(git(folder, "rev-parse", "--show-toplevel"))


def commit_of(repository: Path, revision: str) -> str:
    """The commit that a revision names; of `worktree` a commit made of all files that git does not ignore. It is made
    with an index of its own, so that neither the files nor the developer's index change."""
    if revision != WORKTREE:
        return git(repository, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")
    with tempfile.TemporaryDirectory() as folder:
        index = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
        git(repository, "read-tree", "HEAD", variables=index)
        git(repository, "add", "--all", ":/", variables=index)
        tree = git(repository, "write-tree", variables=index)
    if tree == git(repository, "rev-parse", "HEAD^{tree}"):
        return git(repository, "rev-parse", "HEAD")
    names = {f"GIT_{role}_{what}": "benchdiff" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    dates = {f"GIT_{role}_DATE": "2000-01-01T00:00:00Z" for role in ("AUTHOR", "COMMITTER")}  # same files, same commit
    return git(repository, "commit-tree", tree, "-p", "HEAD", "-m", "uncommitted work", variables={**names, **dates})


def cache_of(repository: Path, tool: str = "benchdiff") -> Path:
    """The folder of a repository's worktrees, builds and files of a tool, outside of it."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    digest = hashlib.sha256(str(repository.resolve()).encode()).hexdigest()[:12]
    return cache / tool / f"{repository.name}-{digest}"


def check_out(repository: Path, commit: str, folder: Path) -> None:
    """`folder` holds exactly the files of `commit`; what was built beside it stays, so the next build is short."""
    if (folder / ".git").exists():
        git(folder, "checkout", "--quiet", "--force", "--detach", commit)
        git(folder, "clean", "--quiet", "-ffdx")
    else:
        folder.parent.mkdir(parents=True, exist_ok=True)
        git(repository, "worktree", "prune")
        git(repository, "worktree", "add", "--quiet", "--force", "--detach", str(folder), commit)
    if (folder / ".gitmodules").exists():
        git(folder, "submodule", "update", "--quiet", "--init", "--recursive")


def remove_all(repository: Path, tool: str = "benchdiff") -> list[Path]:
    """Takes away the worktrees of this repository's cache, and their builds."""
    listing = git(repository, "worktree", "list", "--porcelain").splitlines()
    cache = cache_of(repository, tool).resolve()
    ours = [Path(line.removeprefix("worktree ")) for line in listing if line.startswith("worktree ")]
    ours = [path for path in ours if path.is_relative_to(cache)]
    for path in ours:
        git(repository, "worktree", "remove", "--force", str(path))
    return ours
