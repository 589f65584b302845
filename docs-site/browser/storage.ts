/** Values stored by name; reading returns '' for a missing one. */
export interface Memory {
  read(name: string): string;
  /** Stores a value; '' removes it. */
  write(name: string, value: string): void;
}

/** Kept in this browser. */
export const browserMemory = openMemory(() => localStorage);

/** Kept until the tab is closed. */
export const tabMemory = openMemory(() => sessionStorage);

/** Storage may throw: in private browsing, with strict settings, or when full. Then nothing is kept. */
function openMemory(storage: () => Storage): Memory {
  return {
    read(name) {
      try {
        return storage().getItem(name) ?? '';
      } catch {
        return '';
      }
    },
    write(name, value) {
      try {
        if (value === '') storage().removeItem(name);
        else storage().setItem(name, value);
      } catch {
        // See above.
      }
    },
  };
}
