import { type EntityExplanation, pathTree } from '@vestibule/federation-service';
import type { BrowserTools } from '../clients/log-in.js';
import { printedFetch } from '../print/printed-fetch.js';
import type { Stack } from '../stack/stack.js';
import { ensure } from '../tour-error.js';
import { explanationTree } from './explanation-tree.js';

/** The entity to explain. */
export interface ExplainedEntity {
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
  { page, gallery, reporter }: BrowserTools,
  { entityId, names }: ExplainedEntity,
): Promise<void> {
  const address = `${baseUrl}/federation/explain?${new URLSearchParams({ sub: entityId })}`;
  const authorization = `Bearer ${masterToken}`;
  const send = printedFetch('operator', reporter);
  const response = await send(address, { headers: { authorization, accept: 'application/json' } });
  ensure(response.status === 200, `GET /federation/explain returned ${response.status}.`);
  const { subject, trusted, paths }: EntityExplanation = JSON.parse(await response.text());
  ensure(trusted, 'The explanation says that the library is not trusted.');
  reporter.note('');
  explanationTree(pathTree(subject, paths), names).forEach(reporter.note);
  reporter.note('');
  const trustedPaths = paths.filter((path) => path.trusted);
  ensure(
    trustedPaths.length === 1 && paths.length === 2,
    'The explanation does not have exactly one trusted and one untrusted path.',
  );
  reporter.passed('One path is trusted; the explanation gives the reason why the other is not.');
  await page.setExtraHTTPHeaders({ authorization });
  await page.goto(address);
  await gallery.show(page, 'explanation');
  await page.setExtraHTTPHeaders({});
}
