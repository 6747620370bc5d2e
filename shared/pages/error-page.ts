import { html, type Html } from './html.ts';
import { gatePage, type PageFrame } from './page.ts';

export interface ErrorOnPage {
  readonly status: number;
  /** What is told beyond the status; public text only. */
  readonly text?: string | undefined;
  readonly requestId: string;
  /** Seconds, from Retry-After. */
  readonly retryAfter?: number | undefined;
  /** Of a failed authorization request: its error code and, where that is the fault, the redirect URI. */
  readonly oauth?:
    | { readonly error: string; readonly clientId?: string | undefined; readonly redirectUri?: string | undefined }
    | undefined;
  /** Where trying again leads; absent: no such button. */
  readonly retryUrl?: string | undefined;
}

interface Wording {
  readonly title: string;
  readonly body: Html;
}

/** An error for a person: what happened, whose fault it is, what to do. From 500 on with the request id to copy. */
export function errorPage(frame: PageFrame, error: ErrorOnPage): Html {
  const { title, body } = wordingOf(error);
  const content = html`<section class="sheet stack">
    <p class="muted small">${error.status}</p>
    <h1>${title}</h1>
    ${body}${error.status >= 500 && requestNumber(error.requestId)}
    <div class="row">${links(frame, error)}</div>
  </section>`;
  return gatePage(frame, { title, content, wide: error.oauth !== undefined });
}

function wordingOf({ status, text, retryAfter, oauth }: ErrorOnPage): Wording {
  if (oauth) return invalidRequest(oauth, text);
  if (status === 404) {
    return {
      title: 'There is nothing at this address',
      body: html`<p class="soft">
        The page may have moved, or the object was deleted. Check the address, or start from the beginning.
      </p>`,
    };
  }
  if (status === 403)
    return { title: 'You may not open this', body: html`<p class="soft">${text ?? 'Access denied'}.</p>` };
  if (status === 429) {
    return {
      title: 'Too many attempts',
      body: html`<p class="soft">Wait ${retryAfter ?? 60} seconds, then try again.</p>`,
    };
  }
  if (status === 503) {
    return {
      title: 'Back in a moment',
      body: html`<p class="soft">
        A part of this site does not answer. Nothing was lost. Try again in ${retryAfter ?? 10} seconds.
      </p>`,
    };
  }
  if (status >= 500) {
    return {
      title: 'Something went wrong here',
      body: html`<p class="soft">
        It is our fault, not yours. Nothing was saved by this request. Trying again often helps; if it does not, tell
        the operator this number.
      </p>`,
    };
  }
  return {
    title: 'This request does not work',
    body: html`<p class="soft">${text ?? 'The request cannot be understood'}.</p>`,
  };
}

function invalidRequest({ error, clientId, redirectUri }: NonNullable<ErrorOnPage['oauth']>, text?: string): Wording {
  const why =
    redirectUri === undefined
      ? html`<p class="soft">
          The application sent you here with a request that cannot be answered, so we did not send you back to it. You
          did nothing wrong.
        </p>`
      : html`<p class="soft">
          The application sent you here with a return address that is not registered for <code>${clientId}</code>, so we
          did not send you back to it. You did nothing wrong.
        </p>`;
  const what = redirectUri === undefined ? fact('reason', text ?? '') : fact('redirect_uri', redirectUri);
  const fix =
    redirectUri === undefined
      ? undefined
      : html`<p class="small soft">
          For the owner of the application: register the exact address, or send the registered one.
        </p>`;
  return {
    title: 'This sign-in request is not valid',
    body: html`${why}
      <div class="code"><pre class="wrap">${[fact('error', error), what].join('\n')}</pre></div>
      ${fix}`,
  };
}

const fact = (name: string, value: string): string => `${name.padEnd(14)}${value}`;

const requestNumber = (id: string): Html =>
  html`<div class="rid">
    <span class="muted">Request</span><code id="rid">${id}</code
    ><button class="btn quiet sm" type="button" data-copy="rid"><i class="i-copy"></i><span>Copy</span></button>
  </div>`;

const links = ({ consoleUrl }: PageFrame, { status, retryUrl }: ErrorOnPage): Html[] => {
  const again = retryUrl !== undefined && (status >= 500 || status === 429) ? [[retryUrl, 'Try again'] as const] : [];
  const start =
    consoleUrl === undefined ? (['/', 'Go to the start page'] as const) : ([consoleUrl, 'Go to the console'] as const);
  return [...again, start].map(
    ([url, label], index) => html`<a class="btn ${index === 0 ? 'primary' : ''}" href="${url}">${label}</a>`,
  );
};
