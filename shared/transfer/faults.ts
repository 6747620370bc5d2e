import { open, rm, type FileHandle } from 'node:fs/promises';

/** What could not be taken, or only in part. */
export interface TransferFault {
  readonly line: number;
  readonly kind?: string;
  readonly class?: string;
  readonly id?: string;
  readonly code:
    'form' | 'class' | 'account' | 'exists' | 'unique' | 'refused' | 'content' | 'missing-content' | 'cut-off';
  readonly message: string;
}

/** Takes faults as they are found. */
export interface FaultSink {
  add(fault: TransferFault): void;
  /** Those of the lines up to here are kept. Gives the bytes written, for `rewind`. */
  flush(): Promise<number>;
  /** As it was when so many bytes were written. */
  rewind(bytes: number): Promise<void>;
  close(): Promise<void>;
}

/** A file of NDJSON that is made at the first fault. */
export function createFaultFile(path: string, tell: (fault: TransferFault) => void): FaultSink {
  let file: FileHandle | undefined;
  let size = 0;
  let waiting = '';
  return {
    add(fault) {
      waiting += `${JSON.stringify(fault)}\n`;
      tell(fault);
    },
    async flush() {
      if (waiting === '') return size;
      const text = Buffer.from(waiting);
      waiting = '';
      file ??= await open(path, 'a', 0o600);
      await file.appendFile(text);
      await file.sync();
      return (size += text.length);
    },
    async rewind(bytes) {
      if (bytes === 0) return rm(path, { force: true });
      file = await open(path, 'a', 0o600);
      size = Math.min(bytes, (await file.stat()).size); // somebody may have taken it away
      await file.truncate(size);
    },
    close: async () => file?.close(),
  };
}
