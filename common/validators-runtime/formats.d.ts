/** Checks of string formats, by name. */
export const formats: Readonly<Record<string, (text: string) => boolean>>;

/** The name of each format in error messages. */
export const formatNames: Readonly<Record<string, string>>;
