import Type from 'typebox';
import { ALGORITHM_MEMBERS } from './algorithm-members.js';
import { MAX_ARRAY_LENGTH, MAX_STRING_LENGTH, type MemberName } from './metadata-schema.js';
import { ALGORITHM_USES } from './supported-metadata.js';

/**
 * The members that list every value a client supports, each with the member of the one that is registered (OpenID
 * Connect Relying Party Metadata Choices 1.0 section 2). In the order in which they are decided: later choices depend
 * on earlier ones.
 */
export const CHOICE_MEMBERS: ReadonlyMap<string, MemberName> = new Map<string, MemberName>([
  ['subject_types_supported', 'subject_type'],
  ['token_endpoint_auth_methods_supported', 'token_endpoint_auth_method'],
  ['token_endpoint_auth_signing_alg_values_supported', 'token_endpoint_auth_signing_alg'],
  ...ALGORITHM_USES.flatMap((use): [string, MemberName][] => {
    const { signing, encryption, contentEncryption } = ALGORITHM_MEMBERS[use];
    return [
      [`${use}_signing_alg_values_supported`, signing],
      [`${use}_encryption_alg_values_supported`, encryption],
      [`${use}_encryption_enc_values_supported`, contentEncryption],
    ];
  }),
]);

/** Schema of such a list. */
export const ChoicesSchema = Type.Array(Type.String({ maxLength: MAX_STRING_LENGTH }), {
  maxItems: MAX_ARRAY_LENGTH,
});

const LIST_NAMES: ReadonlyMap<string, string> = new Map(
  [...CHOICE_MEMBERS].map(([list, member]) => [member, list]),
);

/** Returns the member that lists alternatives to the value of a member; `undefined` if there is none. */
export function choicesOfMember(member: string): string | undefined {
  return LIST_NAMES.get(member);
}
