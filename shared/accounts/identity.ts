/** Who calls. `id` is `<user>@<type>`. */
export interface Identity {
  readonly id: string;
  readonly name: string;
  /** Attributes of the account, for defaults of the form `$$attribute`. */
  readonly properties: Readonly<Record<string, unknown>>;
}

/** `demo` → `demo@<type>`; `demo@local` stays. The last `@` divides. */
export const qualify = (name: string, type: string): string => (name.includes('@') ? name : `${name}@${type}`);
