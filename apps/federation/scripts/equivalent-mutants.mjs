/**
 * Changes of the validator that change nothing that can be seen from outside, each with the reason.
 * @type {readonly { readonly file: string, readonly from: string, readonly to: string, readonly why: string }[]}
 */
export const EQUIVALENT_MUTANTS = [];
