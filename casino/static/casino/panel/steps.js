// Steps through a round. Every step is on the page already; this shows one at a time.

for (const round of document.querySelectorAll("[data-steps]")) {
  const steps = [...round.querySelectorAll("[data-step]")];
  const stepper = round.querySelector("[data-stepper]");
  if (steps.length < 2 || !stepper) continue;
  const output = stepper.querySelector("output");
  const all = stepper.querySelector("[data-all]");
  let at = steps.length - 1;
  let isAll = false;

  const show = () => {
    steps.forEach((step, index) => {
      step.hidden = !isAll && index !== at;
    });
    output.value = `${at} / ${steps.length - 1}`;
    all.setAttribute("aria-pressed", String(isAll));
    for (const button of stepper.querySelectorAll("[data-move]")) {
      const next = at + Number(button.dataset.move);
      button.disabled = isAll || next < 0 || next >= steps.length;
    }
  };
  const move = (by) => {
    const next = at + by;
    if (isAll || next < 0 || next >= steps.length) return;
    at = next;
    show();
  };

  stepper.hidden = false;
  for (const button of stepper.querySelectorAll("[data-move]")) {
    button.addEventListener("click", () => move(Number(button.dataset.move)));
  }
  all.addEventListener("click", () => {
    isAll = !isAll;
    show();
  });
  addEventListener("keydown", (event) => {
    if (event.target instanceof Element && event.target.closest("input, textarea, select")) return;
    if (event.key === "ArrowLeft") move(-1);
    if (event.key === "ArrowRight") move(1);
  });
  show();
}
