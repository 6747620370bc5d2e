import { expect } from 'chai';
import { html } from './html.ts';

describe('html', () => {
  it('escapes values in text and in quoted attributes', () => {
    const evil = `"><script>alert('x')</script>&`;
    expect(String(html`<p title="${evil}">${evil}</p>`)).to.equal(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;</p>',
    );
  });

  it('keeps markup made by itself and joins lists', () => {
    const items = ['a', '<b>'].map((text) => html`<i>${text}</i>`);
    expect(String(html`<p>${items}</p>`)).to.equal('<p><i>a</i><i>&lt;b&gt;</i></p>');
  });

  it('leaves nothing for false and undefined, but writes 0', () => {
    expect(String(html`[${false}${undefined}${0}]`)).to.equal('[0]');
  });
});
