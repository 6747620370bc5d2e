import { html, type Html } from '#pages/html.ts';
import { gatePage, type PageFrame } from '#pages/page.ts';

/** Why the page is shown, beyond the first time. */
export type SignInReason = 'wrong' | 'missing' | 'expired' | 'signed-out' | 'switch';

export interface SignInView {
  readonly reason?: SignInReason | undefined;
  /** Seconds until another attempt counts. */
  readonly wait?: number | undefined;
  readonly username?: string | undefined;
  readonly continueAt?: string | undefined;
  /** What one continues to: the name of a client, the console. */
  readonly purpose?: string | undefined;
}

const notices: Readonly<Record<SignInReason, (view: SignInView) => Html>> = {
  wrong: () =>
    html`<div class="notice bad" role="alert" id="fault">
      <i class="i-warn"></i>
      <div>
        <b>That account and password do not match.</b>
        <p>Check both and try again. Capital letters count.</p>
      </div>
    </div>`,
  missing: () =>
    html`<div class="notice bad" role="alert" id="fault">
      <i class="i-warn"></i>
      <div>
        <b>The account or the password is missing.</b>
        <p>Enter both.</p>
      </div>
    </div>`,
  expired: () =>
    html`<div class="notice">
      <i class="i-clock"></i>
      <div><p>You were away for too long, so we signed you out. Sign in and you are back where you were.</p></div>
    </div>`,
  'signed-out': () =>
    html`<div class="notice ok">
      <i class="i-ok"></i>
      <div><p>You are signed out in this browser.</p></div>
    </div>`,
  switch: ({ purpose }) =>
    html`<div class="notice">
      <i class="i-user"></i>
      <div>
        <p>
          Sign in with the account that <b>${purpose ?? 'the application'}</b> may use. Then you go back to its
          question. You are signed out here.
        </p>
      </div>
    </div>`,
};

/** Too many attempts: how long, and until when. Works without script; with it the button counts down. */
function waitNotice(seconds: number): Html {
  const end = new Date(Date.now() + seconds * 1000);
  return html`<div class="notice warn" role="alert" id="pause">
    <i class="i-clock"></i>
    <div>
      <b>Too many attempts. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.</b>
      <p>
        This protects the account. The right password will not work before
        <time datetime="${end.toISOString()}">${end.toISOString().slice(11, 19)} UTC</time>.
      </p>
    </div>
  </div>`;
}

const countdown = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

const submitButton = (wait: number | undefined): Html =>
  wait === undefined
    ? html`<button class="btn primary block">Sign in</button>`
    : html`<button
        class="btn primary block"
        aria-disabled="true"
        aria-describedby="pause"
        data-wait="${wait}"
        data-label="Sign in"
      >
        Sign in possible in ${countdown(wait)}
      </button>`;

/** One message for unknown, wrong and disabled. Keeps the account name and where to continue. */
export function signInPage(frame: PageFrame, view: SignInView): Html {
  const { reason, wait, username = '', continueAt, purpose } = view;
  const fault = reason === 'wrong' || reason === 'missing';
  const content = html`<form class="sheet stack wide" method="post" action="/auth">
    <div class="stack tight">
      <h1>Sign in</h1>
      ${purpose !== undefined && reason !== 'switch' && html`<p class="soft">to continue to <b>${purpose}</b></p>`}
    </div>
    ${wait === undefined ? reason && notices[reason](view) : waitNotice(wait)}
    ${continueAt !== undefined && html`<input type="hidden" name="continue" value="${continueAt}" />`}
    <div class="field">
      <label class="label" for="u">Account</label
      ><input
        class="input"
        id="u"
        name="username"
        autocomplete="username"
        autocapitalize="none"
        spellcheck="false"
        required
        aria-describedby="${fault ? 'fault ' : ''}u-hint"
        value="${username}"
      />
      <p class="hint" id="u-hint">Your name alone means <code>name@local</code>.</p>
    </div>
    <div class="field">
      <label class="label" for="p">Password</label>
      <div class="join">
        <input
          class="input"
          id="p"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          ${fault && html`aria-describedby="fault" aria-invalid="true"`}
        /><button class="btn" type="button" aria-pressed="false" aria-controls="p">Show</button>
      </div>
    </div>
    ${submitButton(wait)}
  </form>`;
  return gatePage(frame, { title: 'Sign in', content });
}
