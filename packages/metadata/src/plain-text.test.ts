import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBlankText, isPlainText } from './plain-text.js';

const refused = (texts: readonly string[]) => texts.filter((text) => !isPlainText(text));

describe('isPlainText', () => {
  it('accepts joiners inside words of scripts that use them', () => {
    expect(
      refused([
        'می\u200cخواهم',
        'نرم‌افزار بانک',
        'क्\u200dष',
        'राष्\u200cट्र',
        'র\u200d্যাব',
        'ශ්\u200dරී ලංකා',
        'അവന്\u200d',
        'ನ್\u200dಯಾ',
        'ក\u200cា',
      ]),
    ).toEqual([]);
  });

  it('accepts emoji with joiners, selectors, modifiers and the tags of flags', () => {
    expect(
      refused([
        '👩\u200d👩\u200d👧 Family',
        '👩🏽\u200d🚀',
        '🏳️\u200d🌈',
        '❤️',
        '☎︎',
        '1️⃣ First',
        '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
        '🇮🇳',
      ]),
    ).toEqual([]);
  });

  it('accepts variants of ideographs, as in Japanese names', () => {
    expect(refused(['葛\u{e0100}城市', '辻\u{e0101}'])).toEqual([]);
  });

  it('refuses joiners and selectors that have no effect there', () => {
    const texts = [
      'pay\u200dpal',
      'pay\u200cpal',
      '\u200dAcme',
      'Acme\u200d',
      '\u200c',
      '\u200cمی',
      'می\u200c',
      'می\u200c\u200cخواهم',
      'می\u200c خواهم',
      'a\u200cم',
      'م\u200ca',
      '👩\u200d',
      '\u200d👩',
      '👩\u200d\u200d👧',
      '👩\u200da',
      'a\ufe0f',
      '1\ufe0f',
      '👩\ufe0f\ufe0f',
      '葛\u{e0100}\u{e0101}',
      'a\u{e0100}',
      // The flag of Texas is not one of the three subdivision flags in use.
      '🏴\u{e0075}\u{e0073}\u{e0074}\u{e0078}\u{e007f}',
      '🏴\u{e0067}\u{e0062}',
      'a\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    ];
    expect(texts.filter(isPlainText)).toEqual([]);
  });

  it('refuses bidirectional controls and invisible characters in every script', () => {
    const codes = [
      0x00, 0x0a, 0x1b, 0x7f, 0x85, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180e, 0x200b, 0x200e,
      0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2064, 0x2066, 0x2069, 0x206f, 0x3164, 0xfeff, 0xffa0,
      0xfff9, 0x1d173, 0xe0001, 0xe0041, 0xd800,
    ];
    for (const code of codes) {
      for (const letter of ['a', 'م', 'क', '葛', '👩', 'क्'])
        expect(isPlainText(letter + String.fromCodePoint(code) + letter), code.toString(16)).toBe(false);
    }
  });

  it('never accepts an invisible character beside a letter that takes none', () => {
    const unit = fc.constantFrom(
      'a',
      'م',
      'क',
      '्',
      '葛',
      '👩',
      '🏽',
      '\u200c',
      '\u200d',
      '\ufe0f',
      '\u{e0100}',
      ' ',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        if (!isPlainText(text)) return;
        expect(text).not.toMatch(/(?:^|[a ])(?:\u200c|\u200d|\ufe0f|\u{e0100})/u);
        expect(text).not.toMatch(/(?:\u200c|\u200d|\ufe0f|\u{e0100}){2}(?!👩)/u);
      }),
      { numRuns: 5_000 },
    );
  });

  it('checks long texts in linear time', () => {
    const started = process.hrtime.bigint();
    for (const unit of ['م\u200c', '👩\u200d', 'क्\u200d', '\u200d', 'a\u200d', '葛\u{e0100}'])
      isPlainText(unit.repeat(20_000));
    expect(Number(process.hrtime.bigint() - started) / 1e6).toBeLessThan(2_000);
  });
});

describe('isBlankText', () => {
  it('treats a text as blank if and only if it shows nothing', () => {
    const blank = [
      '',
      ' ',
      '\t\n',
      '\u00a0\u3000',
      '\u200b\u2060',
      '\u00ad',
      '\u115f\u3164',
      '\u2800',
      '\u{1d159}\u2800 ',
    ];
    expect(blank.filter((text) => !isBlankText(text))).toEqual([]);
    expect(['a', '\u2800a', '⠁', '.', '\u0301', '👩', 'ا'].filter(isBlankText)).toEqual([]);
  });
});
