import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBasicCredentials } from './basic-credentials.js';

const basic = (text: string) => Buffer.from(text).toString('base64');

describe('parseBasicCredentials', () => {
  it('decodes any form-encoded text without control characters (RFC 6749 section 2.3.1)', () => {
    const text = fc.string({ unit: 'binary' }).filter((value) => !/[\p{Cc}\p{Cs}]/u.test(value));
    const encode = (value: string) => encodeURIComponent(value).replaceAll('%20', '+');
    fc.assert(
      fc.property(text, text, (username, password) => {
        const encoded = basic(`${encode(username)}:${encode(password)}`);
        expect(parseBasicCredentials(encoded)).toEqual({ username, password });
      }),
    );
  });

  it('splits at the first colon', () => {
    expect(parseBasicCredentials(basic('s6BhdRkqt3:gX1:fBat'))).toEqual({
      username: 's6BhdRkqt3',
      password: 'gX1:fBat',
    });
  });

  it('refuses everything that violates the grammar', () => {
    const broken = [
      '',
      '=',
      'YTpi YTpi',
      'YTpi,',
      'YTp', // cut short
      'YTpi=', // padding that does not belong
      'YTo', // missing padding
      'YTp=', // unused bits are set
      'YT-_', // the other alphabet
      'YT pi',
      'YTpi\n',
      basic('no colon'),
      basic('a:%zz'),
      basic('a:%'),
      basic('%ff:b'),
      basic('a:%00'),
      basic('a\u0000:b'),
      basic('a:b\r\n'),
      Buffer.from([0x61, 0x3a, 0xff]).toString('base64'),
    ];
    for (const encoded of broken) expect(parseBasicCredentials(encoded), encoded).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        parseBasicCredentials(text);
        parseBasicCredentials(basic(text));
      }),
    );
  });
});
