/**
 * What a document says that calls need to know. Here it says nothing, and may have anything: the
 * generator puts a file of this name, written from the document, in its place.
 */

// First, so that bundlers leave out what a constant that is false decides.

/** Whether some method takes its parameters by name. */
export const hasNamed: boolean = true;

/** Whether some member is not called after its method, with the words joined. */
export const hasMembers: boolean = true;

/** Whether some method has no result. */
export const hasNotifications: boolean = true;

/**
 * The class of an error by its code, by code and message, or by code and reason, where it cannot be
 * made of the reason.
 */
export const errorNames: Readonly<Record<string, string>> = {};

/**
 * Codes of errors on the way to what answers: with a reason, the same call may succeed later, save
 * with those that are listed.
 */
export const passingCodes: Readonly<Record<string, readonly string[]>> = {};
