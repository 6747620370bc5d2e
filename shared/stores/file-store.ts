import type { Readable } from 'node:stream';

export interface StoredFile {
  /** SHA-256 of the content, hex. */
  readonly hash: string;
  readonly size: number;
}

/** Content by its hash; the same content is kept once. Streams both ways, nothing whole in memory. */
export interface FileStore {
  /** Durable when it resolves. Past `maxBytes` (`too_large`), or when the source fails: rejects, and nothing is left behind; the source is destroyed. */
  put(content: Readable, maxBytes: number): Promise<StoredFile>;
  /** Undefined when there is no such content. Whoever opens reads to the end or destroys. */
  open(hash: string): Promise<Readable | undefined>;
  remove(hash: string): Promise<void>;
  close(): Promise<void>;
}
