export type Params = Readonly<Record<string, unknown>>;

/** What old services throw. `code` decides the answer (docs/services.md); `message` is its text. */
export interface IonError extends Error {
  readonly code: string | number;
  readonly params: Params;
  getMessage(language?: string): string;
  toJSON(): { code: string | number; params: Params };
}

interface IonErrorConstructor {
  new (code: string | number, params?: Params | string | Error, cause?: unknown): IonError;
  (this: unknown, code: string | number, params?: Params | string | Error, cause?: unknown): void;
  readonly prototype: IonError;
  registerMessages(messages: Readonly<Record<string, string>>): void;
}

const texts: Readonly<Record<string, string>> = {
  'front-end.403': 'Access denied',
  'rest.backend.403': 'Access denied',
  'rest.backend.404': 'Not found',
  'auth.forbid': 'Access denied',
  'data-repo.noperm': 'No right to this object',
  'data-repo.inf': 'Object not found',
  'data-repo.exists': 'The object exists already',
  'data-repo.mr': 'A required attribute has no value',
  'meta-repo.nc': 'Class not found',
};

const messageOf = (cause: unknown): string | undefined => (cause instanceof Error ? cause.message : undefined);

const base = function (this: Record<string, unknown>, code: string | number, params?: unknown, cause?: unknown): void {
  const said = typeof params === 'string' ? params : typeof cause === 'string' ? cause : undefined;
  const values = typeof params === 'object' && params !== null && !(params instanceof Error) ? (params as Params) : {};
  const reason = params instanceof Error ? params : cause;
  const text = said ?? (typeof values['message'] === 'string' ? values['message'] : undefined);
  Object.assign(this, { code, params: values });
  const hidden = { enumerable: false, writable: true, configurable: true };
  Object.defineProperty(this, 'name', { value: 'IonError', ...hidden });
  Object.defineProperty(this, 'cause', { value: reason, ...hidden });
  Object.defineProperty(this, 'message', {
    value: text ?? texts[String(code)] ?? messageOf(reason) ?? 'Unknown error',
    ...hidden,
  });
  Error.captureStackTrace(this, base);
};
base.prototype = Object.create(Error.prototype, {
  constructor: { value: base },
  getMessage: {
    value(this: Error) {
      return this.message;
    },
  },
  toJSON: {
    value(this: IonError) {
      return { code: this.code, params: this.params };
    },
  },
}) as object;

/** A plain function like the facade of Service, for services that inherit the old way. Messages are English; a language asked for is not looked at. */
export const IonError = Object.assign(base, { registerMessages: () => {} }) as unknown as IonErrorConstructor;
