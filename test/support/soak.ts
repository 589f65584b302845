/**
 * Sizes of tests that take as long as they are large. Every run tries a size that would show work
 * that grows with its square; `npm run test:soak` the size that is promised.
 */
export function atScale<T>(promised: T, everyday: T): T {
  return process.env['SPECGATE_SOAK'] === undefined ? everyday : promised;
}

/**
 * What the cases made by chance grow from: the same in every run, so that a change alone can fail
 * it; another each time in `npm run test:soak`, which looks for what nobody has thought of.
 */
export function seedOfCases(): number {
  return atScale(Math.trunc(Math.random() * 2 ** 31), 20_260_101);
}
