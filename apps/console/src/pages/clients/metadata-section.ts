import type { Client } from '@vestibule/clients';
import { html, type Markup } from '@vestibule/http/pages';
import { completeClientMetadata, orderMetadata, type SupportedMetadata } from '@vestibule/metadata';
import { DomainError } from '@vestibule/protocol';
import { isSameJson, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import { valueText } from '../../frame/difference.js';
import { dataTable, joined, section } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';

/** Longer lists are cut; the form has them in full. */
const MAX_SHOWN_ELEMENTS = 20;

/** Renders the metadata of a client: first what differs from the defaults, then what does not. */
export function metadataSection({ metadata }: Client, supported: SupportedMetadata): Markup {
  const members = Object.entries(orderMetadata(metadata));
  // Names in languages have no defaults, and a client may have many of them.
  const untagged = Object.fromEntries(members.filter(([name]) => !name.includes('#')));
  const names = new Set(Object.keys(untagged).filter((name) => defaultOf(untagged, name, supported)));
  const own = members.filter(([name]) => !names.has(name));
  const defaults = members.filter(([name]) => names.has(name));
  return section(
    'Metadata',
    joined(
      membersTable('What differs from the defaults.', own, 'Nothing differs from the defaults.'),
      defaults.length === 0
        ? undefined
        : html`<details><summary>Defaults (${String(defaults.length)})</summary>
${membersTable('What would be registered without being requested.', defaults, '')}
</details>`,
    ),
  );
}

/** Renders the custom data of a client. */
export function dataSection({ data }: Client): Markup | undefined {
  if (data === undefined) return undefined;
  return section(
    'Data',
    membersTable('Set by the operator or the registrant.', Object.entries(data), 'No members.'),
  );
}

/** Whether a registration of the other members would have the same value. */
function defaultOf(metadata: JsonObject, name: string, supported: SupportedMetadata): boolean {
  const { [name]: value, ...others } = metadata;
  try {
    return isSameJson(completeClientMetadata(others, supported)[name], value);
  } catch (error) {
    // The metadata may be older than the present rules.
    if (error instanceof DomainError) return false;
    throw error;
  }
}

type Member = readonly [name: string, value: JsonValue];

/** Renders members with their values; every element of a list of texts on a line of its own. */
export function membersTable(caption: string, members: readonly Member[], none: string): Markup {
  return dataTable<Member>(
    caption,
    [
      { title: 'Member', cell: ([name]) => html`<code>${shownText(name)}</code>` },
      { title: 'Value', cell: ([, value]) => memberValue(value) },
    ],
    members,
    none,
  );
}

function memberValue(value: JsonValue): Markup {
  if (!Array.isArray(value) || !value.every((element) => typeof element === 'string'))
    return valueText(value);
  const shown = value.slice(0, MAX_SHOWN_ELEMENTS).map((element) => html`${valueText(element)}<br>\n`);
  const left = value.length - shown.length;
  return html`${shown}${left === 0 ? undefined : `and ${left} more`}`;
}
