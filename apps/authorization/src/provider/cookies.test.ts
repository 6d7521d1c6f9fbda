import { secureRandom } from '@vestibule/crypto';
import {
  activateDataKey,
  addDataKey,
  openDataKeys,
  parseKeyEncryptionKeys,
} from '@vestibule/crypto/data-keys';
import { keyEncryptionKeyText, memoryDataKeyStore } from '@vestibule/crypto/testing';
import { frozenClock } from '@vestibule/protocol/testing';
import { expect, it } from 'vitest';
import { cookieKeys } from './cookies.js';

it('accepts signatures from before and after the rotation of a key, and no others', async () => {
  const clock = frozenClock();
  const keyEncryptionKeys = parseKeyEncryptionKeys(keyEncryptionKeyText('one'));
  const dependencies = { store: memoryDataKeyStore(), keyEncryptionKeys, clock, random: secureRandom };
  const [late, prompt] = [await openDataKeys(dependencies), await openDataKeys(dependencies)];
  const before = cookieKeys(prompt.digester).sign('name=value');
  const added = await addDataKey(dependencies, 'digest');
  for (const keys of [late, prompt]) await keys.refresh();
  clock.advanceSeconds(60);
  await activateDataKey(dependencies, added.id);
  await prompt.refresh();
  const after = cookieKeys(prompt.digester).sign('name=value');
  expect(after).not.toBe(before);
  for (const { digester } of [late, prompt]) {
    const keys = cookieKeys(digester);
    for (const signature of [before, after])
      expect([keys.index('name=value', signature), keys.verify('name=value', signature)]).toEqual([0, true]);
    for (const signature of ['', 'x', before.slice(1), `${after}AAAA`])
      expect([keys.index('name=value', signature), keys.verify('name=value', signature)]).toEqual([
        -1,
        false,
      ]);
    expect(keys.index('name=other', after)).toBe(-1);
  }
});
