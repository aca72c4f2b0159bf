"""Who plays and whose turn it is: faces, colours, the call; one line for what is special; Enter confirms."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.web.conftest import DESKTOP, Server
from tests.web.hand import Hand, scenario
from tests.web.test_seen import HEAD, Visit, assert_same_place, box, opened

IN_THE_BACKGROUND = """
  window.sent = [];
  window.Notification = class {
    static permission = "granted";
    static requestPermission = () => Promise.resolve("granted");
    constructor(title, options) { window.sent.push({title, ...options}); }
    close() {}
  };
  Object.defineProperty(document, "hidden", {get: () => window.away ?? false});
"""
SUBSCRIBES = """
  let made = null;
  const keys = {p256dh: "point", auth: "secret"};
  const endpoint = "https://push.test/1";
  const subscription = {toJSON: () => ({endpoint, keys}), unsubscribe: async () => (made = null)};
  PushManager.prototype.subscribe = async (wish) => (window.wish = wish, made = subscription);
  PushManager.prototype.getSubscription = async () => made;
"""
SHOWN = """async () => {
  const worker = await navigator.serviceWorker.ready;
  const [one] = await worker.getNotifications();
  return one && `${one.title}: ${one.body}`;
}"""
TAXES = scenario("wheel_of_fortune/taxes", "place G 3,0 0")


def test_title_icon_and_system_say_whose_turn_it_is(visit: Visit) -> None:
    hand = visit()
    hand.context.add_init_script(IN_THE_BACKGROUND)
    hand.page.reload()
    hand.page.get_by_role("button", name="Settings").click()
    hand.page.get_by_label("Tell me when it is my turn").check()
    hand.page.wait_for_function("JSON.parse(localStorage['bastide.settings']).notify")
    seats = [{"kind": "human"}, {"kind": "bot", "bot": "greedy"}]
    made = hand.api("POST", "/api/tables", data={"seats": seats, "title": "At home"})
    hand.page.goto(made["link"])
    hand.asked()
    assert hand.page.title() == "● Your turn – At home"
    assert hand.page.get_attribute('link[rel="icon"]', "href").endswith("icon-turn.svg")
    assert hand.page.evaluate("window.sent") == []  # who looks at the page needs no message
    hand.page.evaluate("window.away = true")
    while not hand.page.evaluate("window.sent.length"):
        if hand.page.get_attribute(".play", "data-asked"):
            hand.answer()
        hand.page.wait_for_timeout(50)
    sent = hand.page.evaluate("window.sent[0]")
    assert (sent["title"], sent["body"]) == ("Your turn", "At home: it is your turn.")


def test_the_colour_is_chosen_once_and_bots_have_faces(visit: Visit) -> None:
    hand = visit()
    hand.page.get_by_role("radio", name="green").check()
    hand.page.reload()
    assert hand.page.get_by_role("radio", name="green").is_checked()
    hand.page.get_by_role("button", name="Play: Base game").click()
    hand.asked()
    assert hand.state()["seats"][0]["colour"] == "green"
    own, bot = (hand.page.locator(".players").first.locator("li").nth(n) for n in (0, 1))
    green = hand.page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--seat2')")
    assert own.evaluate("one => getComputedStyle(one).getPropertyValue('--own')").strip() == green.strip()
    assert "You" in own.inner_text()
    assert "Bernard" in bot.inner_text()
    assert bot.locator(".head svg").count() == 2  # the piece and the face
    assert bot.locator(".head svg").last.is_visible()


def test_enter_confirms_although_a_clicked_button_has_the_focus(visit: Visit) -> None:
    hand = opened(visit, HEAD + "red: draw E\n", "U")
    hand.point("0,1")
    hand.page.get_by_role("button", name="Turn", exact=True).click()
    shown = hand.page.get_attribute("#confirm", "data-action")
    before = hand.seq
    hand.page.keyboard.press("Enter")
    hand.page.wait_for_selector(f'.play:not([data-seq="{before}"])')
    assert hand.log()[-1] == shown


def test_one_line_says_that_taxes_are_paid(visit: Visit) -> None:
    record, draws, rest = TAXES
    hand = opened(visit, record, *draws)
    for line in rest[:2]:
        hand.play(line.partition(": ")[2])
    said = hand.page.locator(".special")
    said.wait_for()
    assert re.fullmatch(r"Taxes: red \+\d+, blue \+\d+", said.inner_text())
    card, board = box(hand, ".special"), box(hand, "#board")
    assert board["x"] <= card["x"]
    assert card["y"] + card["height"] <= board["y"] + board["height"]
    below = """one => {
      const {x, y, width, height} = one.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2).closest("#board") !== null;
    }"""
    assert said.evaluate(below)  # spots below the line can be tapped: it swallowed taps


def test_the_pig_walks_from_sector_to_sector(visit: Visit) -> None:
    hand = opened(
        visit, "bastide 1\nmodules wheel_of_fortune\nplayers red blue\ndraws scripted\n\nred: draw E\n", "U.w1"
    )
    before = box(hand, ".m-walks")
    walker = hand.page.locator(".m-walks").element_handle()
    hand.answer()
    hand.asked()
    hand.press("#pass")
    assert walker.evaluate("one => one.isConnected")  # it is the same pig, not another one elsewhere
    after = box(hand, ".m-walks")
    assert abs(after["x"] - before["x"]) + abs(after["y"] - before["y"]) > before["width"] / 2


def test_one_line_says_that_the_flock_is_lost(visit: Visit) -> None:
    record = "bastide 1\nmodules hills_and_sheep\nplayers red blue\ndraws scripted\n\nred: draw B; place B 0,1 0\n"
    hand = opened(visit, record, "wolf", "U")
    hand.play("deploy shepherd 0,1 field NL")
    hand.page.locator(".special", has_text="Wolf: the flock is lost.").wait_for()


def test_the_final_scoring_has_true_outlines_and_counts_up(visit: Visit) -> None:
    record = HEAD + "red: draw E; place E 0,1 180; deploy follower 0,1 city S\nblue: draw U\n"
    hand = opened(visit, record)
    hand.play("place U 1,0 0")
    hand.asked()
    hand.play("deploy follower 1,0 road E")
    assert hand.asked() == "over"
    scores = hand.page.locator(".players").first.locator(".points")
    assert scores.all_inner_texts() == ["1", "0"]  # what has been told so far
    outline, tile = box(hand, "#board .m-region"), box(hand, "#board .m-lit")
    assert outline["height"] < 0.8 * tile["height"]  # the city, not the square
    assert_same_place(outline, tile)
    hand.page.get_by_role("button", name="Next").click()
    assert scores.all_inner_texts() != ["1", "0"]


def eventually(hand: Hand, look: Callable[[], Any]) -> Any:
    """What is there at last; the page's own waiting takes the promise of it for the thing."""
    for _ in range(1200):
        found = look()
        if found:
            return found
        hand.page.wait_for_timeout(50)
    raise AssertionError("it never came")


