import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const chromiumPath = (): string | undefined =>
  [process.env['CHROMIUM'] ?? '', ...places].find((path) => existsSync(path));

/** The system's Chromium. Where there is none the suite is skipped, visibly; under CI that is a failure. */
export async function startChromium(suite: Mocha.Context): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) {
    if (process.env['CI'] === 'true') throw new Error('no Chromium here: apt-get install chromium');
    process.stderr.write(
      `    skipped: ${suite.test?.parent?.title ?? 'browser'}: no Chromium here (apt-get install chromium)\n`,
    );
    return suite.skip();
  }
  return chromium.launch({ executablePath, args: flags, headless: true });
}
