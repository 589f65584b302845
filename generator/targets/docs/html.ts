/** Text that is HTML already, and safe: only what is made in this folder is put into pages as it stands. */
export type Html = string & { readonly __html: true };

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Plain text as HTML, for element content and quoted attribute values alike. */
export function escapeHtml(text: string): Html {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!) as Html;
}

/** A name as HTML that may be broken between its words, where a line is too short for it. */
export function breakableName(name: string): Html {
  return asHtml(
    name
      .split(/(?<=[a-z\d])(?=[A-Z])|(?<=[._/])/)
      .map(escapeHtml)
      .join('<wbr>'),
  );
}

/** Declares `text`, composed of escaped parts, to be HTML. */
export function asHtml(text: string): Html {
  return text as Html;
}

export const NO_HTML = asHtml('');

/** Schemes a link of a document may have; everything else (javascript:, data:) is shown as text. */
const LINK = /^(?:https?:|mailto:)/i;

/** The address when a reader may follow it out of the site, or null. */
export function safeUrl(address: unknown): string | null {
  return typeof address === 'string' && LINK.test(address.trim()) ? address.trim() : null;
}
