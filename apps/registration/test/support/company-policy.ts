import type { RegistrationPolicy } from '@vestibule/clients/policy';
import { DomainError } from '@vestibule/protocol';

/** Accepts only clients of this company: each names its team in `data`, and shows the company's terms. */
export const companyPolicy: RegistrationPolicy = {
  evaluate: ({ authority, data, metadata }) => {
    if (authority !== 'master_token' && typeof data?.['team'] !== 'string')
      throw new DomainError('invalid_client_metadata', 'data: must name a team');
    return { ...metadata, tos_uri: 'https://company.example/terms' };
  },
};
