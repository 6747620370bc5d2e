/** Markup that is safe to send: every value in it was escaped. */
export class Html {
  readonly #text: string;

  /** @param text markup that was written here or escaped, never a caller's value */
  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type HtmlValue = Html | string | number | false | undefined | readonly HtmlValue[];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

function render(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'string') return escape(value);
  return typeof value === 'number' ? String(value) : value.map(render).join('');
}

/** A template whose values are escaped; `Html` stays, lists are joined, `false` and `undefined` leave nothing. Quote attributes. */
export const html = (parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html =>
  new Html(parts.map((part, index) => part + render(values[index])).join(''));
