// Renews what goes on, on the dashboard or with a void, every five seconds while somebody looks at it.
// The server draws the parts; this puts them in place. What is over is shown by the whole page. What a page fetches keeps no session open: when it is over, the door shows.

const EVERY_MS = 5000;

const board = document.querySelector("[data-board]");
const pulse = document.querySelector("[data-pulse]");
const slots = [...board.querySelectorAll("[data-part]")];
let timer;

function say(state, at) {
  pulse.dataset.state = state;
  pulse.textContent = pulse.dataset[state] + (at ? ` · ${at.slice(11, 19)}` : "");
}

function put(slot, drawn) {
  if (slot.drawn === drawn || slot.contains(document.activeElement)) return;
  slot.innerHTML = drawn;
  slot.drawn = drawn;
}

async function renew() {
  clearTimeout(timer);
  if (document.hidden) return;
  try {
    const answer = await fetch(board.dataset.board, { redirect: "manual" });
    if (answer.type === "opaqueredirect") {
      location.reload();
      return;
    }
    if (!answer.ok) throw new Error(String(answer.status));
    const { at, parts, is_over: isOver } = await answer.json();
    if (isOver) {
      location.reload();
      return;
    }
    Object.values(parts).forEach((drawn, index) => put(slots[index], drawn));
    say("live", at);
  } catch {
    say("late");
  }
  timer = setTimeout(renew, EVERY_MS);
}

document.addEventListener("visibilitychange", renew);
timer = setTimeout(renew, EVERY_MS);
