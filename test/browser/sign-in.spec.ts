import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startAuth, type RunningAuth } from '../support/start-auth.ts';
import { makePkce, token } from '../support/browser-session.ts';
import { startChromium } from '../support/start-chromium.ts';

describe('sign-in and consent in a browser', function suite() {
  this.timeout(30_000);
  let browser: Browser | undefined;
  let auth: RunningAuth;
  let application: Server;
  let back: string;
  let context: BrowserContext;
  let page: Page;
  const complaints: string[] = [];

  before(async function start() {
    browser = await startChromium(this);
    application = createServer((_req, res) =>
      res.setHeader('content-type', 'text/html').end('<title>application</title>back'),
    );
    application.listen(0, '127.0.0.1');
    await once(application, 'listening');
    back = `http://127.0.0.1:${(application.address() as AddressInfo).port}/back`;
    auth = await startAuth({
      settings: { 'auth.maxFailures': 2, 'auth.firstWait': 2 },
      accounts: [
        {
          identity: 'app@system',
          name: 'Ext Reporting',
          password: 'app-secret',
          properties: { oauth: { redirectUris: [back] } },
        },
        { identity: 'wait@local', name: 'Wait', password: 'wait-password' },
        { identity: 'new@local', name: 'New', password: 'first-password', needPasswordReset: true },
      ],
    });
  });
  after(async () => {
    await browser?.close();
    if (browser === undefined) return;
    await auth.stop();
    application.close();
  });
  beforeEach(async () => {
    context = await browser!.newContext();
    page = await context.newPage();
    complaints.length = 0;
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
  });
  afterEach(async () => {
    await context.close();
    expect(complaints).to.deep.equal([]); // such as what the Content-Security-Policy refused
  });

  const shoot = async (name: string) => {
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  async function enter(username: string, password: string): Promise<void> {
    await page.getByLabel('Account', { exact: true }).fill(username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }
  const { verifier, query } = makePkce();
  const askFor = (more: Record<string, string> = {}) => {
    const asked = { client_id: 'app@system', response_type: 'code', state: 'st', ...query, ...more };
    return `${auth.url}/oauth2/grant?${new URLSearchParams(asked).toString()}`;
  };

  it('leads from sign-in over the consent to the application, with a code that works', async () => {
    await page.goto(askFor({ scope: 'self openid profile offline_access' }));
    expect(page.url()).to.include('/auth?');
    await shoot('sign-in');
    await enter('demo', 'portico-demo');
    await page.getByRole('heading', { name: 'Allow Ext Reporting to use your data here?' }).waitFor();
    expect(await page.locator('.grants').innerText())
      .to.include('Call services as you')
      .and.include('Stay connected for 14 days');
    expect(await page.locator('form').innerText()).to.include(back);
    await shoot('consent');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${back}?*`);
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('state')).to.equal('st');
    const form = { grant_type: 'authorization_code', code: searchParams.get('code')!, code_verifier: verifier };
    expect((await token(auth, ['app@system', 'app-secret'], form)).status).to.equal(200);

    await page.goto(askFor({ scope: 'self openid profile offline_access svc:echo' }));
    expect(await page.locator('.notice').innerText()).to.match(
      /You allowed the rest on .* New this time: call echo as you/,
    );
    await shoot('consent-again');
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL(`${back}?*`);
    expect(new URL(page.url()).searchParams.get('error')).to.equal('access_denied');
  });

  it('says that account and password do not match, keeps the account, and shows the password on demand', async () => {
    await page.goto(`${auth.url}/auth`);
    await page.getByLabel('Password', { exact: true }).fill('seen');
    await page.getByRole('button', { name: 'Show' }).click();
    expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).to.equal('text');
    await enter('demo@local', 'wrong');
    expect(await page.getByRole('alert').innerText()).to.include('That account and password do not match.');
    expect(await page.getByLabel('Account', { exact: true }).inputValue()).to.equal('demo@local');
    await shoot('wrong');
    await enter('demo@local', 'portico-demo');
    await page.getByText('You are signed in').waitFor();
    await shoot('start-page');
  });

  it('counts the wait down, and signs in after it', async () => {
    await page.goto(`${auth.url}/auth`);
    for (const password of ['a', 'b', 'c', 'd']) {
      await enter('wait@local', password);
      if ((await page.locator('#pause').count()) > 0) break;
    }
    expect(await page.getByRole('alert').innerText()).to.include('Too many attempts.');
    const button = page.locator('form button:not([type])');
    expect(await button.innerText()).to.match(/^Sign in possible in 0:0\d$/);
    await shoot('wait');
    const clicked = page.url();
    await button.click();
    expect(page.url()).to.equal(clicked);
    auth.advance(60);
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor({ timeout: 15_000 });
    await enter('wait@local', 'wait-password');
    await page.getByText('You are signed in').waitFor();
  });

  it('signs out by the button, and the browser is signed out', async () => {
    await page.goto(`${auth.url}/auth`);
    await enter('demo', 'portico-demo');
    await page.getByRole('link', { name: 'Sign out' }).click();
    await shoot('sign-out');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out in this browser.').waitFor();
    await shoot('signed-out');
    expect(await context.cookies()).to.deep.equal([]);
    await page.goto(askFor());
    expect(page.url()).to.include('/auth?');
  });

  it('switches the account and comes back to the question', async () => {
    await page.goto(askFor());
    await enter('demo', 'portico-demo');
    await page.getByRole('button', { name: 'Switch account' }).click();
    expect(await page.locator('.notice').innerText()).to.include('Ext Reporting');
    await shoot('switch');
    await enter('other', 'portico-other');
    await page.getByRole('heading', { name: /Allow Ext Reporting/ }).waitFor();
    expect(await page.locator('.who').innerText()).to.include('other@local');
  });

  it('asks for a new password where one is needed', async () => {
    await page.goto(`${auth.url}/auth`);
    await enter('new', 'first-password');
    await page.getByLabel('New password').fill('a much better one');
    await page.getByLabel('The same again').fill('a much better ONE');
    await shoot('new-password');
    await page.getByRole('button', { name: 'Set password' }).click();
    expect(await page.getByRole('alert').innerText()).to.include('differ');
    await page.getByLabel('New password').fill('a much better one');
    await page.getByLabel('The same again').fill('a much better one');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('You are signed in').waitFor();
  });

  it('shows the code for a client without an address of its own, and a page for a bad request', async () => {
    await page.goto(`${auth.url}/oauth2/grant?client_id=ext@system&response_type=code`);
    await enter('demo', 'portico-demo');
    await page.getByRole('button', { name: 'Allow' }).click();
    expect((await page.locator('#code').innerText()).length).to.be.greaterThan(20);
    await shoot('code');
    await page.goto(askFor({ redirect_uri: `${back}2` }));
    expect(await page.locator('main').innerText())
      .to.include('This sign-in request is not valid')
      .and.include(`${back}2`);
    await shoot('bad-request');
    await page.goto(`${auth.url}/auth/nothing`);
    expect(await page.locator('main').innerText()).to.include('There is nothing at this address');
    await shoot('not-found');
  });

  it('works without script', async () => {
    const plain = await browser!.newContext({ javaScriptEnabled: false });
    const own = await plain.newPage();
    await own.goto(askFor());
    await own.locator('#u').fill('demo');
    await own.locator('#p').fill('portico-demo');
    await own.locator('form button:not([type])').click();
    await own.locator('button[value=allow]').click();
    await own.waitForURL(`${back}?*`);
    expect(new URL(own.url()).searchParams.has('code')).to.equal(true);
    await plain.close();
  });
});
