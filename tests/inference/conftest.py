import pytest

from tests.inference.support import World, make_world

ROWS = 14  # two for each of seven shards


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A task of 14 rows with its audio; for reading only."""
    return make_world(tmp_path_factory.mktemp("world"), {"missing_fundamental": ROWS})


@pytest.fixture
def own_world(tmp_path) -> World:
    """A task of 4 rows with its audio, to be damaged."""
    return make_world(tmp_path, {"missing_fundamental": 4})
