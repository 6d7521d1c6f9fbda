import { startComposeStack } from '@vestibule/deployment';
import type { Closers } from '@vestibule/local-services';
import type { OwnStack } from './own-stack.js';
import { openTrustedFederation } from './trusted-federation.js';

/**
 * Starts the stack of docker/compose.yaml at a loopback address over a temporary folder: a gateway, and every instance
 * of every service as a process of its own, with the settings that the file gives them.
 */
export async function startSeparateStack(
  baseUrl: string,
  toEnd: Closers,
  say: (sentence: string) => void,
): Promise<OwnStack> {
  const { federation, settings } = await openTrustedFederation(toEnd);
  const variables = { ...settings, LOG_LEVEL: 'warn' };
  const { instances, masterTokenFile } = await startComposeStack({ baseUrl, variables, toEnd, say });
  for (const { place } of instances) say(`  ${place.name} at http://${place.address}`);
  const introspection = instances
    .filter(({ place }) => place.service === 'introspection')
    .map(({ place }) => `http://${place.address}`);
  return { introspection: [baseUrl, ...introspection], masterTokenFile, federation };
}
