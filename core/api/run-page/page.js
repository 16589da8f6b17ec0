// Without this script the page works too: it then loads itself anew every few seconds.

/** A second press while the first is on its way would change nothing, and look as if it did. */
for (const form of document.querySelectorAll("form[data-once]"))
  form.addEventListener("submit", () => {
    const button = form.querySelector("button");
    button.setAttribute("aria-disabled", "true");
    button.textContent = form.dataset.once;
    form.addEventListener("submit", (again) => again.preventDefault());
  });

const live = document.querySelector("[data-live]");
if (live) follow(live.dataset.live);

/** Shows how far it is: as it is told, or by asking again and again where that does not come through. */
function follow(address) {
  const drawn = new Map();

  /** Only what changed, so that focus and screen readers stay where they are. */
  function show(state) {
    for (const [id, markup] of Object.entries(state.parts)) {
      const element = document.getElementById(id);
      if (!element || drawn.get(id) === markup) continue;
      drawn.set(id, markup);
      element.innerHTML = markup;
    }
    const bar = document.getElementById("bar");
    bar.value = state.value;
    bar.hidden = state.isOver;
    document.title = state.title;
    return state.isOver;
  }

  /** @returns whether there is more to come. */
  async function look() {
    const answer = await fetch(`${address}/state`, { cache: "no-store" });
    // Such as a link that was switched off meanwhile: the page itself says it in words.
    if (answer.status === 401 || answer.status === 404) location.reload();
    return !answer.ok || !show(await answer.json());
  }

  async function poll() {
    const goesOn = await look().catch(() => true);
    if (goesOn) setTimeout(() => void poll(), 2000);
  }

  function listen() {
    const source = new EventSource(`${address}/events`);
    source.addEventListener("message", (event) => {
      if (show(JSON.parse(event.data))) source.close();
    });
    source.addEventListener("error", () => {
      source.close();
      void poll();
    });
  }

  if ("EventSource" in window) listen();
  else void poll();
}
