import type { JsonObject } from '@vestibule/protocol/json';
import type { EntityTagCondition } from '../client-response.js';
import { updateClient } from '../management/update-client.js';
import { registrationFixture } from './registration-fixture.js';

/** The members that every update of the fixture repeats. */
export const REDIRECT = { redirect_uris: ['https://app.example.org/cb'] };

/** Registers a client that is to be updated. @param scope of an initial access token; default: open registration */
export async function registered(settings = {}, body: JsonObject = {}, scope?: string) {
  const fixture = await registrationFixture({ allowOpenRegistration: true, ...settings });
  const initial = scope === undefined ? undefined : await fixture.issue(scope);
  const { information } = await fixture.register({ ...REDIRECT, ...body }, initial);
  const id = information.client_id;
  const token = String(information['registration_access_token']);
  const update = (changes: JsonObject, bearer = token, ifMatch?: EntityTagCondition) =>
    updateClient(fixture.deps, {
      id,
      token: bearer,
      body: { ...REDIRECT, client_id: id, ...changes },
      ifMatch,
    });
  return { ...fixture, information, id, token, update };
}

/** The registration access token in a response. */
export const tokenOf = ({ information }: { information: JsonObject }): string =>
  String(information['registration_access_token']);

/** The client secret in a response. */
export const secretOf = ({ information }: { information: JsonObject }): string =>
  String(information['client_secret']);
