/**
 * Says on standard error what is being worked on, in one line that is overwritten; nothing where
 * standard error is not a terminal.
 */
export function createProgress(stream: NodeJS.WriteStream = process.stderr) {
  const write = (text: string) => {
    if (stream.isTTY) stream.write(`\r\u001B[2K${text}`);
  };
  return { step: (name: string) => write(`${name}…`), end: () => write('') };
}
