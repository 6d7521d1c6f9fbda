import { Type } from 'typebox';

/** What a bare server answers to everything. */
export const ConstantResponse = Type.Object({
  contentType: Type.String(),
  body: Type.String(),
});
