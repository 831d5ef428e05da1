"""My games over the interface: import, names, page, reviews, export, deletion; limits, separate people."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from reviewing import running_app

from janshi.web.app import make_app
from janshi.web.quotas import Quotas
from janshi.web.settings import Settings
from own_games import ME, MINE, OTHERS, packed, played_name, played_text
from patience import wait_until


def files(*seeds: int) -> list[tuple[str, tuple[str, bytes]]]:
    return [("files", (f"games/{played_name(seed)}", played_text(seed))) for seed in seeds]


def state(client: Any) -> dict[str, Any]:
    return dict(client.get("/api/career/state").json())


def imported(client: Any) -> dict[str, Any]:
    wait_until(lambda: state(client)["importing"]["uploads"] == 0, "everything is read")
    return state(client)


def be(client: Any, *names: str) -> Any:
    return client.put("/api/career/names", json={"names": list(names)})


def measured(client: Any) -> dict[str, Any]:
    wait_until(lambda: state(client)["luck"]["waiting"] == 0, "luck is measured")
    return state(client)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A career of six games and two of others, measured."""
    with running_app(tmp_path_factory.mktemp("career")) as found:
        archive = ("files", ("more.tar.gz", packed(*MINE[3:], *OTHERS)))
        sent = found.post("/api/career/files", files=[*files(*MINE[:3]), archive, ("files", ("bad.json", b"{}"))])
        assert sent.status_code == 202, sent.text
        imported(found)
        assert be(found, ME).status_code == 200
        measured(found)
        yield found


def test_everything_was_imported(client: Any):
    now = state(client)
    assert (now["games"], now["mine"], now["names"]) == (len(MINE) + len(OTHERS), len(MINE), [ME])
    counts = {name: now["importing"][name] for name in ("games", "duplicates", "problems")}
    assert counts == {"games": len(MINE) + len(OTHERS), "duplicates": 0, "problems": 1}
    (bad,) = client.get("/api/career/problems").json()["problems"]
    assert bad["file"] == "bad.json"
    assert "no known format" in bad["what"]
    assert now["luck"] == {"known": len(MINE), "waiting": 0, "impossible": 0, "trained": 0}


def test_the_page(client: Any):
    page = client.get("/api/career").json()
    assert page["shown"] == len(MINE)
    assert page["table"]["all"]["rank"]["number"] == len(MINE)
    assert page["houou"]["rounds"] == 1
    assert page["luck"]["games"] == len(MINE)
    luckless = page["luck"]["rank"]["value"] + page["luck"]["luck"]
    assert page["luck"]["luckless_rank"]["value"] == pytest.approx(luckless, abs=1e-4)
    assert page["curves"]["total"][-1][0] == len(MINE)
    assert {game["id"] for game in page["luckiest"] + page["unluckiest"]} <= set(range(1, 20))
    assert client.get("/api/career", params={"last": 2}).json()["shown"] == 2
    assert client.get("/api/career", params={"rounds": "south"}).json()["shown"] == 0


def test_the_list_of_games(client: Any):
    def ask(**params: Any) -> Any:
        return client.get("/api/career/games", params=params).json()

    by_luck = [game["luck"] for game in ask(sort="luck")["games"]]
    assert by_luck == sorted(by_luck, reverse=True)
    ranks = [game["rank"] for game in ask(sort="rank", descending=False)["games"]]
    assert ranks == sorted(ranks)
    two = ask(first=2, count=2)
    assert (len(two["games"]), two["total"]) == (2, len(MINE))
    game = two["games"][0]
    assert game["players"][game["seat"]] == ME
    assert game["luckless_rank"] == pytest.approx(game["rank"] + game["luck"], abs=1e-4)
    record = client.get(f"/api/career/games/{game['id']}/record")
    assert record.content in [played_text(seed) for seed in MINE]
    assert game["name"] in record.headers["content-disposition"]


def test_names_must_occur(client: Any):
    refused = be(client, ME, "nobody at all")
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "career_name_unknown")
    assert state(client)["names"] == [ME]
    found = client.get("/api/career/players", params={"search": "an"}).json()["players"]
    assert found == [{"name": ME, "games": len(MINE)}]


