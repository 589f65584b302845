/** Returns the small size of a large test input, or in `npm run test:soak` the size that is promised. */
export function atScale<T>(promised: T, everyday: T): T {
  return process.env['SPECGATE_SOAK'] === undefined ? everyday : promised;
}

/** Returns the seed of random cases: a fixed one, or in `npm run test:soak` a new one each time. */
export function seedOfCases(): number {
  return atScale(Math.trunc(Math.random() * 2 ** 31), 20_260_101);
}
