import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html, page, pageLook, pagePolicy, pageScript, policySource } from './index.js';

const look = pageLook();

describe('html', () => {
  it('lets no text become markup, in elements and in quoted attributes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { text: written } = html`<p title="${text}">${text}</p>`;
        expect(written).toMatch(/^<p title="[^<>"']*">[^<>"']*<\/p>$/su);
        expect(written).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/);
      }),
    );
  });

  it('keeps markup as it is, lists of it too, and writes nothing for nothing', () => {
    const items = ['a', 'b'].map((name) => html`<li>${name}</li>`);
    expect(html`<ul>${items}${undefined}</ul>`.text).toBe('<ul><li>a</li><li>b</li></ul>');
  });
});

describe('pagePolicy', () => {
  it('allows nothing but the style sheet unless more is named', () => {
    expect(pagePolicy({ look })).toBe(
      `default-src 'none'; style-src ${look.styleSource}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
  });

  it('names exactly the script, the frames, the picture and the target of forms', () => {
    const script = pageScript('let here;');
    const policy = pagePolicy({
      look,
      script,
      frames: ['https://a.example', 'https://b.example', 'https://a.example'],
      image: 'https://logo.example/x.svg',
      formTarget: 'https://app.example',
    });
    expect(policy.split('; ')).toEqual([
      `default-src 'none'`,
      `style-src ${look.styleSource}`,
      `script-src ${script.source}`,
      'frame-src https://a.example https://b.example',
      'img-src https://logo.example/x.svg',
      `form-action 'self' https://app.example`,
      `base-uri 'none'`,
      `frame-ancestors 'none'`,
    ]);
  });
});

describe('policySource', () => {
  it('gives the origin of web addresses, the scheme of others, and nothing for what is no address', () => {
    expect(policySource('https://app.example:8443/cb?x=1')).toBe('https://app.example:8443');
    expect(policySource('com.example.app:/done')).toBe('com.example.app:');
    expect(policySource('nothing')).toBeUndefined();
  });
});

describe('page', () => {
  it('says its language and direction, and shows the title as text', () => {
    const text = page({ look, title: '<b>', content: html`<p></p>`, language: 'ar', direction: 'rtl' });
    expect(text).toContain('<html lang="ar" dir="rtl">');
    expect(text).toContain('<title>&lt;b&gt;</title>');
    expect(text).toContain('<h1>&lt;b&gt;</h1>');
  });
});
