import type { ConsoleRoute } from '../../frame/console-route.js';
import { changeKey } from './change-key.js';
import { createKey } from './create-key.js';
import { keyPage } from './key-page.js';
import type { KeysPagesDeps } from './keys-deps.js';
import { keysPage } from './keys-page.js';

/** The pages about the keys of the installation. */
export function keysPages(deps: KeysPagesDeps): readonly ConsoleRoute[] {
  return [keysPage(deps), ...createKey(deps), keyPage(deps), ...changeKey(deps)];
}
