interface UserData {
  readonly id: string;
  readonly type?: string;
  readonly name?: string;
  readonly email?: string;
  readonly disabled?: boolean;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A user as old services know it: everything is a method. */
export interface LegacyUser {
  /** `<login>@<type>` */
  id(): string;
  login(): string;
  type(): string;
  name(): string;
  email(): string | undefined;
  properties(): Readonly<Record<string, unknown>>;
  isDisabled(): boolean;
  /** Whether an identity is this user or one of its further identities. */
  isMe(identity: string): boolean;
  addCoactor(identity: string): void;
  coactors(): readonly string[];
  timeZone(): undefined;
  toString(): string;
}

const base = function (this: LegacyUser, data: UserData, further: Readonly<Record<string, unknown>> = {}): void {
  const at = data.id.lastIndexOf('@');
  const [login, type] =
    data.type === undefined && at > 0 ? [data.id.slice(0, at), data.id.slice(at + 1)] : [data.id, data.type ?? ''];
  const id = type === '' ? login : `${login}@${type}`;
  const identities = new Set(Object.keys(further).filter((one) => further[one]));
  this.id = () => id;
  this.login = () => login;
  this.type = () => type;
  this.name = () => data.name || id;
  this.properties = () => data.properties ?? {};
  this.email = () => {
    const own = data.properties?.['email'];
    return typeof own === 'string' ? own : data.email;
  };
  this.isDisabled = () => data.disabled === true;
  this.isMe = (identity) => identity === id || identities.has(identity);
  this.addCoactor = (identity) => void identities.add(identity);
  this.coactors = () => [...identities];
  this.timeZone = () => undefined;
  this.toString = () => this.name();
};

export const LegacyUser = base as unknown as {
  new (data: UserData, further?: Readonly<Record<string, unknown>>): LegacyUser;
  readonly prototype: LegacyUser;
};
