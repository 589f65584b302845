import { encodeUri } from '../../../common/json/pointer.ts';

/** Safe HTML. Only this folder creates it. */
export type Html = string & { readonly __html: true };

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for element content and quoted attributes. */
export function escapeHtml(text: string): Html {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!) as Html;
}

/** Escapes a name and allows line breaks between its words. */
export function breakableName(name: string): Html {
  return asHtml(
    name
      .split(/(?<=[a-z\d])(?=[A-Z])|(?<=[._/])/)
      .map(escapeHtml)
      .join('<wbr>'),
  );
}

/** Declares that `text` consists of escaped parts. */
export function asHtml(text: string): Html {
  return text as Html;
}

export const NO_HTML = asHtml('');

/** Allowed schemes of links. Others, such as javascript: and data:, are shown as text. */
const LINK = /^(?:https?:|mailto:)/i;

/** Returns the URL if it is safe as an external link, or null. */
export function safeUrl(address: unknown): string | null {
  return typeof address === 'string' && LINK.test(address.trim()) ? address.trim() : null;
}

/** Creates unique, readable and stable ids for the elements of a page. */
export type Ids = (...path: readonly string[]) => string;

export function createIds(reserved: readonly string[] = []): Ids {
  /** The number of times each id was asked for. */
  const taken = new Map(reserved.map((id) => [id, 1]));
  return (...path) => {
    const base = path.map(idPart).join('.');
    let id = base;
    while (taken.has(id)) {
      const count = taken.get(base)! + 1;
      taken.set(base, count);
      id = `${base}_${count}`;
    }
    taken.set(id, 1);
    return id;
  };
}

/** Reduces a text to characters that are safe in an id; others become hyphens. */
function idPart(text: string): string {
  const part = text.replaceAll(/[^\p{L}\p{N}_$-]+/gu, '-').replaceAll(/^-+|(?<!-)-+$/g, '');
  return part === '' ? '-' : part;
}

/** Returns the URL fragment of an id. */
export function fragmentOf(id: string): string {
  return `#${encodeUri(id)}`;
}
