/** Starts the calculator of the credits page: calls per day of each method → credits and plan. */
export function startCalculator(): void {
  const form = document.querySelector<HTMLFormElement>('[data-calculator]');
  if (form === null) return;
  for (const part of form.querySelectorAll<HTMLElement>('[data-calculator-part]')) {
    part.hidden = false;
  }
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', () => calculate(form));
}

function calculate(form: HTMLFormElement): void {
  let total = 0;
  for (const input of form.querySelectorAll<HTMLInputElement>('input[data-credits]')) {
    const calls = Math.max(0, Math.floor(Number(input.value) || 0));
    const credits = calls * Number(input.dataset['credits']);
    total += credits;
    const cell = input.closest('tr')?.querySelector('[data-subtotal]');
    if (cell) cell.textContent = credits.toLocaleString('en');
  }
  const plan = markPlan(total);
  const output = form.querySelector('[data-total]');
  if (output === null) return;
  const fits = plan === null ? '' : `, plan ${plan}`;
  output.textContent = `${total.toLocaleString('en')} credits per day${total === 0 ? '' : fits}`;
}

/** Marks the first plan with enough daily credits and returns its name. */
function markPlan(total: number): string | null {
  let found: string | null = null;
  for (const row of document.querySelectorAll<HTMLElement>('[data-plan]')) {
    const credits = row.dataset['creditsPerDay'];
    const isEnough = credits === '' || Number(credits) >= total;
    const isChosen = total > 0 && found === null && isEnough;
    if (isChosen) found = row.dataset['plan'] ?? '';
    const mark = row.querySelector<HTMLElement>('[data-plan-fits]');
    if (mark !== null) mark.hidden = !isChosen;
  }
  return found;
}
