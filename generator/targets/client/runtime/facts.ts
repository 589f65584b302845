/**
 * What a document says that calls need to know. Here it says nothing: the generator puts a file of
 * this name, written from the document, in its place.
 */

/**
 * The class of an error by its code, by code and message, or by code and reason, where it cannot be
 * made of the reason.
 */
export const errorNames: Readonly<Record<string, string>> = {};

/** Reasons (`data.reason`) of errors on the way to what answers: the same call may succeed later. */
export const passingReasons: readonly string[] = [];
