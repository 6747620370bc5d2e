import type { Settings } from './settings.ts';

/** A component as deploy.json names it, placeholders replaced. */
export interface ComponentDefinition {
  readonly module?: string;
  readonly executable?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly initMethod?: string;
  readonly initLevel?: number;
}

export type ComponentDefinitions = Readonly<Record<string, ComponentDefinition>>;

/** What the installation's environment says (docs/reference/configuration.md). */
export interface Installation {
  readonly port: number;
  readonly host: string;
  readonly adminPort: number | undefined;
  /** base_url without a trailing slash: issuer, links, Origin check. */
  readonly publicUrl: string;
  /** How many proxies stand in front, or their networks. */
  readonly trustProxy: number | readonly string[];
  /** 32 bytes or more; undefined: made and kept in the data folder (embedded stores only). */
  readonly secret: string | undefined;
  /** Whom a first start makes; without a password nobody. */
  readonly administrator: { readonly identity: string; readonly password: string | undefined };
  readonly mongoUrl: string | undefined;
  /** One address, or several with commas. */
  readonly redisUrl: string | undefined;
  /** PEM. */
  readonly redisCa: string | undefined;
  readonly stores: 'sqlite' | 'servers';
  /** Absolute folder of the embedded stores. */
  readonly dataFolder: string;
  readonly production: boolean;
  /** PORTICO_ALLOW_DEMO */
  readonly allowDemo: boolean;
}

export interface RestModule {
  readonly di: ComponentDefinitions;
  /** Service → mode word or words. */
  readonly authMode: Readonly<Record<string, string | readonly string[]>>;
  readonly endPoint: string | undefined;
}

/** The whole configuration: read once, checked, frozen. Nothing else reads deploy.json or the environment. */
export interface Config {
  /** Absolute path of the deploy file. */
  readonly file: string;
  /** Absolute folder with meta/, acl/, data/ …. */
  readonly application: string;
  readonly namespace: string;
  readonly plugins: ComponentDefinitions;
  readonly rest: RestModule;
  readonly registry: { readonly di: ComponentDefinitions };
  readonly settings: Settings;
  readonly installation: Installation;
  /** Said once at start: unresolved placeholders and the like. */
  readonly warnings: readonly string[];
}
