/**
 * The contents of a class of characters that only recent versions of Unicode allow in identifiers: those that
 * versions after 14 added to the basic plane, up to Unicode 17 (joiners and middle dots were added in 15.1), and
 * all outside of it. Compilers and interpreters use their own, often older, version, and almost no name has
 * letters outside of the basic plane. A later version of Unicode then adds almost nothing.
 */
export const RECENT_LETTERS =
  String.raw`\u088f\u0897\u0c5c\u0cdc\u0cf3\u0ece\u1acf-\u1add\u1ae0-\u1aeb\u1c89\u1c8a\u200c\u200d` +
  String.raw`\u30fb\ua7cb-\ua7cf\ua7d2\ua7d4\ua7da-\ua7dc\ua7f1\uff65\u{10000}-\u{10ffff}`;