def test_copies_are_recognised(client: Any):
    sent = client.post("/api/career/files", files=[("files", ("copy.json", played_text(MINE[0], "tenhou6")))])
    assert sent.status_code == 202
    now = imported(client)
    assert (now["importing"]["games"], now["importing"]["duplicates"]) == (0, 1)
    assert now["games"] == len(MINE) + len(OTHERS)


def test_reviews_are_made_when_nobody_waits_and_their_losses_kept(client: Any):
    queued = client.post("/api/career/reviews", json={"which": "latest", "count": 1}).json()
    assert queued == {"queued": 1}
    assert client.post("/api/career/reviews", json={"which": "latest", "count": 1}).json() == {"queued": 0}
    wait_until(lambda: state(client)["reviews"]["done"] == 1, "the review is done")
    losses = client.get("/api/career").json()["losses"]
    assert losses["games"] == 1
    assert losses["total"]["value"] == pytest.approx(
        sum(kind["value"] for kind in losses["by_kind"].values()), abs=1e-3
    )
    (game,) = [game for game in client.get("/api/career/games").json()["games"] if game["review"]]
    opened = client.post(f"/api/career/games/{game['id']}/review").json()
    assert opened == {"id": game["review"], "url": f"#/review/{game['review']}"}
    review = client.get(f"/api/reviews/{game['review']}").json()
    assert review["seats"] == [game["seat"]]
    total = sum(row["loss"] for row in review["rows"] if row["loss"] is not None)
    assert losses["total"]["value"] == pytest.approx(total, abs=1e-3)


def test_a_game_can_be_watched_without_a_review(client: Any):
    (game, *_) = client.get("/api/career/games").json()["games"]
    made = client.post(f"/api/career/games/{game['id']}/watch").json()
    assert client.get(f"/api/reviews/{made['id']}").json()["seats"] == []
    assert client.get(f"/api/reviews/{made['id']}/hands/0").json()["moments"]
    assert client.post(f"/api/career/games/{game['id']}/watch").json() == made
    assert client.get("/api/career/games").json()["games"][0]["review"] == game["review"]


@pytest.mark.parametrize("which", ["latest", "unluckiest", "worst", "spread"])
def test_the_queue_of_reviews_can_be_filled_and_emptied(client: Any, which: str):
    assert client.post("/api/career/reviews", json={"which": which, "count": 2}).json() == {"queued": 2}
    assert client.delete("/api/career/reviews").json()["reviews"]["waiting"] == 0


def test_export(client: Any):
    with zipfile.ZipFile(io.BytesIO(client.get("/api/career/export").content)) as archive:
        assert len([name for name in archive.namelist() if name.startswith("records/")]) == len(MINE) + len(OTHERS)


def test_unknown_games(client: Any):
    assert client.get("/api/career/games/999/record").status_code == 404
    assert client.post("/api/career/games/999/review").status_code == 404


def limited(tmp_path: Path, quotas: Quotas, host: str = "127.0.0.1") -> Any:
    from fastapi.testclient import TestClient

    settings = Settings(tmp_path, host=host, warm=False, quotas=quotas)
    return TestClient(make_app(settings), base_url="http://localhost", raise_server_exceptions=False)


def test_a_full_career_takes_no_more_and_can_be_deleted(tmp_path: Path):
    with limited(tmp_path, Quotas(career_games=2)) as client:
        client.post("/api/career/files", files=files(*MINE[:3]))
        now = imported(client)
        assert (now["games"], now["importing"]["problems"]) == (2, 1)
        refused = client.post("/api/career/files", files=files(MINE[3]))
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "quota_career_games")
        be(client, ME)
        assert client.delete("/api/career").json() == {"deleted": 2}
        now = state(client)
        assert (now["games"], now["names"]) == (0, [])


def test_on_a_server_for_others_every_browser_has_a_career_of_its_own(tmp_path: Path):
    with limited(tmp_path, Quotas(), host="0.0.0.0") as client:
        client.post("/api/career/files", files=files(MINE[0]))
        assert imported(client)["games"] == 1
        client.cookies.clear()
        assert state(client)["games"] == 0
