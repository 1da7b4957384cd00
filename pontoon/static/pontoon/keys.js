/** The keys of the table. A key does what its button does, and nothing that the button would not. */

/** Which button a key presses. */
export const KEYS = { " ": "deal", h: "hit", s: "stand", d: "double", p: "split" };

/**
 * @param {object} table
 * @param {(button: string) => void} table.press
 * @param {(digit: string) => void} table.type
 * @param {() => void} table.takeBack
 * @param {() => void} table.leave
 * @param {() => void} table.help
 */
export function listenToKeys({ press, type, takeBack, leave, help }) {
  let isByPointer = false; // the focus is where a pointer has put it, and the space bar is the table's
  addEventListener("pointerdown", () => (isByPointer = true), { capture: true });
  addEventListener("keydown", ({ key }) => key === "Tab" && (isByPointer = false), { capture: true });
  addEventListener("keydown", (event) => {
    // A key that is held down presses a button again and again: that would be autoplay (RGT-03).
    if (event.repeat && (event.key === "Enter" || event.key === " ") && isButton(event.target)) {
      return event.preventDefault();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const isTyping = event.target instanceof HTMLInputElement;
    const act = () => {
      const { key } = event;
      if (key === "Escape") return leave;
      if (key === "?") return help;
      if (/^[0-9.,]$/.test(key)) return isTyping ? null : () => type(key);
      if (key === "Backspace") return isTyping ? null : takeBack;
      if (key === " " && !isByPointer && isButtonBeside(event.target)) return null; // the browser presses it
      const button = KEYS[key.toLowerCase()];
      return button ? () => press(button) : null;
    };
    const chosen = act();
    if (!chosen) return;
    event.preventDefault();
    if (!event.repeat) chosen();
  });
}

function isButton(target) {
  return target instanceof HTMLElement && target.closest("button, a, summary");
}

/** A focused button takes the space bar itself, unless it is one of the table's own. */
function isButtonBeside(target) {
  return isButton(target) && !target.closest("#rail");
}
