const secretName =
  /^(auth-(token|pwd)|authorization|cookie|set-cookie|password|pwd|secret|client_?secret|.*_token|token|code|code_verifier|assertion)$/i;
const removed = '[removed]';

/** Credentials that stand in text: Basic and Bearer headers, `name=value` pairs with a telling name, and our own tokens anywhere. */
const inText: readonly (readonly [RegExp, string])[] = [
  // service tokens, and what has 256 random bits in base64url: access and refresh tokens, codes, client secrets, cookies
  [/(?<![\w-])(?=\w*?[a-z])(?=\w*?\d)[a-z\d]{40}(?![\w-])/g, removed],
  [/(?<![\w-])(?=[\w-]*?[a-z])(?=[\w-]*?[A-Z])(?=[\w-]*?[\d_-])[\w-]{43}(?![\w-])/g, removed],
  [/\b(Basic|Bearer)\s+[A-Za-z0-9+/=._~-]{6,}/gi, `$1 ${removed}`],
  [
    /\b((?:auth-)?(?:password|pwd|token|secret|code|code_verifier|access_token|refresh_token|client_secret))=[^&\s"]+/gi,
    `$1=${removed}`,
  ],
];

const redactText = (text: string): string =>
  inText.reduce((result, [pattern, by]) => result.replace(pattern, by), text);

/** A copy without secrets: values under telling names, credentials in text. Cycles and depth past 6 are cut. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 6) return '[deep]';
  if (value instanceof Error) return describeError(value, depth);
  if (Array.isArray(value)) return value.slice(0, 100).map((one) => redact(one, depth + 1));
  // symbols are kept: winston finds its level under one
  return Object.fromEntries(
    Reflect.ownKeys(value).map((name) => {
      const held = (value as Record<PropertyKey, unknown>)[name];
      if (typeof name === 'string' && secretName.test(name)) return [name, removed];
      return [name, typeof name === 'symbol' ? held : redact(held, depth + 1)];
    }),
  );
}

const describeError = (error: Error, depth: number): object => ({
  error: redactText(error.message),
  stack: redactText(error.stack ?? ''),
  ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
});
