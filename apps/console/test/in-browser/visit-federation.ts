import type { SmallFederation } from '@vestibule/testkit/federation';
import { DENIED_ENTITY } from '../support/hostile-rows.js';
import { HOSTILE_TEXT, HOSTILE_TEXTS } from '../support/hostile-texts.js';
import type { Visits } from './visits.js';

/** Visits every page of the federation, with explanations of entities whose statements are hostile. */
export async function visitFederation(visits: Visits, federation: SmallFederation): Promise<void> {
  const { open, press, fill, send, confirm } = visits;
  const { trusted, untrusted } = await hostileEntities(federation);
  await open('/federation');
  await open('/federation?after=none');
  await fill({ entity: 'none' });
  await press('Explain');
  await fill({ entity: trusted });
  await press('Explain', 'Trusted by this path');
  await fill({ entity: untrusted });
  await press('Explain', 'What could not be fetched');
  await open('/federation');
  await press('Discard cached statements');

  await open('/federation/deny');
  await open('/federation/deny?entity=none');
  const superior = 'https://superior.example';
  await open(`/federation/deny?entity=${superior}`, 'Clients that are deleted');
  await send('/federation/deny', { entity: superior, confirmation: superior, seen: '0' });
  await fill({ reason: HOSTILE_TEXTS.element });
  await confirm('Deny the entity');
  await open('/federation/allow?entity=https://none.example');
  await open(`/federation/allow?entity=${DENIED_ENTITY}`);
  await confirm('Allow the entity');
}

/** An entity with two paths, of which one is not valid, and one whose superior does not respond. */
async function hostileEntities({ anchor, intermediates, relyingParty }: SmallFederation) {
  const [first, second] = intermediates;
  anchor.vouchFor(first, {
    metadata_policy: {
      openid_relying_party: {
        client_name: { default: HOSTILE_TEXT },
        contacts: { add: Object.values(HOSTILE_TEXTS) },
        [HOSTILE_TEXTS.element]: { default: HOSTILE_TEXT },
      },
    },
    constraints: { max_path_length: 3 },
  });
  const member = await relyingParty({ metadata: { client_name: HOSTILE_TEXT } });
  second.vouchFor(member);
  second.behaviour.fetchFault = 'not_found';
  const other = await relyingParty({ superior: second, metadata: { client_name: HOSTILE_TEXT } });
  return { trusted: member.id, untrusted: other.id };
}
