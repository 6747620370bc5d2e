/** code → status and public text. The message of an AppError is for the log; only these texts, faults and `publicText` leave. */
export const codes = {
  bad_request: [400, 'The request cannot be understood'],
  invalid: [400, 'The data breaks a rule'],
  unauthenticated: [401, 'Credentials are missing or wrong'],
  forbidden: [403, 'Access denied'],
  cross_site: [403, 'Requests from another site are refused'],
  not_found: [404, 'Not found'],
  service_not_found: [404, 'Service not found'],
  method_not_allowed: [405, 'The method is not allowed here'],
  timeout: [408, 'The request took too long to arrive'],
  conflict: [409, 'The request conflicts with another one'],
  stale: [412, 'The object has changed meanwhile'],
  too_large: [413, 'The request is too large'],
  url_too_long: [414, 'The address is too long'],
  unsupported: [415, 'The content type is not supported'],
  unprocessable: [422, 'The request cannot be processed'],
  precondition_required: [428, 'If-Match is required'],
  too_many: [429, 'Too many attempts'],
  headers_too_large: [431, 'The request headers are too large'],
  internal: [500, 'Internal server error'],
  bad_gateway: [502, 'The service behind does not answer as it should'],
  unavailable: [503, 'The service is not available at the moment'],
  gateway_timeout: [504, 'The service behind did not answer in time'],
} as const satisfies Record<string, readonly [number, string]>;

export type Code = keyof typeof codes;

/** One thing wrong with the input. `index` is the place in a list of objects. `message` is shown to the caller. */
export interface Fault {
  readonly property?: string;
  readonly index?: number;
  readonly code: string;
  readonly message: string;
}

export interface ErrorDetails {
  readonly faults?: readonly Fault[] | undefined;
  /** Shown instead of the code's own text; never from an unknown error. */
  readonly publicText?: string | undefined;
  /** Such as `Retry-After`, `Allow`, `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Instead of the code's own one; 400 to 499 only. */
  readonly status?: number | undefined;
  readonly cause?: unknown;
}

/** The one error family. What is not one of these is answered `Internal server error` and logged with its cause. */
export class AppError extends Error {
  readonly code: Code;
  readonly status: number;
  readonly publicText: string;
  readonly faults: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail for the log only; never leaves the process */
  constructor(code: Code, detail?: string, more: ErrorDetails = {}) {
    super(detail ?? codes[code][1], 'cause' in more ? { cause: more.cause } : undefined);
    this.name = 'AppError';
    this.code = code;
    this.status = more.status ?? codes[code][0];
    this.publicText = more.publicText ?? codes[code][1];
    this.faults = more.faults ?? [];
    this.headers = more.headers ?? {};
  }
}

/** Any thrown value as a member of the family. */
export const toAppError = (thrown: unknown): AppError =>
  thrown instanceof AppError ? thrown : new AppError('internal', undefined, { cause: thrown });

/** For the end of an exhaustive switch. */
export function unreachable(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
