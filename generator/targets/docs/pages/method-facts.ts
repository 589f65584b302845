import { isObject, type Json } from '../../../../common/json/value.ts';
import type { MethodModel } from '../../../model/model.ts';

export type MethodFacts = ReturnType<typeof factsOfMethod>;

const TRANSPORTS: Readonly<Record<string, string>> = { http: 'HTTP', websocket: 'WebSocket' };

/** Returns the facts in a method's badges, from extensions of the document. */
export function factsOfMethod({ extensions, tags, deprecated }: MethodModel) {
  const credits = extensions['x-credits'];
  const transports = stringsIn(
    isObject(extensions['x-transports']) ? extensions['x-transports']['supported'] : undefined,
  );
  const stability = textOr(extensions['x-stability'], 'stable');
  const forwarding = extensions['x-forwarding'];
  return {
    tag: tags[0]?.name ?? '',
    tags: tags.map(({ name }) => name),
    credits: typeof credits === 'number' ? credits : null,
    creditsText: typeof credits === 'number' ? creditsText(credits) : '',
    family: textOr(extensions['x-network-family'], null),
    transports,
    transportsText: transports.map((name) => TRANSPORTS[name] ?? name).join(' and '),
    isForwarded: isObject(forwarding) && forwarding['partner'] === true,
    isDeprecated: deprecated || stability === 'deprecated',
    sunset: textOr(extensions['x-sunset'], ''),
    // "" when stable or unknown.
    stability: stability === 'stable' || stability === 'deprecated' ? '' : stability,
  };
}

function creditsText(credits: number): string {
  return credits === 1 ? '1 credit' : `${credits.toLocaleString('en')} credits`;
}

function stringsIn(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function textOr<T>(value: Json | undefined, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}
