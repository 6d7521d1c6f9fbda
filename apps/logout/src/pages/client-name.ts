import { type ClientMetadata, readLanguageName } from '@vestibule/metadata';
import type { Locale } from '../languages/choose-locale.js';

/**
 * What a client is called, in the language that the end-user likes best of those that it registered (OpenID Connect
 * Dynamic Client Registration 1.0 section 2.1); in the words of the page for one without a name.
 */
export function clientName(metadata: Partial<ClientMetadata>, { preferred, messages }: Locale): string {
  const names = new Map(
    Object.entries(metadata).flatMap(([member, value]) => {
      const { member: repeated, tag = '' } = readLanguageName(member);
      return repeated === 'client_name' && typeof value === 'string'
        ? [[tag.toLowerCase(), value] as const]
        : [];
    }),
  );
  const tagged = preferred.flatMap((tag) => [tag, tag.split('-', 1)[0] ?? tag]);
  const found = tagged.find((tag) => names.has(tag)) ?? '';
  return names.get(found) || messages.unnamedClient;
}
