import { assetUrl, type Assets } from './assets.ts';
import { html, type Html } from './html.ts';

/** What all pages of an installation share. */
export interface PageFrame {
  readonly styleUrl: string;
  readonly scriptUrl: string;
  /** In the footer: the application's namespace. */
  readonly caption: string;
  /** Where the console is, when this installation has one. */
  readonly consoleUrl?: string | undefined;
  /** Where the API reference is, when there is one. */
  readonly referenceUrl?: string | undefined;
}

export interface GatePage {
  readonly title: string;
  readonly content: Html;
  readonly wide?: boolean;
}

/** @param prefix where `serveAssets` answers, such as `/auth/assets` */
export const createFrame = (
  assets: Assets,
  prefix: string,
  more: Omit<PageFrame, 'styleUrl' | 'scriptUrl'>,
): PageFrame => ({
  styleUrl: assetUrl(assets, prefix, 'portico.css'),
  scriptUrl: assetUrl(assets, prefix, 'portico.js'),
  ...more,
});

/** The document around any page: head with style and script, then the body as given. */
export const documentPage = (frame: PageFrame, title: string, body: Html): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Portico</title>
        <link rel="stylesheet" href="${frame.styleUrl}" />
        <script src="${frame.scriptUrl}" defer></script>
      </head>
      ${body}
    </html> `;

/** One sheet in the middle: sign-in, consent, errors. */
export const gatePage = (frame: PageFrame, { title, content, wide = false }: GatePage): Html =>
  documentPage(
    frame,
    title,
    html`<body class="gate">
      <main class="${wide ? 'wide' : ''}">
        <a class="brand" href="${frame.consoleUrl ?? '/'}"><span class="mark"></span>Portico</a>
        ${content}
      </main>
      <footer>
        ${frame.caption}${frame.referenceUrl !== undefined && html` · <a href="${frame.referenceUrl}">API reference</a>`}
      </footer>
    </body>`,
  );

/** The policy of every page. `formAction`: origins that a form may lead to (Chromium checks redirects too). */
export const contentSecurityPolicy = (formAction: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    ["form-action 'self'", ...formAction].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The part of Koa's context that a page needs. */
export interface PageTarget {
  set(name: string, value: string): void;
  body: unknown;
}

/** Sends a page with its policy, never cached. The status stays what it was set to, else 200. */
export function sendPage(
  to: PageTarget,
  page: Html,
  { formAction = [] }: { formAction?: readonly string[] } = {},
): void {
  to.set('Content-Security-Policy', contentSecurityPolicy(formAction));
  to.set('Referrer-Policy', 'same-origin'); // with no-referrer, browsers send our own forms with Origin: null
  to.set('Cache-Control', 'no-store');
  to.set('Content-Type', 'text/html; charset=utf-8');
  to.body = page.toString();
}
