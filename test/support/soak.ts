/**
 * Sizes of tests that take as long as they are large. Every run tries a size that would show work
 * that grows with its square; `npm run test:soak` the size that is promised.
 */
export function atScale(promised: number, everyday: number): number {
  return process.env['SPECGATE_SOAK'] === undefined ? everyday : promised;
}
