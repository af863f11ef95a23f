"""The undocumented parts of pytest and xdist that runner and tests use, pinned: a new release is a red test, not a hang."""

import inspect

import xdist.remote
from _pytest.config import builtin_plugins
from execnet import gateway_io
from xdist.dsession import DSession
from xdist.scheduler.loadscope import LoadScopeScheduling
from xdist.workermanage import NodeManager, WorkerController

from runner.run.pytest_plugin import UNUSED_PLUGINS, XDIST_SESSION, XDIST_WORKER
from runner.run.scheduling import GroupScheduling


def test_the_session_has_a_name_a_stop_and_the_nodes() -> None:
    assert f'register(session, "{XDIST_SESSION}")' in inspect.getsource(xdist.plugin)
    for owner, names in ((DSession, ("shouldstop", "nodemanager")), (NodeManager, ("roots", "group"))):
        source = inspect.getsource(owner)
        assert all(f"self.{name}" in source or f"    {name}" in source for name in names), owner


def test_the_plugin_of_a_worker_has_a_name_and_a_channel() -> None:
    worker = getattr(xdist.remote, XDIST_WORKER)
    assert "channel" in inspect.signature(worker).parameters
    assert "self.channel" in inspect.getsource(worker.__init__)


def test_the_scheduler_has_what_ours_overrides_and_reads() -> None:
    for name in ("_split_scope", "_assign_work_unit", "add_node_collection", "mark_test_complete"):
        ours, theirs = (inspect.signature(getattr(own, name)) for own in (GroupScheduling, LoadScopeScheduling))
        assert list(ours.parameters) == list(theirs.parameters), name
    source = inspect.getsource(LoadScopeScheduling.__init__)
    assert "self.registered_collections" in source
    assert "self.assigned_work" in source
    assert inspect.isclass(WorkerController)


def test_a_worker_is_started_by_what_the_tests_put_a_fork_in_the_place_of() -> None:
    assert "Popen2IOMaster(args, execmodel)" in inspect.getsource(gateway_io.create_io)
    assert list(inspect.signature(gateway_io.Popen2IOMaster).parameters) == ["args", "execmodel"]


def test_the_plugins_that_a_run_leaves_out_are_pytests_own() -> None:
    assert set(UNUSED_PLUGINS) < builtin_plugins
