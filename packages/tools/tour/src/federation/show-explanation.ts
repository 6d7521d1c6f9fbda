import { type EntityExplanation, pathTree } from '@vestibule/federation-service';
import { toldFetch } from '../print/told-fetch.js';
import type { Stack } from '../stack/stack.js';
import type { Watched } from '../story/log-in.js';
import { ensure } from '../tour-error.js';
import { explanationTree } from './explanation-tree.js';

/** The entity to explain. */
export interface Asked {
  readonly entityId: string;
  /** Display names of entities. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Shows the operator, as a tree and as a page, why an entity is trusted and why its other paths are not.
 * @throws TourError
 */
export async function showExplanation(
  { baseUrl, masterToken }: Stack,
  { page, gallery, narrator }: Watched,
  { entityId, names }: Asked,
): Promise<void> {
  const address = `${baseUrl}/federation/explain?${new URLSearchParams({ sub: entityId })}`;
  const authorization = `Bearer ${masterToken}`;
  const told = toldFetch('operator', narrator);
  const response = await told(address, { headers: { authorization, accept: 'application/json' } });
  ensure(response.status === 200, `The explanation was answered with ${response.status}.`);
  const { subject, trusted, paths }: EntityExplanation = JSON.parse(await response.text());
  ensure(trusted, 'The explanation says that the library is not trusted.');
  narrator.say('');
  explanationTree(pathTree(subject, paths), names).forEach(narrator.say);
  narrator.say('');
  const good = paths.filter((path) => path.trusted);
  ensure(
    good.length === 1 && paths.length === 2,
    'The explanation has other paths than the two that there are.',
  );
  narrator.proved(
    'One path leads to the trust anchor; the other was tried, and the reason against it is told.',
  );
  await page.setExtraHTTPHeaders({ authorization });
  await page.goto(address);
  await gallery.show(page, 'explanation');
  await page.setExtraHTTPHeaders({});
}
