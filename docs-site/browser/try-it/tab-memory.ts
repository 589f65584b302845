/** What is kept for this tab only, gone when it is closed; "" where there is nothing. */
export function readTabMemory(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? '';
  } catch {
    return '';
  }
}

/** Keeps a text for this tab; "" forgets it. Where nothing may be kept, nothing is. */
export function keepInTab(name: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, text);
  } catch {
    // Private browsing, strict settings and full storages refuse it.
  }
}
