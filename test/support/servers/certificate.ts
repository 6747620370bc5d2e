import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Certificate {
  /** Paths of PEM files. */
  readonly certificate: string;
  readonly key: string;
  /** PEM. It signs itself, so it is its own authority. */
  readonly ca: string;
  remove(): Promise<void>;
}

/** For 127.0.0.1 and localhost, made with openssl, good for a day. */
export async function makeCertificate(): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-certificate-'));
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const names = 'subjectAltName=IP:127.0.0.1,DNS:localhost';
  const made = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '1',
    '-subj',
    '/CN=localhost',
  ];
  await run('openssl', ['req', '-x509', ...made, '-addext', names, '-keyout', key, '-out', certificate]);
  return {
    certificate,
    key,
    ca: await readFile(certificate, 'utf8'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
