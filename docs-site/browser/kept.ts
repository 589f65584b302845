/** A value kept in this browser; null where there is none, or where nothing may be kept. */
export function readKept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a value; where nothing may be kept, it holds for this page only. */
export function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Private browsing and strict settings refuse it.
  }
}
