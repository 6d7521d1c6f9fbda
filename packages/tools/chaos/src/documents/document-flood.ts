import { setTimeout as pause } from 'node:timers/promises';
import type { Gateway } from '../fleet/gateway.js';
import type { DocumentHost } from './document-host.js';
import type { DocumentUses } from './document-uses.js';

const FLOODERS = 32;
const PAUSE_MS = 10;

/**
 * Names unknown documents of failing hosts continuously, each in two requests at once, which reach both instances.
 * @param name begins the path of each document
 * @returns what stops it
 */
export function floodUnknown(
  { use }: DocumentUses,
  gateway: Gateway,
  { hosts, name }: { readonly hosts: readonly DocumentHost[]; readonly name: string },
): () => Promise<void> {
  let [isOver, turns] = [false, 0];
  const flooder = async (_: unknown, index: number) => {
    await pause(index * PAUSE_MS);
    while (!isOver) {
      const host = hosts[turns % hosts.length];
      turns += 1;
      const url = host?.url(`/${name}-${turns}`) ?? '';
      await Promise.all([use(gateway, url, true), use(gateway, url, true)]);
      // Also when no instance is ready, which is known at once.
      await pause(PAUSE_MS);
    }
  };
  const flooding = Promise.all(Array.from({ length: FLOODERS }, flooder));
  return async () => {
    isOver = true;
    await flooding;
  };
}
