import { html, type Html } from '#pages/html.ts';
import { gatePage, type PageFrame } from '#pages/page.ts';

/** Characters. NIST SP 800-63B. */
export const shortestPassword = 8;

export type NewPasswordFault = 'short' | 'long' | 'differs' | 'same';

const faults: Readonly<Record<NewPasswordFault, string>> = {
  short: `At least ${shortestPassword} characters.`,
  long: 'At most 1024 bytes fit.',
  differs: 'The two passwords differ.',
  same: 'That is the password you have. Choose another one.',
};

export interface NewPasswordView {
  readonly account: string;
  readonly ticket: string;
  readonly continueAt?: string | undefined;
  readonly fault?: NewPasswordFault | undefined;
}

const field = (id: string, name: string, label: string, fault: boolean, hint?: string): Html =>
  html`<div class="field">
    <label class="label" for="${id}">${label}</label
    ><input
      class="input"
      id="${id}"
      name="${name}"
      type="password"
      autocomplete="new-password"
      required
      ${fault && html`aria-invalid="true" aria-describedby="fault"`}
    />${hint !== undefined && html`<p class="hint">${hint}</p>`}
  </div>`;

/** Asked after the right password of an account that needs a new one. */
export function newPasswordPage(frame: PageFrame, { account, ticket, continueAt, fault }: NewPasswordView): Html {
  const content = html`<form class="sheet stack wide" method="post" action="/auth/new-password">
    <div class="stack tight">
      <h1>Choose a new password</h1>
      <p class="soft"><b>${account}</b> needs one before you can go on. The old one ends with it.</p>
    </div>
    ${
      fault !== undefined &&
      html`<div class="notice bad" role="alert" id="fault">
        <i class="i-warn"></i>
        <div><b>${faults[fault]}</b></div>
      </div>`
    }
    <input type="hidden" name="ticket" value="${ticket}" />
    ${continueAt !== undefined && html`<input type="hidden" name="continue" value="${continueAt}" />`}
    <input type="hidden" name="username" autocomplete="username" value="${account}" />
    ${field('n', 'password', 'New password', fault !== undefined, `At least ${shortestPassword} characters. A few words that belong together only for you are good.`)}
    ${field('a', 'again', 'The same again', fault === 'differs')}
    <button class="btn primary block">Set password and sign in</button>
  </form>`;
  return gatePage(frame, { title: 'New password', content });
}
