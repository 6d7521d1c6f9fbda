import { Type } from 'typebox';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

/** The schema of the response to a JSON request. */
export const TokenImportResponse = Type.Object(
  {
    stored: Count('Tokens that were not known before.'),
    unchanged: Count('Tokens that were imported before with the same values.'),
    revoked: Count('Tokens that were revoked here. They stay inactive.'),
  },
  { $id: 'ImportedTokens', description: 'The number of tokens by result.' },
);

/** The schema of the response to one line. */
export const TokenImportLineResponse = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: 'The number of the line in the request.' }),
    result: Type.Optional(
      Type.Enum(['stored', 'unchanged', 'revoked'], { description: 'Absent if the line was refused.' }),
    ),
    error: Type.Optional(
      Type.Enum(['invalid_request'], { description: 'Present if the line was refused. The others go on.' }),
    ),
    error_description: Type.Optional(Type.String({ description: 'The member, and what is wrong with it.' })),
  },
  { $id: 'ImportedLine', description: 'The result of one line.' },
);
