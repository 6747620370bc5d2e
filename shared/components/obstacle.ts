/**
 * Why a component cannot be. `fault` stops the start; `absent` leaves the component out with a warning, where it may be left
 * out; `reported`: somebody else's fault, already said.
 */
export class Obstacle extends Error {
  readonly kind: 'fault' | 'absent' | 'reported';
  /** In deploy.json. */
  readonly path: string;

  constructor(kind: Obstacle['kind'], path: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
    this.path = path;
  }
}

export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
