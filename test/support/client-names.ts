/** What a method is called in the generated clients, made out without the generator. */
import { readFileSync } from 'node:fs';

/** Name of the generated client's package. */
export const { name: clientPackage } = JSON.parse(
  readFileSync(new URL('../../generated/client/package.json', import.meta.url), 'utf8'),
) as { name: string };

/** The names samples call a method by: "eth_getProof" is `ethGetProof` and `eth_get_proof`. */
export function clientNames(name: string) {
  return {
    name,
    identifier: name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    clientPackage,
    pythonModule: clientPackage.replaceAll('-', '_'),
    pythonIdentifier: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  };
}
