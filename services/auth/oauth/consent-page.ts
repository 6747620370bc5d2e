import { address } from '../address.ts';
import { html, type Html } from '#pages/html.ts';
import { gatePage, type PageFrame } from '#pages/page.ts';

export interface ConsentQuestion {
  readonly client: { readonly id: string; readonly name: string };
  readonly account: string;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  /** Path and query of this request: where the answer goes, and where one comes back to. */
  readonly here: string;
  /** Days that `offline_access` lasts without being used. */
  readonly refreshDays: number;
  /** What the same client was allowed before, and when. */
  readonly before?: { readonly scopes: readonly string[]; readonly at: Date } | undefined;
}

interface Ability {
  readonly icon: string;
  readonly title: string;
  readonly detail: string;
  readonly scopes: readonly string[];
}

/** What the scopes mean, in plain words. */
function abilitiesOf({ scopes, account, refreshDays }: ConsentQuestion): readonly Ability[] {
  const among = (...names: string[]) => scopes.filter((scope) => names.includes(scope));
  const services = scopes.filter((scope) => scope.startsWith('svc:'));
  const named = new Set(['self', 'openid', 'profile', 'offline_access', ...services]);
  const others = scopes.filter((scope) => !named.has(scope));
  const names = services.map((scope) => scope.slice(4)).join(', ');
  const days = `${refreshDays} ${refreshDays === 1 ? 'day' : 'days'}`;
  const who = scopes.includes('profile') ? 'Your account id and your name.' : 'Your account id.';
  const all: readonly Ability[] = [
    {
      icon: 'data',
      title: 'Call services as you',
      detail: `Read, create, change and delete what ${account} may, and nothing more.`,
      scopes: among('self'),
    },
    {
      icon: 'services',
      title: `Call ${names} as you`,
      detail: `With the rights of ${account}, and no other service.`,
      scopes: services,
    },
    {
      icon: 'key',
      title: 'Use further services as you',
      detail: 'The operator of this site says which.',
      scopes: others,
    },
    { icon: 'user', title: 'See who you are', detail: who, scopes: among('openid', 'profile') },
    {
      icon: 'clock',
      title: `Stay connected for ${days}`,
      detail: 'Also while you are away.',
      scopes: among('offline_access'),
    },
  ];
  return all.filter((ability) => ability.scopes.length > 0);
}

const initials = (account: string): string => account.slice(0, 2).toUpperCase();

/** Who asks, for what, as whom, and where one returns to. Two buttons, equally large. */
export function consentPage(frame: PageFrame, question: ConsentQuestion): Html {
  const { client, account, redirectUri, here } = question;
  const abilities = abilitiesOf(question);
  const target = URL.parse(redirectUri);
  const origin = target && target.origin !== 'null' ? target.origin : (target?.protocol ?? '');
  const content = html`<form class="sheet stack wide" method="post" action="${here}">
    <div class="stack tight">
      <h1>Allow <b>${client.name}</b> to use your data here?</h1>
      <p class="soft"><code>${client.id}</code> · registered by the operator of this site</p>
    </div>
    <div class="who">
      <span class="ava" aria-hidden="true">${initials(account)}</span
      ><span class="two"><span class="muted">Signed in as</span><b>${account}</b></span
      ><button
        class="btn quiet sm push"
        name="continue"
        value="${address('/auth', { reason: 'switch', continue: here })}"
        formaction="/auth/sign-out"
      >
        Switch account
      </button>
    </div>
    <div class="stack tight">
      <h2>It will be able to</h2>
      <ul class="grants">
        ${abilities.map(
          ({ icon, title, detail, scopes }) =>
            html`<li>
              <i class="i-${icon}"></i
              ><span
                ><b>${title}</b><small>${detail} <code>${scopes.join(' ')}</code></small></span
              >
            </li>`,
        )}
      </ul>
    </div>
    ${repeatNotice(question, abilities)}
    <p class="small soft">
      It never sees your password.${frame.consoleUrl && ' You can end this at any time under Sessions.'}
    </p>
    <div class="stack tight">
      <div class="pair">
        <button class="btn" name="answer" value="deny">Deny</button
        ><button class="btn primary" name="answer" value="allow">Allow</button>
      </div>
      <p class="hint">Either way you return to <b>${origin}</b>${redirectUri.slice(origin.length)}</p>
    </div>
  </form>`;
  return gatePage(frame, { title: 'Allow access', content, wide: true });
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });

/** On a repeat: when it was, and what is new. */
function repeatNotice({ before }: ConsentQuestion, abilities: readonly Ability[]): Html | undefined {
  if (!before) return undefined;
  const had = new Set(before.scopes);
  const fresh = abilities
    .filter(({ scopes }) => scopes.some((scope) => !had.has(scope)))
    .map(({ title }) => title.toLowerCase());
  const when = html`<time datetime="${before.at.toISOString()}">${day.format(before.at)}</time>`;
  const text =
    fresh.length === 0
      ? html`You allowed all of this on ${when}.`
      : html`You allowed the rest on ${when}. New this time: <b>${fresh.join(', ')}</b>.`;
  return html`<div class="notice">
    <i class="i-info"></i>
    <div><p>${text}</p></div>
  </div>`;
}
