/**
 * Facts of the document that calls depend on. This file allows any document; the generator replaces it
 * with one rendered from the document.
 */

// First, so that bundlers can drop code that depends on a false constant.

/** Whether any method takes params by name. */
export const hasNamed: boolean = true;

/** Whether any member has a different name than its method with the words joined. */
export const hasMembers: boolean = true;

/** Whether any method is a notification. */
export const hasNotifications: boolean = true;

/** Whether `errorNames` has names by code and message, or code and reason. */
export const hasReasonNames: boolean = true;

/** Error names that do not follow from the reason, by code, code and message, or code and reason. */
export const errorNames: Readonly<Record<string, string>> = {};

/** Codes of retryable errors, each with the reasons that are not retryable. */
export const retryableCodes: Readonly<Record<string, readonly string[]>> = {};
