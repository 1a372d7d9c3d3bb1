/** The place to run a workflow without touching anything outside. */

/** Asked for as a cluster is; no cluster can be named so, for it has a space in it. */
export const mockPlace = 'mocks only'
