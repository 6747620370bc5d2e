import { expect } from 'chai';
import { loadAssets } from './assets.ts';
import { badRequestPage } from './bad-request-page.ts';
import { errorPage } from './error-page.ts';
import { contentSecurityPolicy, createFrame } from './page.ts';

describe('error pages', () => {
  const frame = createFrame(loadAssets(), '/auth/assets', { caption: 'demo' });
  const page = (status: number, more = {}) => String(errorPage(frame, { status, requestId: 'R<1>', ...more }));

  it('shows the request number from 500 on, escaped, and not before', () => {
    expect(page(500)).to.include('R&lt;1&gt;').and.not.include('R<1>');
    expect(page(404)).to.not.include('R&lt;1&gt;');
  });

  it('names the refused redirect URI as text', () => {
    const oauth = { error: 'invalid_request', clientId: 'ext@system', redirectUri: 'javascript:alert("1")' };
    expect(page(400, { oauth })).to.include('javascript:alert(&quot;1&quot;)').and.not.include('href="javascript');
  });

  it('leads to the console only where there is one', () => {
    expect(page(404)).to.not.include('console');
    const withConsole = createFrame(loadAssets(), '/auth/assets', { caption: 'demo', consoleUrl: '/registry/' });
    expect(String(errorPage(withConsole, { status: 404, requestId: '' }))).to.include('href="/registry/"');
  });

  it('holds no inline script or style', () => {
    for (const status of [400, 403, 404, 429, 500, 503])
      expect(page(status)).to.not.match(/<style|style=|<script>|\son\w+=/);
  });

  it('says Bad Request with the request number', () => {
    expect(String(badRequestPage('01JD'))).to.match(/<h1>Bad Request<\/h1>[^]*Request 01JD/);
  });
});

describe('contentSecurityPolicy', () => {
  it('allows nothing inline, and forms to this site and the origins given', () => {
    expect(contentSecurityPolicy()).to.include("form-action 'self';");
    expect(contentSecurityPolicy()).to.not.include('unsafe');
    expect(contentSecurityPolicy(['https://a.example'])).to.include("form-action 'self' https://a.example;");
  });
});
