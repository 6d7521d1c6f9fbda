/** Texts that would do harm on a page that does not escape them, or break its layout. */
export const HOSTILE_TEXTS = {
  element: '<img src="https://evil.example/seen.png"><script>globalThis.harmed = true</script>',
  attribute: `" autofocus onfocus="globalThis.harmed = true" x='`,
  comment: '--></title></textarea></select></style></script><h1>Another page</h1>',
  template: `\${globalThis.harmed = true} {{constructor}} <%= 1 %>`,
  direction: 'abc\u202Eexe.gpj\u2066\u2069\u200F end',
  zalgo: `Z${'\u0351\u0342\u0315'.repeat(60)}`,
  long: 'W'.repeat(900),
  lines: 'first\r\nSet-Cookie: harmed=true\r\n\r\nsecond\u2028third',
} as const;

/** One text with everything, for members that take any text. */
export const HOSTILE_TEXT = Object.values(HOSTILE_TEXTS).join(' ');
