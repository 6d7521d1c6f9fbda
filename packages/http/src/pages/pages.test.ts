import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html, page, pagePolicy, pageScript, pageStyle, policySource } from './index.js';

const style = pageStyle();

describe('html', () => {
  it('escapes text in elements and in quoted attributes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { text: written } = html`<p title="${text}">${text}</p>`;
        expect(written).toMatch(/^<p title="[^<>"']*">[^<>"']*<\/p>$/su);
        expect(written).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/);
      }),
    );
  });

  it('inserts markup and lists of markup unchanged, and nothing for undefined', () => {
    const items = ['a', 'b'].map((name) => html`<li>${name}</li>`);
    expect(html`<ul>${items}${undefined}</ul>`.text).toBe('<ul><li>a</li><li>b</li></ul>');
  });
});

describe('pagePolicy', () => {
  it('allows only the style sheet by default', () => {
    expect(pagePolicy({ style })).toBe(
      `default-src 'none'; style-src ${style.styleSource}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
  });

  it('allows exactly the given script, frames, image and form target', () => {
    const script = pageScript('let here;');
    const policy = pagePolicy({
      style,
      script,
      frames: ['https://a.example', 'https://b.example', 'https://a.example'],
      image: 'https://logo.example/x.svg',
      formTarget: 'https://app.example',
    });
    expect(policy.split('; ')).toEqual([
      `default-src 'none'`,
      `style-src ${style.styleSource}`,
      `script-src ${script.source}`,
      'frame-src https://a.example https://b.example',
      'img-src https://logo.example/x.svg',
      `form-action 'self' https://app.example`,
      `base-uri 'none'`,
      `frame-ancestors 'none'`,
    ]);
  });
});

describe('pagePolicy with sources of any form', () => {
  const LOOSE = [
    'https://e.example;sandbox',
    "https://e.example;script-src'unsafe-inline'",
    'https://e.example,default-src',
    "https://'unsafe-inline'",
    'https://*.example',
    'https://e_x.example',
    "https://e.example'",
    'https://e.example/path',
    'https://e.example https://f.example',
    'javascript:',
    'data:',
    '*',
    "'self'",
    'e.example',
    '',
  ];

  it('leaves out every source that is not in the strict form, and keeps the others', () => {
    const plain = pagePolicy({ style, frames: ['https://a.example'] });
    for (const loose of LOOSE) {
      expect(pagePolicy({ style, frames: [loose, 'https://a.example'] }), loose).toBe(plain);
      expect(pagePolicy({ style, formTarget: loose }), loose).toBe(pagePolicy({ style }));
      expect(pagePolicy({ style, image: loose && `${loose};x` }), loose).toBe(pagePolicy({ style }));
    }
  });

  it('contains only its own directives, whatever text a source is', () => {
    const names = (policy: string) => policy.split(/[;,]/).map((part) => part.trim().split(' ')[0]);
    const usual = new Set(
      names(pagePolicy({ style, frames: ['https://a.example'], image: 'https://a.example/x' })),
    );
    const host = fc.string({
      unit: fc.constantFrom(...'ab0.-:[]@/', ';', ',', "'", '"', ' ', '*', '_', '%'),
    });
    fc.assert(
      fc.property(fc.constantFrom('https://', 'http://', 'a.b:', ''), host, (scheme, text) => {
        const source = scheme + text;
        const policy = pagePolicy({ style, frames: [source], formTarget: source, image: source });
        expect(names(policy).filter((name) => name !== undefined && !usual.has(name))).toEqual([]);
        expect(policy.replace(/ img-src [^;]*/, '')).not.toContain('*');
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('policySource', () => {
  it('returns undefined for a host that is not in the strict form, and for an unsafe scheme', () => {
    for (const address of [
      'https://e.example;sandbox/cb',
      "https://e'x.example/",
      'https://e_x.example/',
      'data:text/html,x',
      'javascript:1',
    ])
      expect(policySource(address), address).toBeUndefined();
    expect(policySource('http://[::1]:8080/cb')).toBe('http://[::1]:8080');
  });

  it('returns the origin of http(s) URLs, the scheme of others, and undefined for invalid URLs', () => {
    expect(policySource('https://app.example:8443/cb?x=1')).toBe('https://app.example:8443');
    expect(policySource('com.example.app:/done')).toBe('com.example.app:');
    expect(policySource('nothing')).toBeUndefined();
  });
});

describe('page', () => {
  it('declares its language and direction, and shows the title as text', () => {
    const text = page({ style, title: '<b>', content: html`<p></p>`, language: 'ar', direction: 'rtl' });
    expect(text).toContain('<html lang="ar" dir="rtl">');
    expect(text).toContain('<title>&lt;b&gt;</title>');
    expect(text).toContain('<h1>&lt;b&gt;</h1>');
  });
});
