import { html, type Html } from '#pages/html.ts';
import { gatePage, type PageFrame } from '#pages/page.ts';

/** The way out: a button, because a link could be followed by accident. */
export function signOutPage(frame: PageFrame, account: string | undefined): Html {
  const content =
    account === undefined
      ? html`<section class="sheet stack">
          <h1>You are signed out</h1>
          <p class="soft">Nobody is signed in with this browser.</p>
          <div class="row"><a class="btn primary" href="/auth">Sign in</a></div>
        </section>`
      : html`<form class="sheet stack wide" method="post" action="/auth/sign-out">
          <div class="stack tight">
            <h1>Sign out</h1>
            <p class="soft">Signed in as <b>${account}</b>. Applications that stay connected keep their access.</p>
          </div>
          <button class="btn primary block">Sign out</button>
        </form>`;
  return gatePage(frame, { title: 'Sign out', content });
}

/** `/` where there is no console. */
export function startPage(frame: PageFrame, account: string | undefined): Html {
  const content =
    account === undefined
      ? html`<section class="sheet stack">
          <h1>This is Portico</h1>
          <p class="soft">It publishes the data and services of <b>${frame.caption}</b> over HTTP.</p>
          <div class="row"><a class="btn primary" href="/auth">Sign in</a></div>
        </section>`
      : html`<section class="sheet stack">
          <h1>You are signed in</h1>
          <p class="soft">
            as <b>${account}</b>. This browser may now call the services of <b>${frame.caption}</b> that are open to it.
          </p>
          <div class="row"><a class="btn" href="/auth/sign-out">Sign out</a></div>
        </section>`;
  return gatePage(frame, { title: 'Portico', content });
}

export interface CodeView {
  readonly code?: string | undefined;
  readonly error?: string | undefined;
}

/** Where clients without a redirect URI of their own get their code: a person carries it over. */
export function codePage(frame: PageFrame, { code, error }: CodeView): Html {
  const content =
    code === undefined
      ? html`<section class="sheet stack">
          <h1>No access was given</h1>
          <p class="soft">The application gets nothing. You can close this page.</p>
          ${error !== undefined && html`<div class="code"><pre class="wrap">${`error  ${error}`}</pre></div>`}
        </section>`
      : html`<section class="sheet stack">
          <h1>Your code</h1>
          <p class="soft">Give it to the application that sent you here. It works once, for a short time.</p>
          <div class="rid">
            <code id="code">${code}</code
            ><button class="btn quiet sm" type="button" data-copy="code">
              <i class="i-copy"></i><span>Copy</span>
            </button>
          </div>
          <p class="small soft">Did no application ask for it? Then close this page and give it to nobody.</p>
        </section>`;
  return gatePage(frame, { title: code === undefined ? 'No access' : 'Code', content });
}
