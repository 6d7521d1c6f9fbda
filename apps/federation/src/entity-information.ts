import { STRICT_METADATA_SETTINGS } from '@vestibule/metadata';
import { readSecureUrl } from '@vestibule/metadata/uris';
import type { JsonObject } from '@vestibule/protocol/json';
import { customSetting, splitList } from '@vestibule/service/settings';
import Type, { type Static } from 'typebox';

const MAX_TEXT_LENGTH = 200;
const MAX_URL_LENGTH = 2_048;

/**
 * Settings about the organization behind the provider, published in the `federation_entity` metadata of the entity
 * configuration (OpenID Federation 1.0 section 5.2.2).
 */
export const ENTITY_INFORMATION_SETTINGS = {
  FEDERATION_ORGANIZATION_NAME: name('Name of the organization that runs the provider'),
  FEDERATION_DISPLAY_NAME: name('Name of the provider for end-users'),
  FEDERATION_CONTACTS: Type.Optional(
    customSetting<readonly string[]>({
      description:
        'Contact persons in the entity configuration of the provider: names, email addresses, phone numbers.',
      form: `comma-separated texts of at most ${MAX_TEXT_LENGTH} characters`,
      read: (text) => {
        const contacts = splitList(text);
        return contacts.length > 0 && contacts.every(({ length }) => length <= MAX_TEXT_LENGTH)
          ? { value: contacts }
          : { problem: `must be comma-separated texts of at most ${MAX_TEXT_LENGTH} characters` };
      },
    }),
  ),
  FEDERATION_LOGO_URI: webAddress('Address of the logo of the provider'),
  FEDERATION_POLICY_URI: webAddress('Address of the terms and policies of the provider'),
  FEDERATION_INFORMATION_URI: webAddress('Address of further information about the provider for end-users'),
  FEDERATION_ORGANIZATION_URI: webAddress(
    'Address of the web page of the organization, also published under homepage_uri, its name in earlier drafts',
  ),
};

const InformationSettings = Type.Object(ENTITY_INFORMATION_SETTINGS);

/** The configured information about the organization and the provider, as members of `federation_entity` metadata. */
export function entityInformation(settings: Static<typeof InformationSettings>): JsonObject {
  const members = {
    organization_name: settings.FEDERATION_ORGANIZATION_NAME,
    display_name: settings.FEDERATION_DISPLAY_NAME,
    contacts: settings.FEDERATION_CONTACTS,
    logo_uri: settings.FEDERATION_LOGO_URI,
    policy_uri: settings.FEDERATION_POLICY_URI,
    information_uri: settings.FEDERATION_INFORMATION_URI,
    organization_uri: settings.FEDERATION_ORGANIZATION_URI,
    homepage_uri: settings.FEDERATION_ORGANIZATION_URI,
  };
  const given = Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return Object.fromEntries(given);
}

function name(subject: string) {
  const description = `${subject}, in the entity configuration of the provider.`;
  return Type.Optional(Type.String({ description, minLength: 1, maxLength: MAX_TEXT_LENGTH }));
}

function webAddress(subject: string) {
  return Type.Optional(
    customSetting<string>({
      description: `${subject}, in the entity configuration of the provider.`,
      form: 'an absolute https URL without credentials',
      read: (text) =>
        text.length <= MAX_URL_LENGTH && readSecureUrl(text, STRICT_METADATA_SETTINGS) !== undefined
          ? { value: text }
          : {
              problem: `must be an absolute https URL without credentials, of at most ${MAX_URL_LENGTH} characters`,
            },
    }),
  );
}
