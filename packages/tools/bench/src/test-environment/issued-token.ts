/** A live access token and whom its response has to name. */
export interface IssuedToken {
  readonly token: string;
  readonly subject: string;
}
