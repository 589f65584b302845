/** Nodes say what went wrong at the beginning; what follows are values of the call. */
const EXAMINED_CHARACTERS = 1_024;

/**
 * Returns the part of a message that is matched with expressions to classify it. A node chooses the
 * message, and its length.
 */
export function examined(message: string): string {
  return message.slice(0, EXAMINED_CHARACTERS);
}
