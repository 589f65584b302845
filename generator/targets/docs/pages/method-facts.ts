import { immutabilityOf } from '../../../model/immutability.ts';
import { numberAt, stringsAt, textAt } from '../../../model/member.ts';
import type { MethodModel } from '../../../model/model.ts';
import { objectAt } from '../../../schema/document-schemas.ts';

export type MethodFacts = ReturnType<typeof factsOfMethod>;

const TRANSPORTS: ReadonlyMap<string, string> = new Map([
  ['http', 'HTTP'],
  ['websocket', 'WebSocket'],
]);

/** Returns the facts in a method's badges, from extensions of the document. */
export function factsOfMethod(method: MethodModel) {
  const { extensions, tags, deprecated } = method;
  const immutability = immutabilityOf(method);
  const credits = numberAt(extensions, 'x-credits');
  const transports = stringsAt(objectAt(extensions, 'x-transports'), 'supported');
  const stability = textAt(extensions, 'x-stability');
  return {
    tag: tags[0]?.name ?? '',
    tags: tags.map(({ name }) => name),
    credits,
    creditsText: credits === null ? '' : creditsText(credits),
    family: textAt(extensions, 'x-network-family') || null,
    transports,
    transportsText: transports.map((name) => TRANSPORTS.get(name) ?? name).join(' and '),
    isForwarded: objectAt(extensions, 'x-forwarding')['partner'] === true,
    immutableText:
      immutability === null
        ? ''
        : immutability.block === null
          ? 'The result never changes.'
          : 'The result no longer changes once its block is finalized.',
    isDeprecated: deprecated || stability === 'deprecated',
    sunset: textAt(extensions, 'x-sunset'),
    // "" when stable or unknown.
    stability: ['stable', 'deprecated'].includes(stability) ? '' : stability,
  };
}

function creditsText(credits: number): string {
  return credits === 1 ? '1 credit' : `${credits.toLocaleString('en')} credits`;
}
