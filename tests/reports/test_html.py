"""The list of the page of a run, in Chromium, on real runs of the mock suite: head, filters, address, keyboard."""

from collections import Counter
from pathlib import Path

from conftest import Mock
from pages import Open, ids_shown, report_of, results_of, row_of, settle

FACETS = "#facets button"


def test_the_head_tells_the_verdict_and_regressions_come_first_with_message_log_and_command(
    two_runs: Mock, open_page: Open
) -> None:
    page = open_page(report_of(two_runs), "each=1")
    verdicts = Counter(status for _, status, _ in results_of(two_runs))
    red = verdicts["Fail"] + verdicts["Crash"]
    assert page.locator("h1").inner_text() == f"RED mock: {red} regressions, 1 improvement"
    assert page.title() == "mock: RED"
    assert "exit code 1" in page.locator("#facts").inner_text()
    badges = page.locator("#list .badge").all_text_contents()
    assert set(badges[:red]) == {"Fail", "Crash"}
    assert not {"Fail", "Crash"} & set(badges[red:])
    assert len(badges) == len(results_of(two_runs))
    row = page.locator(row_of("mock/basic/assert"))
    assert "bits <= 64' failed" in row.locator("summary .message").inner_text()
    row.locator("summary").click()
    row.locator(".body").wait_for()
    text = row.inner_text()
    assert "Attempt 1: Crash after" in text
    assert "Attempt 2: Crash after" in text
    assert ", alone, case 1 of " in text
    assert (
        "mock: ../../mock-1.0/src/mock.c:41: lower: Assertion `bits <= 64' failed."
        in row.get_by_label("Output of attempt 2").inner_text()
    )
    assert "run-case --driver mock" in text
    assert "mock/basic/assert" in row.locator("code").first.inner_text()
    log = row.get_by_role("link", name="whole log").evaluate("link => link.href")
    assert Path(log.removeprefix("file://")) == two_runs.results / "logs/mock/basic/assert.txt"
    assert (two_runs.results / "logs/mock/basic/assert.txt").exists()


def test_filters_find_what_results_csv_says(two_runs: Mock, open_page: Open) -> None:
    page = open_page(report_of(two_runs), "each=1")
    rows = results_of(two_runs)
    buttons = dict(text.rsplit(" ", 1) for text in page.locator(FACETS).all_inner_texts())
    assert {name: int(n) for name, n in buttons.items()} == Counter(v.replace("Unexpected", "") for _, v, _ in rows)
    page.get_by_role("combobox", name="Area").select_option("mock/bulk")
    assert sorted(ids_shown(page)) == sorted(i for i, _, _ in rows if i.startswith("mock/bulk/"))
    page.get_by_role("button", name="Crash").click()
    assert ids_shown(page) == [i for i, v, _ in rows if i.startswith("mock/bulk/") and v == "Crash"]
    page.get_by_role("button", name="Skip").click()
    assert "mock/bulk/00004" in ids_shown(page)
    assert len(ids_shown(page)) == 2
    page.get_by_role("searchbox").fill("skips.txt  BULK")  # all words, in id or message
    assert ids_shown(page) == ["mock/bulk/00004"]
    assert page.get_by_role("status").inner_text() == f"1 of {len(rows)} tests"
    page.get_by_role("searchbox").fill("skips.txt basic")
    assert not ids_shown(page)
    assert "nothing matches" in page.get_by_role("status").inner_text()
    page.get_by_role("link", name="Clear").click()
    settle(page)
    assert len(ids_shown(page)) == len(rows)


def test_view_filters_and_the_open_test_stay_in_the_address(two_runs: Mock, open_page: Open) -> None:
    page = open_page(report_of(two_runs), "each=1")
    page.get_by_role("searchbox").fill("mock/b")
    page.get_by_role("combobox", name="Area").select_option("mock/basic")
    page.get_by_role("button", name="Crash").click()
    before = ids_shown(page)
    assert before == [i for i, v, _ in results_of(two_runs) if i.startswith("mock/basic/") and v == "Crash"]
    page.locator(row_of(before[-1])).locator("summary").click()
    page.locator(row_of(before[-1])).locator(".body").wait_for()
    address = page.url.split("#")[1]
    page.go_back()  # the button
    assert len(ids_shown(page)) > len(before)
    page.go_back()  # the area
    assert {i.split("/")[1] for i in ids_shown(page)} == {"basic", "bulk"}
    page.get_by_role("link", name="Slowest").click()
    settle(page)
    assert page.get_by_role("searchbox").input_value() == "mock/b"  # another view keeps text and area
    assert page.get_by_role("link", name="Slowest").get_attribute("aria-current") == "page"
    again = open_page(report_of(two_runs), address)
    assert ids_shown(again) == before
    assert again.get_by_role("searchbox").input_value() == "mock/b"
    assert again.get_by_role("button", name="Crash").get_attribute("aria-pressed") == "true"
    assert again.locator("details[open][data-id]").get_attribute("data-id") == before[-1]
    gone = open_page(report_of(two_runs), "id=mock/gone").get_by_role("status").inner_text()
    assert gone == f'{len(results_of(two_runs))} tests; "mock/gone" is not among them'


def test_the_keyboard_is_enough(two_runs: Mock, open_page: Open) -> None:
    page = open_page(report_of(two_runs), "each=1")
    focus = "document.activeElement.closest('details')?.dataset.id ?? document.activeElement.id"
    page.keyboard.press("/")
    page.keyboard.type("mock/basic/")
    assert page.evaluate(focus) == "query"
    assert page.get_by_role("searchbox").input_value() == "mock/basic/"
    ids = ids_shown(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focus) == ids[1]
    page.keyboard.press("Enter")
    row = page.locator(row_of(ids[1]))
    row.locator(".body").wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Message"  # it scrolls
    page.keyboard.press("Escape")
    assert not row.locator(".body").is_visible()
    assert page.evaluate(focus) == ids[1]
    page.keyboard.press("k")
    page.keyboard.press("ArrowUp")
    assert page.evaluate(focus) == "query"
    page.keyboard.press("Escape")
    assert page.get_by_role("searchbox").input_value() == ""
    assert len(ids_shown(page)) == len(results_of(two_runs))
    # From the top, Tab goes through the page in reading order.
    page.evaluate("document.activeElement.blur(); window.scrollTo(0, 0)")
    page.locator("h1").click()
    places = []
    for _ in range(20):
        page.keyboard.press("Tab")
        box = page.evaluate(
            "(() => { const b = document.activeElement.getBoundingClientRect(); return [b.top, b.left]; })()"
        )
        places.append((round(box[0] / 12), box[1]))
        if page.evaluate("document.activeElement.matches('#list summary')"):
            break
    assert places == sorted(places)
    assert 8 < len(places) < 20
