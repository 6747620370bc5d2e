import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { stateOf } from './request-state.ts';

const { Check, base } = interactionPolicy;

const mustSignInAgain = ({ oidc }: KoaContextWithOIDC): boolean =>
  oidc.promptPending('login') ||
  (oidc.params?.['max_age'] !== undefined && oidc.session!.past(Number(oidc.params['max_age'])));

const signedInSinceAsked = (ctx: KoaContextWithOIDC): boolean => {
  const { askedAt } = stateOf(ctx);
  return askedAt !== undefined && (ctx.oidc.session?.loginTs ?? 0) >= askedAt;
};

/**
 * When the person is asked. To sign in: without a session, or when `prompt=login` or `max_age` want it and it did not just
 * happen. To consent: for every code, unless this very request is the answer.
 */
export function createPolicy(): interactionPolicy.DefaultPolicy {
  const policy = base();
  const login = policy.get('login')!.checks;
  for (const name of ['login_prompt', 'max_age']) login.remove(name);
  login.add(
    new Check(
      'sign_in_again',
      'the person has to sign in again',
      'login_required',
      (ctx) => mustSignInAgain(ctx) && !signedInSinceAsked(ctx),
    ),
  );
  const consent = policy.get('consent')!.checks;
  consent.clear();
  consent.add(
    new Check(
      'answer_missing',
      'the person has to consent',
      'consent_required',
      (ctx) => stateOf(ctx).answer === undefined,
    ),
  );
  return policy;
}
