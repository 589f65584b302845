/** What was asked for cannot be done; the message says why and what to do, in one line. */
export class AdminError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AdminError';
  }
}
