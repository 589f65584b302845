/** String formats that are checked, by name: true when the text has the format. */
export const formats: Readonly<Record<string, (text: string) => boolean>>;

/** What each format is called when a value does not have it. */
export const formatNames: Readonly<Record<string, string>>;
