// Light or dark, before anything is drawn: what was chosen here, or else what the system prefers.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const chosen = localStorage.getItem("theme");
    document.documentElement.classList.toggle("dark", chosen ? chosen === "dark" : system.matches);
  };
  system.addEventListener("change", apply);
  apply();
})();
