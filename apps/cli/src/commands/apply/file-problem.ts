/** A problem of a file, or of a client in it. Values are never quoted. */
export interface FileProblem {
  /** Path below the folder. */
  readonly file: string;
  /** Identifier of the client, or its place in the file, as in `clients[2]`; absent for the file as a whole. */
  readonly client?: string;
  /** As in `redirect_uris[3]`; absent for the client as a whole. */
  readonly member?: string;
  readonly problem: string;
}
