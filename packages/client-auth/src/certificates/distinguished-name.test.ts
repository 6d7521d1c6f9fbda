import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameName, parseCertificateSubject, parseDistinguishedName } from './distinguished-name.js';

const isSame = (a: string, b: string) => {
  const [one, other] = [parseDistinguishedName(a), parseDistinguishedName(b)];
  return one !== undefined && other !== undefined && isSameName(one, other);
};

describe('parseDistinguishedName', () => {
  it('parses the notation of RFC 4514, from the leaf', () => {
    expect(parseDistinguishedName('CN=James \\"Jim\\" Smith\\, III,DC=example,DC=net')).toEqual([
      [{ type: '0.9.2342.19200300.100.1.25', value: 'net' }],
      [{ type: '0.9.2342.19200300.100.1.25', value: 'example' }],
      [{ type: '2.5.4.3', value: 'James "Jim" Smith, III' }],
    ]);
    expect(parseDistinguishedName('CN=Lu\\C4\\8Di\\C4\\87')).toEqual([[{ type: '2.5.4.3', value: 'Lučić' }]]);
    expect(parseDistinguishedName('1.3.6.1.4.1.1466.0=#13024869')).toEqual([
      [{ type: '1.3.6.1.4.1.1466.0', value: 'Hi' }],
    ]);
  });

  it('treats different spellings of one name as equal', () => {
    const pairs = [
      ['CN=a,O=b,C=de', 'cn=a , o = b,  2.5.4.6=de'],
      ['CN=a+O=b,C=de', 'O=b + CN=a,C=de'],
      ['CN=\\41\\ ,C=de', 'CN=A\\20,C=de'],
      ['CN=a\\,b', 'CN=a\\2Cb'],
      ['2.5.4.97=PSD', 'organizationIdentifier=#0c03505344'],
      ['E=a@b.example', 'emailAddress=a@b.example'],
      ['unknownType=a', 'UNKNOWNTYPE=a'],
    ];
    for (const [one = '', other = ''] of pairs) expect(isSame(one, other), one).toBe(true);
  });

  it('distinguishes different names', () => {
    const pairs = [
      ['CN=a,C=de', 'C=de,CN=a'],
      ['CN=a,C=de', 'CN=a'],
      ['CN=a,C=de', 'CN=a+C=de'],
      ['CN=a', 'CN=A'],
      ['CN=a', 'OU=a'],
      ['CN=a', 'CN=a\\20'],
      ['CN=a', 'CN=a\u00a0'],
      ['CN=a', 'CN=a\\00'],
      ['CN=a,O=b', 'CN=a\\,O=b'],
      ['CN=a+O=b', 'CN=a\\+O=b'],
      ['CN=a', 'CN=a+CN=a'],
      ['CN=#0c0161', 'CN=\\#0c0161'],
    ];
    for (const [one = '', other = ''] of pairs) {
      expect(isSame(one, other), `${one} and ${other}`).toBe(false);
      expect([isSame(one, one), isSame(other, other)]).toEqual([true, true]);
    }
  });

  it('refuses anything that is not in the notation', () => {
    const bad = [
      '',
      ',',
      'CN',
      '=a',
      'CN=a,',
      'CN=a,,C=de',
      'CN=a+',
      '9=a',
      '-x=a',
      'C N=a',
      'CN=a\\',
      'CN=a\\g',
    ];
    const alsoBad = [
      'CN="a"',
      'CN=a;O=b',
      'CN=<a>',
      'CN=\\FF',
      'CN=#',
      'CN=#0c',
      'CN=#0c0261',
      'CN=#020141',
      'CN=#xy',
    ];
    for (const text of [...bad, ...alsoBad]) expect(parseDistinguishedName(text), text).toBeUndefined();
  });

  it('decodes every value that is escaped as in RFC 4514 section 2.4', () => {
    const escaped = (value: string) =>
      value
        .replace(/[\\"+,;<>]/g, '\\$&')
        .replaceAll('\0', '\\00')
        .replace(/^[ #]/, '\\$&')
        .replace(/ $/, '\\ ');
    const anyValue = fc
      .string({
        unit: fc.oneof(fc.constantFrom(...' #+,;<=>"\\'), fc.string({ unit: 'grapheme', maxLength: 1 })),
        minLength: 1,
        maxLength: 12,
      })
      .filter((value) => value !== ' ');
    fc.assert(
      fc.property(fc.array(anyValue, { minLength: 1, maxLength: 4 }), (values) => {
        const text = values.map((value) => `CN=${escaped(value)}`).join(',');
        const read = parseDistinguishedName(text);
        expect(read?.map(([attribute]) => attribute?.value).toReversed()).toEqual(values);
        const lines = values
          .map((value) => `CN=${escaped(value)}`)
          .toReversed()
          .join('\n');
        if (!values.some((value) => value.includes('\n')))
          expect(parseCertificateSubject(lines)).toEqual(read);
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'CN=a,+\\"#0c \u00e9'), maxLength: 40 }), (text) => {
        parseDistinguishedName(text);
      }),
    );
  });
});

describe('parseCertificateSubject', () => {
  it('reads one part per line, from the root, and a missing subject as the empty name', () => {
    expect(parseCertificateSubject('C=DE\nO=a\\, b + OU=c\nCN=d')).toEqual(
      parseDistinguishedName('CN=d,OU=c+O=a\\, b,C=DE')?.map((part) => part.toReversed()),
    );
    expect(parseCertificateSubject('')).toEqual([]);
    expect(parseCertificateSubject('C=DE\n')).toBeUndefined();
  });
});
