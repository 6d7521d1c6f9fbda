import Type from 'typebox';
import { OAUTH_SETTINGS } from './oauth-settings.js';

/** The longest lifetime that the token operations accept: a year. */
const MAX_LIFETIME_SECONDS = 31_536_000;

/**
 * Settings of initial access tokens, for every program that issues them: the authorization server, the command line and
 * the console.
 */
export const INITIAL_TOKEN_SETTINGS = {
  ACCESS_TOKEN_LENGTH: Type.Integer({
    description: 'Length of an identifier-based access token, in characters.',
    default: 43,
    minimum: 43,
    maximum: 256,
  }),
  ACCESS_TOKEN_SIGNING_ALG: OAUTH_SETTINGS.ACCESS_TOKEN_SIGNING_ALG,
  INITIAL_ACCESS_TOKEN_LIFETIME_SECONDS: Type.Integer({
    description: 'Lifetime of an initial access token if the request does not specify one, in seconds.',
    default: 86_400,
    minimum: 1,
    maximum: MAX_LIFETIME_SECONDS,
  }),
};
