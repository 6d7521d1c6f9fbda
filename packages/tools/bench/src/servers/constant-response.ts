import { Type } from 'typebox';

/** The response of a bare server to every request. */
export const ConstantResponse = Type.Object({
  contentType: Type.String(),
  body: Type.String(),
  /** Further headers; only responses to GET have them. */
  headers: Type.Record(Type.String(), Type.String()),
});
