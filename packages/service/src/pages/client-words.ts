import type { CommonMessages, Locale } from '@vestibule/http/pages';
import { type ClientMetadata, isBlankText } from '@vestibule/metadata';
import { readLanguageName } from '@vestibule/metadata/language-names';

/** Client metadata, possibly partial. */
export type ShownMetadata = Partial<ClientMetadata>;

/** Metadata members with language variants. */
export type LocalizedMember = 'client_name' | 'client_uri' | 'policy_uri' | 'tos_uri';

/**
 * Returns the client name in the end-user's preferred registered language (OpenID Connect Dynamic Client Registration
 * 1.0 section 2.1). If there is no name, or no visible one, the text of the page for unnamed clients.
 */
export function clientName(metadata: ShownMetadata, locale: Locale<CommonMessages>): string {
  return registeredName(metadata, locale) ?? locale.messages.unnamedClient;
}

/** Returns the registered name in the preferred language; `undefined` if there is none, or no visible one. */
export function registeredName(metadata: ShownMetadata, locale: Locale<unknown>): string | undefined {
  const name = localized(metadata, 'client_name', locale);
  return name === undefined || isBlankText(name) ? undefined : name;
}

/** Returns a registered http(s) URL in the preferred language; `undefined` for other schemes. */
export function clientAddress(
  metadata: ShownMetadata,
  member: Exclude<LocalizedMember, 'client_name'>,
  locale: Locale<unknown>,
): string | undefined {
  const uri = localized(metadata, member, locale);
  if (uri === undefined || !URL.canParse(uri)) return undefined;
  const { protocol, href } = new URL(uri);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}

function localized(
  metadata: ShownMetadata,
  wanted: LocalizedMember,
  { preferred }: Locale<unknown>,
): string | undefined {
  const texts = new Map(
    Object.entries(metadata).flatMap(([name, value]) => {
      const { member, tag = '' } = readLanguageName(name);
      return member === wanted && typeof value === 'string' ? [[tag.toLowerCase(), value] as const] : [];
    }),
  );
  const tagged = preferred.flatMap((tag) => [tag, tag.split('-', 1)[0] ?? tag]);
  return texts.get(tagged.find((tag) => texts.has(tag)) ?? '');
}
