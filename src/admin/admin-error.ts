/** An administrative command that failed; the message is one line with the cause and the fix. */
export class AdminError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AdminError';
  }
}