def test_the_server_is_told_where_to_call_and_its_call_is_shown(whole_browser: Any, server: Server) -> None:
    hand = Hand(
        whole_browser.new_context(base_url=server.address, permissions=["notifications"], **DESKTOP), server.address
    )
    hand.page.goto("/")
    sent: list[str] = []

    def push(route: Any) -> None:
        sent.append(route.request.method)
        if route.request.method == "GET":
            route.fulfill(json={"key": "B" + "A" * 86})
        else:
            route.fulfill(status=204)

    hand.page.route("**/api/push", push)
    hand.context.add_init_script(SUBSCRIBES)
    hand.page.reload()
    hand.page.get_by_role("button", name="Play: Base game").click()
    hand.asked()
    assert sent == []  # nobody has asked for it
    hand.page.get_by_role("button", name="Settings").click()
    with hand.page.expect_request(lambda request: request.method == "POST") as asked:
        hand.page.get_by_label("Tell me when it is my turn").check()
    assert asked.value.post_data_json == {"endpoint": "https://push.test/1", "p256dh": "point", "auth": "secret"}
    assert hand.page.evaluate("window.wish.applicationServerKey").startswith("BA")

    devtools = hand.context.new_cdp_session(hand.page)
    found: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(one["registrationId"] for one in told["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    eventually(hand, lambda: found)
    message = {
        "origin": hand.home,
        "registrationId": found[0],
        "data": '{"title": "On Sunday", "link": "/table/other"}',
    }

    def called() -> Any:
        """A push service sends again what did not arrive: a worker that is just starting gets no message."""
        devtools.send("ServiceWorker.deliverPushMessage", message)
        return hand.page.evaluate(SHOWN)

    assert eventually(hand, called) == "Your turn: On Sunday"

    with hand.page.expect_request(lambda request: request.method == "DELETE"):
        hand.page.get_by_label("Tell me when it is my turn").uncheck()
    assert hand.faults == []
