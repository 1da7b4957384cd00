// What every page of the panel does beside its links and forms. Without it, all still works.

const root = document.documentElement;

for (const button of document.querySelectorAll("[data-theme-switch]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const theme = root.classList.contains("dark") ? "light" : "dark";
    localStorage.setItem("theme", theme);
    root.classList.toggle("dark", theme === "dark");
  });
}

const rail = document.getElementById("rail");
const menu = document.querySelector("[data-menu]");

function show(isOpen) {
  rail.toggleAttribute("data-open", isOpen);
  menu.setAttribute("aria-expanded", String(isOpen));
  if (isOpen) rail.querySelector("a").focus();
}

if (rail && menu) {
  menu.setAttribute("role", "button");
  show(false);
  menu.addEventListener("click", (event) => {
    event.preventDefault();
    show(!rail.hasAttribute("data-open"));
  });
  rail.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

addEventListener("click", (event) => {
  for (const open of document.querySelectorAll("details.who[open]")) {
    if (!open.contains(event.target)) open.open = false;
  }
  if (rail?.hasAttribute("data-open") && !rail.contains(event.target) && !menu.contains(event.target)) show(false);
});

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && rail?.hasAttribute("data-open")) {
    show(false);
    menu.focus();
  }
  const isTyping = event.target instanceof Element && event.target.closest("input, textarea, select");
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    document.getElementById("find")?.focus();
  }
});

for (const copy of document.querySelectorAll("[data-ask]")) {
  copy.addEventListener("submit", (event) => {
    if (!confirm(copy.dataset.ask)) event.preventDefault();
  });
}
