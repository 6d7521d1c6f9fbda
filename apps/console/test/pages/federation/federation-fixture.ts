import { frozenClock } from '@vestibule/protocol/testing';
import type { Environment } from '@vestibule/service/settings';
import { openSmallFederation, type SmallFederation } from '@vestibule/testkit/federation';
import { onTestFinished } from 'vitest';
import { buildTestConsole } from '../../support/build-test-console.js';

/** A console that trusts the anchor of a small federation, which listens on loopback addresses. */
export async function aFederatedConsole(settings: Environment = {}) {
  const clock = frozenClock();
  const federation = await openSmallFederation(clock);
  onTestFinished(() => federation.close());
  const console = await buildTestConsole({ ...trustIn(federation), ...settings }, { clock });
  return { ...console, federation };
}

/** Settings that trust the anchor of a small federation. */
export function trustIn({ trustAnchors }: SmallFederation): Environment {
  return {
    FEDERATION_ENABLED: 'true',
    FEDERATION_TRUST_ANCHORS: JSON.stringify(trustAnchors),
    FEDERATION_CACHE_SECONDS: '0',
    FEDERATION_NEGATIVE_CACHE_SECONDS: '0',
    EGRESS_ALLOW_HOSTS: '127.0.0.1',
    ALLOW_LOOPBACK_REDIRECT_URIS: 'true',
  };
}

/** The text of a page without its markup and with entities resolved, for expectations about sentences. */
export function textOf(page: string): string {
  return page
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
}
