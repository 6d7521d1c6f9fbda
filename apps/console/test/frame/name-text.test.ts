import { expect, it } from 'vitest';
import { nameText } from '../../src/frame/name-text.js';

it.each([
  ['client.registered', 'client.<wbr>registered'],
  ['client.registration_token_rotated', 'client.<wbr>registration_<wbr>token_<wbr>rotated'],
  ['operator:a-admin', 'operator:<wbr>a-admin'],
  ['entity:https://rp.example/app', 'entity:<wbr>https://<wbr>rp.<wbr>example/<wbr>app'],
  ['ends.', 'ends.'],
  ['', ''],
])('lets %s wrap between its parts only', (name, shown) => {
  expect(nameText(name).text).toBe(shown);
});

it('lets long parts, and wide characters, wrap anywhere', () => {
  expect(nameText(`client:${'x'.repeat(30)}`).text).toBe(
    `client:<wbr>${'x'.repeat(13)}<wbr>${'x'.repeat(13)}<wbr>xxxx`,
  );
  expect(nameText('\ufdfd\u{1f600}e\u0301').text).toBe('\ufdfd<wbr>\u{1f600}<wbr>e\u0301');
});

it('escapes the name', () => {
  expect(nameText('a.<b>&"').text).toBe('a.<wbr>&lt;b&gt;&amp;&quot;');
});
