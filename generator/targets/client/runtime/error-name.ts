/** What an error is called after the reason it names: "credits_exhausted" gives "CreditsExhaustedError". */
export function nameOfReason(reason: string): string {
  const words = reason.replaceAll(/(?:^|[^a-z\d])([a-z\d])/gi, (_, first: string) =>
    first.toUpperCase(),
  );
  return words.endsWith('Error') ? words : `${words}Error`;
}
