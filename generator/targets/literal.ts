/**
 * A JSON value as a literal of TypeScript or JavaScript. JSON is one already, but for a member
 * called `__proto__`, which would set the prototype if it were not computed.
 */
export function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/^(\s*)"__proto__":/gm, '$1["__proto__"]:');
}
