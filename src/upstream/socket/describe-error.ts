/** Error messages may contain the URL and its secrets; codes and statuses do not. */
export function describeError(error: Error): string {
  if ('code' in error) return String(error.code);
  const [, status] = /server response: (\d{3})$/.exec(error.message) ?? [];
  return status === undefined ? 'the connection broke' : `HTTP status ${status}`;
}
